/* The state of the base-protocol checker: of a payload from its first call to its last, of a
 * transaction in phases on a link, and of a link. The rules are in blocking_check, phase_check and
 * memory_check. Violations are passed to a sink. Independent of recording. */
#ifndef FTR_LINK_CHECK_HPP
#define FTR_LINK_CHECK_HPP

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <ftr/detail/systemc_session.hpp>

#include <tlm>

#include "extension_access.hpp"
#include "protocol_rules.hpp"
#include "slot_table.hpp"

namespace ftr
{
namespace detail
{

class link_check;

/* A payload between its first call and its last, over all links. */
struct alignas(128) payload_life {
    std::uintptr_t key;     /* its address */
    std::uint64_t identity; /* of this life; never 0 */
    std::uint32_t links;    /* that it is passing */
    std::uint32_t begun;    /* calls that began to pass it on, in this life */
    /* Links that wait for a response, the deepest having this number. */
    std::uint32_t unanswered;
    std::uint64_t told;   /* bits: rules that were reported in this life */
    std::uint32_t phased; /* of the links: those that it is passing in phases */
    bool has_manager;     /* when life began */
    /* The attributes that stay as they are. */
    const unsigned char *data;
    const unsigned char *byte_enable;
    unsigned data_length;
    unsigned streaming_width;
    unsigned byte_enable_length;
    tlm::tlm_command command;
    std::uint64_t first_data; /* of a write */
    std::uint32_t extensions; /* bits: set when life began */
    std::uint64_t first_enables;
    tlm::tlm_response_status answer; /* on the link that answered last */

    bool is_in_use() const { return links != 0; }
};

enum class phase_state : unsigned char { none, request, request_ended, response, completed };

/* A transaction in phases on one link. */
struct phase_hop {
    std::uintptr_t key; /* of payload and link */
    const void *payload;
    const link_check *link;
    payload_life *life;
    std::uint64_t identity; /* of the life; the slot may have another since */
    std::uint64_t time;     /* effective, of the latest call; ticks */
    std::uint64_t address;  /* when the request began */
    std::uint32_t number;   /* of links that wait for a response, when the request began */
    std::uint32_t begun;    /* of the life, when the request began */
    phase_state state;
    bool is_confused; /* a phase was wrong: later ones are not judged by it */

    bool is_in_use() const { return state != phase_state::none && state != phase_state::completed; }
};

/* DMI that was granted and not invalidated. */
struct dmi_region {
    std::uint64_t start;
    std::uint64_t end;
    const unsigned char *memory;
    tlm::tlm_dmi::dmi_access_e access;
};

/* Where a rule was broken. Pointers live for the call of the sink. */
struct violation {
    protocol_rule rule;
    const link_check &link;
    const char *call;                        /* for example "b_transport" */
    const char *phase;                       /* "" without one */
    const tlm::tlm_generic_payload *payload; /* NULL: none, or none that may be read */
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
    /* Takes further action for the violations told, for example ends the run: may throw. The
     * caller's state is whole. */
    virtual void act() = 0;
};

/* The state that all links share. */
class protocol_state
{
  public:
    explicit protocol_state(violation_sink &of) : sink(of) {}

    violation_sink &sink;
    slot_table<payload_life, 17> lives;
    slot_table<phase_hop, 17> hops;
    std::uint64_t identities = 0; /* given so far */
    std::uint64_t unchecked = 0;  /* calls that found the tables full */
    /* Of the DMI or debug call that is going on, which has no life. */
    const void *memory_payload = nullptr;
    bool is_memory_told = false; /* a violation in it was */
};

/* One link. */
class link_check
{
  public:
    link_check(protocol_state &shared, std::string link) : state(shared), name(std::move(link)) {}
    link_check(const link_check &) = delete;
    link_check &operator=(const link_check &) = delete;

    protocol_state &state;
    const std::string name; /* of the initiator's socket */
    std::string target;     /* of the target's; empty: not known */
    bool sees_answers = false;
    std::array<std::uint64_t, protocol_rule_count> violations{};
    std::uint64_t blocking = 0;    /* the life that began the latest b_transport */
    std::uint32_t open_hops = 0;   /* transactions in phases that are not complete */
    phase_hop *request = nullptr;  /* that is not ended */
    phase_hop *response = nullptr; /* that is not ended */
    std::vector<dmi_region> regions;
};

/* The call that is being checked, and the violations found in it. */
struct checked_call {
    checked_call(link_check &on, const char *of, const char *phase_name,
                 const tlm::tlm_generic_payload *trans, payload_life *of_payload, std::uint64_t at,
                 ftr_tx tx = ftr_tx{})
        : link(on), call(of), phase(phase_name), payload(trans), life(of_payload), address(at),
          broken_by(tx)
    {
    }

