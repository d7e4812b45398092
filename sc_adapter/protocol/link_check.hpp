/* The state of the base-protocol checker. A *life* is the use of a payload from its first call to
 * its last, over all links; a *hop* is a transaction in phases (non-blocking transport) on one
 * link. The rules are in blocking_check, phase_check and memory_check. Violations are passed to a
 * sink. Does not depend on recording. */
#ifndef FTR_LINK_CHECK_HPP
#define FTR_LINK_CHECK_HPP

#include <array>
#include <cstdint>
#include <deque>
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

/* The variables of this library are accessed without the indirection of exported ones. */
#define FTR_SC_HIDDEN __attribute__((visibility("hidden")))

class link_check;

/* How many links a payload is passing in b_transport, and in phases. */
struct alignas(8) passed_links {
    std::uint32_t blocked;
    std::uint32_t phased;

    /* Compares both numbers at once. */
    FTR_SC_INLINE bool are(std::uint32_t in_blocked, std::uint32_t in_phases) const
    {
        const passed_links others = {in_blocked, in_phases};
        return std::memcmp(this, &others, sizeof others) == 0;
    }
};

/* The life of a payload. */
struct alignas(128) payload_life {
    std::uintptr_t key;        /* its address */
    std::uint64_t identity;    /* number of this life; never 0 */
    payload_snapshot snapshot; /* the attributes that must not change */
    std::uint64_t contents;    /* checksum of the data of a write, or of an answered read */
    passed_links links;
    /* Number of links that wait for a response, counted from the initiator. */
    std::uint32_t unanswered;
    /* `identity`: the payload had a memory manager when the life began; ~`identity`: it had not,
     * and `extensions` is valid; otherwise: it had neither a manager nor extensions. */
    std::uint64_t carried;
    std::uint64_t extensions; /* one bit for each extension that was set when the life began */
    std::uint64_t enable_contents;
    std::uint64_t told;          /* bits: rules that were reported in life `told_identity` */
    std::uint64_t told_identity; /* of the latest life with a report */

    bool is_in_use() const { return !links.are(0, 0); }
    /* Returns true on the first link of a payload that is passing no link in phases. */
    FTR_SC_INLINE bool is_on_first_link() const { return links.are(1, 0); }
    bool is_of(const tlm::tlm_generic_payload &trans) const
    {
        return key == reinterpret_cast<std::uintptr_t>(&trans);
    }
    bool began_with_manager() const { return carried == identity; }
    std::uint64_t extensions_at_begin() const { return carried == ~identity ? extensions : 0; }
};

/* The states of a hop that is in use come last. */
enum class phase_state : unsigned char { none, completed, request, request_ended, response };

/* A hop. */
struct alignas(64) phase_hop {
    std::uintptr_t key; /* of payload and link */
    const void *payload;
    const link_check *link;
    payload_life *life;
    std::uint64_t identity; /* of the life, because `life` may be reused by another one */
    std::uint64_t time;     /* ticks: effective time of the latest call */
    std::uint64_t address;  /* when the request began */
    std::uint32_t number;   /* links that waited for a response when the request began */
    phase_state state;
    bool is_confused; /* a phase was wrong: later phases are not checked */

    bool is_in_use() const { return state >= phase_state::request; }
};
static_assert(sizeof(phase_hop) == 64, "a cache line");

extern FTR_SC_HIDDEN phase_hop no_hop; /* the initial value of link_check::latest */

/* A DMI region that was granted and not invalidated. */
struct dmi_region {
    std::uint64_t start;
    std::uint64_t end;
    const unsigned char *memory;
    tlm::tlm_dmi::dmi_access_e access;
};

/* The present DMI or debug request, which has no life: its payload (NULL: none) with the attributes
 * that must not change. */
