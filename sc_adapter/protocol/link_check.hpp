/* The state of the base-protocol checker. A *life* is the use of a payload from its first call to
 * its last, over all links; a *hop* is a transaction in phases (non-blocking transport) on one
 * link. The rules are in blocking_check, phase_check and memory_check. Violations are passed to a
 * sink. Does not depend on recording. */
#ifndef FTR_LINK_CHECK_HPP
#define FTR_LINK_CHECK_HPP

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <ftr/detail/systemc_session.hpp>

#include <tlm>

#include "payload_snapshot.hpp"
#include "protocol_rules.hpp"
#include "slot_table.hpp"

namespace ftr
{
namespace detail
{

class link_check;

/* The life of a payload. */
struct alignas(128) payload_life {
    std::uintptr_t key;        /* its address */
    std::uint64_t identity;    /* number of this life; never 0 */
    payload_snapshot snapshot; /* the attributes that must not change */
    std::uint64_t contents;    /* checksum of the data of a write */
    std::uint32_t links;       /* number of links that the payload is passing */
    std::uint32_t phased;      /* how many of `links` it is passing in phases */
    bool is_usual;             /* `snapshot` breaks no rule about the begin of a transaction */
    bool has_manager;          /* when life began */
    /* Number of links that wait for a response, counted from the initiator. */
    std::uint32_t unanswered;
    std::uint32_t extensions; /* one bit for each extension that was set when the life began */
    std::uint64_t enable_contents;
    std::uint64_t told; /* bits: rules that were reported in this life */

    bool is_in_use() const { return links != 0; }
};

enum class phase_state : unsigned char { none, request, request_ended, response, completed };

/* A hop. */
struct alignas(64) phase_hop {
    std::uintptr_t key; /* of payload and link */
    const void *payload;
    payload_life *life;
    std::uint64_t identity; /* of the life, because `life` may be reused by another one */
    std::uint64_t time;     /* ticks: effective time of the latest call */
    std::uint64_t address;  /* when the request began */
    std::uint32_t number;   /* links that waited for a response when the request began */
    phase_state state;
    bool is_confused; /* a phase was wrong: later phases are not checked */

    bool is_in_use() const { return state != phase_state::none && state != phase_state::completed; }
};

/* A DMI region that was granted and not invalidated. */
struct dmi_region {
    std::uint64_t start;
    std::uint64_t end;
    const unsigned char *memory;
    tlm::tlm_dmi::dmi_access_e access;
};

/* A broken rule. The pointers are valid during the call of the sink. */
struct violation {
    protocol_rule rule;
    const link_check &link;
    const char *call;                        /* for example "b_transport" */
    const char *phase;                       /* "" without one */
    const tlm::tlm_generic_payload *payload; /* NULL: none, or it may not be read any more */
    std::uint64_t identity;                  /* of the payload's life; 0: not known */
    std::uint64_t address;                   /* as seen on this link */
    std::string found;                       /* a phrase that describes the observation */
    ftr_tx broken_by;                        /* the recorded transaction; id 0: not yet known */
    ftr_tx recorded;                         /* out: the violation in the trace; id 0: none */
};

class violation_sink
{
  public:
    virtual ~violation_sink() = default;
    virtual void tell(violation &told) = 0;
    /* Acts on the reported violations, for example ends the run. May throw; the state of the caller
     * must be consistent. */
    virtual void act() = 0;
};

/* The state that all links share. */
class protocol_state
{
  public:
    explicit protocol_state(violation_sink &of) : sink(of) {}

    payload_life none{}; /* the initial value of `latest` */
    violation_sink &sink;
    payload_life *latest = &none; /* the payload that was passed last */
    std::uint64_t identities = 0; /* given so far */
    std::uint64_t unchecked = 0;  /* calls that were not checked, because a table was full */
    /* The payload of the present DMI or debug call, which has no life. */
    const void *memory_payload = nullptr;
    slot_table<payload_life, 17> lives;
    slot_table<phase_hop, 18> hops;
    bool is_memory_told = false; /* a violation of this call was reported */
};

/* One link. */
class link_check
{
  public:
    link_check(protocol_state &shared, std::string link) : state(shared), name(std::move(link)) {}
    link_check(const link_check &) = delete;
    link_check &operator=(const link_check &) = delete;
    virtual ~link_check() = default;

    /* Returns whether a b_transport call of the life @p identity is active on this link. */
    virtual bool has_blocking_call(std::uint64_t identity) const = 0;