    link_check &link;
    const char *call;
    const char *phase;
    const tlm::tlm_generic_payload *payload;
    payload_life *life;
    std::uint64_t address;
    ftr_tx broken_by;
    unsigned found = 0; /* violations */
    static constexpr unsigned limit = 8;
    unsigned waiting = 0;
    ftr_tx recorded[limit]; // uninitialised above `waiting`: each call pays for it /* violations
                            // that wait for the transaction that broke the rule */

    /* A mistake shows on all links that the payload passes: a rule is reported once in its life, on
     * the link where it shows first. */
    FTR_SC_COLD void violate(protocol_rule rule, std::string what);
};

/* Up to 8 bytes, as a number that is compared only. */
FTR_SC_INLINE std::uint64_t first_bytes(const unsigned char *bytes, unsigned length)
{
    std::uint64_t word = 0;
    if (FTR_SC_EXPECTED(length >= sizeof word)) {
        __builtin_memcpy(&word, bytes, sizeof word);
        return word;
    }
    for (unsigned i = 0; i < length; ++i)
        word = word << 8 | bytes[i];
    return word;
}

/* The set extensions, as bits, without those that the library itself leaves. */
std::uint32_t extensions_of(const tlm::tlm_generic_payload &trans);

/* Begins a life: the current attributes must not change in it. */
FTR_SC_INLINE void begin_life(protocol_state &state, payload_life &life,
                              const tlm::tlm_generic_payload &trans)
{
    life.identity = ++state.identities;
    life.begun = 0;
    life.unanswered = 0;
    life.told = 0;
    life.has_manager = trans.has_mm();
    life.data = trans.get_data_ptr();
    life.byte_enable = trans.get_byte_enable_ptr();
    life.data_length = trans.get_data_length();
    life.streaming_width = trans.get_streaming_width();
    life.byte_enable_length = trans.get_byte_enable_length();
    life.command = trans.get_command();
    life.answer = tlm::TLM_INCOMPLETE_RESPONSE;
    life.first_data = life.command == tlm::TLM_WRITE_COMMAND && life.data
                          ? first_bytes(life.data, life.data_length)
                          : 0;
    if (__builtin_expect(life.byte_enable != nullptr, 0))
        life.first_enables = first_bytes(life.byte_enable, life.byte_enable_length);
    life.extensions = __builtin_expect(has_extensions(trans), 0) ? extensions_of(trans) : 0;
}

/* The life of a payload that is passing a link, or begins to; in a place that it has not yet. */
FTR_SC_COLD payload_life *take_life(protocol_state &state, std::uintptr_t key, payload_life *free);

/* The life of a payload that is passing a link, or begins to. NULL: the table is full. */
FTR_SC_INLINE payload_life *find_life(protocol_state &state, const tlm::tlm_generic_payload &trans)
{
    const auto key = reinterpret_cast<std::uintptr_t>(&trans);
    payload_life *const life = state.lives.find(key);
    if (FTR_SC_EXPECTED(life) && FTR_SC_EXPECTED(life->key == key))
        return life;
    return take_life(state, key, life);
}

/* Whether a payload that begins is not as transport wants it; the quick test. */
FTR_SC_INLINE bool is_set_up_wrong(const tlm::tlm_generic_payload &trans)
{
    return !trans.get_data_ptr() || !trans.get_data_length() || !trans.get_streaming_width() ||
           trans.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE || trans.is_dmi_allowed() ||
           trans.get_gp_option() != tlm::TLM_MIN_PAYLOAD || trans.get_byte_enable_ptr();
}

/* Reports the violations. */
FTR_SC_COLD void check_set_up(checked_call &call);

/* Whether attributes are not as they were when life began. */
FTR_SC_INLINE bool is_changed(const payload_life &life, const tlm::tlm_generic_payload &trans)
{
    return trans.get_data_ptr() != life.data || trans.get_data_length() != life.data_length ||
           trans.get_streaming_width() != life.streaming_width ||
           trans.get_command() != life.command || trans.get_byte_enable_ptr() != life.byte_enable ||
           trans.get_byte_enable_length() != life.byte_enable_length ||
           trans.get_gp_option() != tlm::TLM_MIN_PAYLOAD;
}

/* Reports which, each once in a life. */
FTR_SC_COLD void check_attributes(checked_call &call);

/* Whether the first bytes of written data, or of byte enables, are not as they were. */
FTR_SC_INLINE bool are_contents_changed(const payload_life &life,
                                        const tlm::tlm_generic_payload &trans)
{
    if (life.command == tlm::TLM_WRITE_COMMAND && life.data && trans.get_data_ptr() == life.data &&
        first_bytes(life.data, life.data_length) != life.first_data)
        return true;
    return __builtin_expect(life.byte_enable != nullptr, 0) &&
           trans.get_byte_enable_ptr() == life.byte_enable &&
           first_bytes(life.byte_enable, life.byte_enable_length) != life.first_enables;
}

FTR_SC_COLD void check_contents(checked_call &call);

/* The response status when a link is answered. */
FTR_SC_COLD void check_answer(checked_call &call);

const char *response_name(tlm::tlm_response_status status);

} // namespace detail
} // namespace ftr

#endif