struct memory_request {
    const void *payload;
    tlm::tlm_gp_option option;
    tlm::tlm_command command;
    const unsigned char *data;
    unsigned length;
    std::uint64_t contents; /* checksum of the data of a write */
    bool is_refused;        /* a link has refused DMI */
    bool is_told;           /* a violation was reported */
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

/* The violations of a call. */
struct found_violations {
    static constexpr unsigned limit = 8;

    unsigned count = 0;
    unsigned waiting = 0;
    ftr_tx recorded[limit]; /* violations to relate to the transaction that broke the rule */
};

class violation_sink
{
  public:
    virtual ~violation_sink() = default;
    virtual void tell(violation &told) = 0;
    /* Acts on the reported violations, for example ends the run. May throw; the state of the caller
     * must be consistent. */
    virtual void act() = 0;
    /* Makes all links inspect their next b_transport calls. */
    virtual void inspect() = 0;
};

/* The state that all links share. The static members are accessed by every call. */
class protocol_state
{
  public:
    explicit protocol_state(violation_sink &of) : sink(of) {}

    violation_sink &sink;
    static FTR_SC_HIDDEN payload_life *latest; /* the payload that was passed last; never NULL */
    static FTR_SC_HIDDEN std::uint64_t identities; /* given so far */
    std::uint64_t unchecked = 0; /* calls that were not checked, because a table was full */
    memory_request memory{};
    /* Memory for the violations of the present calls; release() takes back what take() returned. */
    found_violations *take();
    void release(found_violations *found) { free_.push_back(found); }

    slot_table<payload_life, 17> lives;
    slot_table<phase_hop, 18> hops;

  private:
    std::deque<found_violations> found_;
    std::vector<found_violations *> free_; /* those of `found_` that no call uses */
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
    phase_hop *latest = &no_hop;   /* the hop of the latest call; never NULL */
    phase_hop *request = nullptr;  /* the hop with an open request */
    phase_hop *response = nullptr; /* the hop with an open response */
    std::vector<dmi_region> regions;