    protocol_state &state;
    const std::string name; /* of the initiator socket */
    std::string target;     /* name of the target socket; empty: not known */
    bool sees_answers = false;
    std::array<std::uint64_t, protocol_rule_count> violations{};
    phase_hop *latest = nullptr;   /* the hop of the latest call */
    phase_hop *request = nullptr;  /* the hop with an open request */
    phase_hop *response = nullptr; /* the hop with an open response */
    std::vector<dmi_region> regions;
};

/* The key of a payload on a link. Different addresses rarely have equal keys. */
FTR_SC_INLINE std::uintptr_t key_of(const tlm::tlm_generic_payload &trans, const link_check &link)
{
    return reinterpret_cast<std::uintptr_t>(&trans) +
           reinterpret_cast<std::uintptr_t>(&link) * UINT64_C(0xd6e8feb86659fd93);
}

/* The violations of a call. */
struct found_violations {
    static constexpr unsigned limit = 8;

    unsigned count = 0;
    unsigned waiting = 0;
    ftr_tx recorded[limit]; /* violations to relate to the transaction that broke the rule */
};

/* The call in which a violation was found. */
struct checked_call {
    link_check &link;
    const char *call;
    const char *phase;
    const tlm::tlm_generic_payload *payload;
    payload_life *life;
    std::uint64_t address;
    ftr_tx broken_by;
    found_violations &found;

    /* Reports a violation. A mistake is visible on all links that the payload passes, so a rule is
     * reported once in a life, on the first link where it is visible. */
    FTR_SC_COLD void violate(protocol_rule rule, std::string what);
};

/* Returns the extensions of a payload as bits, without those that SystemC itself leaves set. */
std::uint32_t extensions_of(const tlm::tlm_generic_payload &trans);

/* Stores attributes that differ from those of the previous life in this slot. Returns whether the
 * attributes may violate a rule. */
bool take_new_snapshot(payload_life &life, const tlm::tlm_generic_payload &trans);

/* Begins a life with a new identity. */
FTR_SC_INLINE void begin_life(protocol_state &state, payload_life &life)
{
    life.identity = ++state.identities;
    life.unanswered = 0;
    life.told = 0;
}

/* Stores the attributes that must not change in this life. Returns whether they may break a rule
 * about the begin of a transaction. */
FTR_SC_INLINE bool take_payload(payload_life &life, const tlm::tlm_generic_payload &trans)
{
    bool is_odd = false;
    if (FTR_SC_EXPECTED(life.is_usual) && FTR_SC_EXPECTED(life.snapshot.begins_alike(trans)))
        life.snapshot.command = static_cast<unsigned>(trans.get_command());
    else
        is_odd = take_new_snapshot(life, trans);
    if (life.snapshot.command == tlm::TLM_WRITE_COMMAND && FTR_SC_EXPECTED(life.snapshot.data))
        life.contents = contents_of(life.snapshot.data, life.snapshot.data_length);
    if (__builtin_expect(life.snapshot.byte_enable != nullptr, 0))
        life.enable_contents =
            contents_of(life.snapshot.byte_enable, life.snapshot.byte_enable_length);
    life.has_manager = trans.has_mm();
    if (life.has_manager)
        is_odd |= trans.get_ref_count() < 1;
    else
        life.extensions = __builtin_expect(has_extensions(trans), 0) ? extensions_of(trans) : 0;
    return is_odd;
}

/* The life of a payload that is passing a link, or begins to; in a place that it has not yet. */
FTR_SC_COLD payload_life *take_life(protocol_state &state, std::uintptr_t key, payload_life *free);

/* Returns the life of a payload, or begins to use a free slot for it. NULL: the table is full. */
FTR_SC_INLINE payload_life *find_life(protocol_state &state, const tlm::tlm_generic_payload &trans)
{
    const auto key = reinterpret_cast<std::uintptr_t>(&trans);
    payload_life *life = state.latest;
    if (FTR_SC_EXPECTED(life->key == key))
        return life;
    life = state.lives.find(key);
    if (!FTR_SC_EXPECTED(life) || !FTR_SC_EXPECTED(life->key == key))
        life = take_life(state, key, life);
    if (FTR_SC_EXPECTED(life))
        state.latest = life;
    return life;
}

/* Reports violations at the begin of a transaction. */
FTR_SC_COLD void check_set_up(checked_call &call);

/* Reports attributes that have changed since the life began, each once in a life. */
FTR_SC_COLD void check_attributes(checked_call &call);

/* Returns whether written data or byte enables have changed. The pointers must be unchanged. */
FTR_SC_INLINE bool are_contents_changed(const payload_life &life)
{
    const payload_snapshot &was = life.snapshot;
    if (was.command == tlm::TLM_WRITE_COMMAND && FTR_SC_EXPECTED(was.data) &&
        contents_of(was.data, was.data_length) != life.contents)
        return true;
    return __builtin_expect(was.byte_enable != nullptr, 0) &&
           contents_of(was.byte_enable, was.byte_enable_length) != life.enable_contents;
}

/* Reports changed contents. Must be called only if no attribute has changed. */
FTR_SC_COLD void check_contents(checked_call &call);

/* Checks the response status when a link is answered. */
FTR_SC_COLD void check_answer(checked_call &call);

const char *response_name(tlm::tlm_response_status status);

} // namespace detail
} // namespace ftr

#endif