    /* The first b_transport calls of a link are inspected: contents, extensions and the memory
     * manager are compared at each call and at each return, so that the link is known where they
     * have changed. */
    static constexpr unsigned inspections = 256;
    unsigned to_inspect = inspections;
    bool *is_checked_fast = nullptr; /* in tlm_link, true: no call is inspected; NULL: false */
};

/* The key of a payload on a link. Different addresses rarely have equal keys. */
FTR_SC_INLINE std::uintptr_t key_of(const tlm::tlm_generic_payload &trans, const link_check &link)
{
    return reinterpret_cast<std::uintptr_t>(&trans) +
           reinterpret_cast<std::uintptr_t>(&link) * UINT64_C(0xd6e8feb86659fd93);
}

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
std::uint64_t extensions_of(const tlm::tlm_generic_payload &trans);

/* Begins a life with a new identity. */
FTR_SC_INLINE void begin_life(payload_life &life)
{
    life.identity = ++protocol_state::identities;
}

/* Returns 0 if the payload has no memory manager and no extension. */
FTR_SC_INLINE std::uintptr_t carried_by(const tlm::tlm_generic_payload &trans)
{
    return extension_bits(trans) | reinterpret_cast<std::uintptr_t>(manager_of(trans));
}

/* Completes take_payload() for a payload that has a memory manager or an extension, and for any
 * other payload that is not plain. */
bool take_carried(payload_life &life, const tlm::tlm_generic_payload &trans);
bool take_unusual(payload_life &life, const tlm::tlm_generic_payload &trans);

/* Stores a checksum of written data. */
FTR_SC_INLINE void take_contents(payload_life &life, const tlm::tlm_generic_payload &trans)
{
    if (trans.is_write() && FTR_SC_EXPECTED(trans.get_data_ptr()))
        life.contents = contents_of(trans.get_data_ptr(), trans.get_data_length());
}

/* Stores the attributes that must not change in this life, except the contents. Returns whether
 * they may break a rule about the begin of a transaction. */
FTR_SC_INLINE bool take_payload(payload_life &life, const tlm::tlm_generic_payload &trans)
{
    life.snapshot.take(trans);
    if (!payload_snapshot::has_data(trans))
        return take_unusual(life, trans);
    return !FTR_SC_EXPECTED((payload_snapshot::unusual_bits(trans) | carried_by(trans)) == 0) &&
           take_carried(life, trans);
}

/* The same for a payload that must have a memory manager. */
FTR_SC_INLINE bool take_managed_payload(payload_life &life, const tlm::tlm_generic_payload &trans)
{
    life.snapshot.take(trans);
    life.carried = life.identity;
    if (payload_snapshot::has_data(trans) &&
        FTR_SC_EXPECTED(payload_snapshot::unusual_bits(trans) == 0) &&
        FTR_SC_EXPECTED(manager_of(trans)) && FTR_SC_EXPECTED(trans.get_ref_count() >= 1))
        return false;
    return take_unusual(life, trans) || !life.began_with_manager();
}

/* Returns whether a payload that is not plain has only the option, memory manager, extensions and
 * byte enables that it had when the life began. */
bool ends_unusually_well(const payload_life &life, const tlm::tlm_generic_payload &trans);

/* Returns the life of a payload, or begins to use a free slot for it. NULL: the table is full. */
payload_life *search_life(protocol_state &state, const tlm::tlm_generic_payload &trans);

FTR_SC_INLINE payload_life *find_life(protocol_state &state, const tlm::tlm_generic_payload &trans)
{
    payload_life *const life = protocol_state::latest;
    return FTR_SC_EXPECTED(life->is_of(trans)) ? life : search_life(state, trans);
}

/* Reports violations at the begin of a transaction. */
FTR_SC_COLD void check_set_up(checked_call &call);

/* Reports attributes that have changed since the life began, each once in a life. */
FTR_SC_COLD void check_attributes(checked_call &call);

/* Stores a checksum of the data of a successful read, when the target has returned it. */
FTR_SC_INLINE void take_read_data(payload_life &life)
{
    const payload_snapshot &was = life.snapshot;
    if (was.command == tlm::TLM_READ_COMMAND && was.data && was.answer == tlm::TLM_OK_RESPONSE)
        life.contents = contents_of(was.data, was.data_length);
}

/* Returns whether data that take_read_data() has seen has changed. */
FTR_SC_INLINE bool is_read_data_changed(const payload_life &life)
{
    const payload_snapshot &was = life.snapshot;
    return was.command == tlm::TLM_READ_COMMAND && was.data && was.answer == tlm::TLM_OK_RESPONSE &&
           __builtin_expect(contents_of(was.data, was.data_length) != life.contents, 0);
}

/* Return whether written data, or byte enables, have changed. The pointers must be unchanged. */
FTR_SC_INLINE bool is_written_data_changed(const payload_life &life)
{
    const payload_snapshot &was = life.snapshot;
    return was.command == tlm::TLM_WRITE_COMMAND && FTR_SC_EXPECTED(was.data) &&
           __builtin_expect(contents_of(was.data, was.data_length) != life.contents, 0);
}
FTR_SC_INLINE bool are_enables_changed(const payload_life &life)
{
    const payload_snapshot &was = life.snapshot;
    return __builtin_expect(was.byte_enable != nullptr, 0) &&
           contents_of(was.byte_enable, was.byte_enable_length) != life.enable_contents;
}
FTR_SC_INLINE bool are_contents_changed(const payload_life &life)
{
    return is_written_data_changed(life) || are_enables_changed(life);
}

/* The same for data that a target in phases has answered with @p status; its first answer is
 * stored.
 */
bool is_answered_data_changed(payload_life &life, int status);

/* Reports changed contents. Must be called only if no attribute has changed. */
FTR_SC_COLD void check_contents(checked_call &call);

/* Checks the response status when a link is answered. */
FTR_SC_COLD void check_answer(checked_call &call);

const char *response_name(tlm::tlm_response_status status);

} // namespace detail
} // namespace ftr

#endif
