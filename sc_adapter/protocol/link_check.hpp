/* The state of the base-protocol checker. A *life* is the use of a payload from its first call to
 * its last, over all links. A *hop* is a non-blocking transaction on one link. The rules are in
 * blocking_check, phase_check and memory_check. Violations are passed to a sink. This file does not
 * depend on recording. */
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

class link_check;

/* Number of links on which a payload is in b_transport (`blocked`) and in a non-blocking
 * transaction (`phased`). */
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
    std::uintptr_t key;        /* key_of() of the payload | handed_over; 0: slot never used */
    std::uint64_t identity;    /* number of this life; never 0 */
    payload_snapshot snapshot; /* the attributes that must not change */
    /* checksum of the data of a write, or of a read that has been answered */
    std::uint64_t contents;
    passed_links links;
    /* Number of non-blocking links that wait for a response. These are the first links, counted
     * from the initiator. */
    std::uint32_t unanswered;
    /* Reference count of a payload of non-blocking transport when the life began. */
    int references;
    /* Reference count after the first call, if the target side has acquired the payload in this
     * call; otherwise INT_MAX. */
    int kept_references;
    /* State of the payload when the life began. `identity`: it had a memory manager. ~`identity`:
     * it had no manager, and `extensions` is valid. Any other value: it had neither a manager nor
     * extensions. */
    std::uint64_t carried;
    std::uint64_t extensions; /* one bit for each extension that was set when the life began */
    std::uint64_t enable_contents;
    /* one bit for each rule that was reported in life `reported_identity` */
    std::uint64_t reported;
    std::uint64_t reported_identity; /* identity of the latest life with a report */

    /* A bit of `key`. A payload is *handed over* if a process has passed it to b_transport while a
     * b_transport call of another process with this payload was active. Calls that search for the
     * address alone do not find the life of a payload that is handed over, so they take a slow
     * path. */
    static constexpr std::uintptr_t handed_over = 2;
    bool is_handed_over() const { return (key & handed_over) != 0; }
    void hand_over() { key |= handed_over; }
    /* Makes the checker report no further violations of this life. */
    void silence()
    {
        reported_identity = identity;
        reported = ~std::uint64_t{0};
    }

    bool is_in_use() const { return !links.are(0, 0); }
    bool is_blank() const { return key == 0; }
    /* Returns true if the payload is in b_transport of exactly one link and in no non-blocking
     * transaction. */
    FTR_SC_INLINE bool is_on_first_link() const { return links.are(1, 0); }
    /* Returns true if the payload has this life and a usual array of extensions. */
    bool is_of(const tlm::tlm_generic_payload &trans) const
    {
        return key == reinterpret_cast<std::uintptr_t>(&trans);
    }
    bool began_with_manager() const { return carried == identity; }
    std::uint64_t extensions_at_begin() const { return carried == ~identity ? extensions : 0; }
};

/* States of a hop. A hop is in use if its state is `request` or a later one. */
enum class phase_state : unsigned char { none, completed, request, request_ended, response };

/* A hop. */
struct alignas(64) phase_hop {
    const void *payload; /* NULL: the hop was never used */
    link_check *link;
    payload_life *life;
    std::uint64_t identity; /* identity of the hop's life: `*life` may contain a newer one */
    std::uint64_t time;     /* ticks: effective time of the latest call */
    std::uint64_t address;  /* address of the payload when the request began */
    /* for the recording: the transaction of the access, 0: not recorded; in the form
     * tlm_form::calls: the state of the payload */
    union {
        std::uint64_t recorded_id;
        void *recorded;
    };
    /* payload_life::unanswered when the request began, this link included */
    std::uint32_t number;
    phase_state state;
    bool is_confused; /* a phase was wrong: later phases are not checked */

    bool is_in_use() const { return state >= phase_state::request; }
    bool is_blank() const { return !payload; }
    bool is_of(const tlm::tlm_generic_payload &trans, const link_check &on) const
    {
        return payload == &trans && link == &on;
    }
};
static_assert(sizeof(phase_hop) == 64, "a cache line");

extern FTR_SC_HIDDEN phase_hop no_hop; /* is of no payload */

/* A DMI region that was granted and has not been invalidated. */
struct dmi_region {
    std::uint64_t start;
    std::uint64_t end;
    const unsigned char *memory;
    tlm::tlm_dmi::dmi_access_e access;
};

/* The current DMI or debug request: the attributes of its payload that must not change. These
 * requests have no life. `payload` is NULL if there is no request. */
struct memory_request {
    const void *payload;
    tlm::tlm_gp_option option;
    tlm::tlm_command command;
    const unsigned char *data;
    unsigned length;
    std::uint64_t contents; /* checksum of the data of a write */
    bool is_refused;        /* a link has refused DMI */
    bool is_reported;       /* a violation was reported */
};

/* A broken rule. The pointers are valid only during the call of the sink. */
struct violation {
    protocol_rule rule;
    const link_check &link;
    const char *call;                        /* for example "b_transport" */
    const char *phase;                       /* "" if the call has no phase */
    const tlm::tlm_generic_payload *payload; /* NULL: none, or no longer valid */
    std::uint64_t identity;                  /* of the payload's life; 0: unknown */
    std::uint64_t address;                   /* as seen on this link */
    std::string found;                       /* a phrase that describes the observation */
    /* the transaction that broke the rule; id 0: not yet known */
    ftr_tx broken_by;
    /* out: the violation in the trace; id 0: not recorded */
    ftr_tx recorded;
};

/* The violations that were found in one call. */
struct found_violations {
    static constexpr unsigned limit = 8;

    unsigned count = 0;
    unsigned waiting = 0;
    /* the first `waiting` violations wait for their relation to the transaction that broke the
     * rule */
    ftr_tx recorded[limit];
};

class violation_sink
{
  public:
    virtual ~violation_sink() = default;
    virtual void report(violation &broken) = 0;
    /* Acts on the reported violations; for example, it may end the run. May throw, so the state of
     * the caller must be consistent. */
    virtual void act() = 0;
    /* Makes each link inspect its next link_check::inspections calls of b_transport, as at the
     * start of the run. */
    virtual void inspect() = 0;
};

/* The state that all links share. The static members are accessed by every call. */
class protocol_state
{
  public:
    explicit protocol_state(violation_sink &of) : sink(of) { first_life = lives.slots(); }

    violation_sink &sink;
    /* number of identities that were assigned so far */
    static FTR_SC_HIDDEN std::uint64_t identities;
    /* number of calls that were not checked, because a table was full */
    std::uint64_t unchecked = 0;
    memory_request memory{};
    /* acquire() returns memory for the violations of one call; release() must be called to return
     * it. */
    found_violations *acquire();
    void release(found_violations *found) { free_.push_back(found); }

    slot_table<payload_life, 17> lives;
    /* Further lives of payloads that are in use by several initiators at once. Elements that are
     * not in use are reused. */
    std::deque<payload_life> further;
    slot_table<phase_hop, 18> hops;

    /* Returns the slot that usually contains the life of a payload. The table must exist. */
    static FTR_SC_INLINE payload_life &probable_life(const tlm::tlm_generic_payload &trans)
    {
        return decltype(lives)::at(
            first_life, decltype(lives)::home_of(reinterpret_cast<std::uintptr_t>(&trans)));
    }

  private:
    static FTR_SC_HIDDEN payload_life *first_life;
    std::deque<found_violations> found_;
    std::vector<found_violations *> free_; /* elements of `found_` that no call uses */
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

    /* The next request that is recorded begins the hop @p hop. NULL: none */
    void begin_recording(phase_hop *hop)
    {
        beginning = hop ? hop : &no_hop;
        beginning->recorded_id = 0;
    }

    protocol_state &state;
    const std::string name; /* name of the initiator socket */
    std::string target;     /* name of the target socket; empty: unknown */
    bool sees_answers = false;
    std::array<std::uint64_t, protocol_rule_count> violations{};
    phase_hop *latest = &no_hop;    /* the hop of the latest call; never NULL */
    phase_hop *request = nullptr;   /* the hop with an open request */
    phase_hop *response = nullptr;  /* the hop with an open response */
    phase_hop *beginning = &no_hop; /* the hop of the request that is about to be recorded */
    std::vector<dmi_region> regions;

    /* The first b_transport calls of a link are inspected: contents, extensions and the memory
     * manager are compared at each call and at each return. A report can then name the link on
     * which they changed. */
    static constexpr unsigned inspections = 256;
    unsigned to_inspect = inspections;
};

/* Returns the key of a payload: its address, plus 1 if its array of extensions is not usual. Calls
 * that search for the address alone do not find a payload with an unusual array, and need not test
 * the array. */
FTR_SC_INLINE std::uintptr_t key_of(const tlm::tlm_generic_payload &trans)
{
    return reinterpret_cast<std::uintptr_t>(&trans) + !has_usual_array(trans);
}

/* Returns the hash of a payload on a link. */
FTR_SC_INLINE std::uintptr_t hash_of(const tlm::tlm_generic_payload &trans, const link_check &link)
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

    /* Reports a violation. A mistake is visible on all links that the payload passes. Each rule is
     * therefore reported at most once in a life: on the first link on which the violation is
     * visible. */
    FTR_SC_COLD void violate(protocol_rule rule, std::string what);
};

/* Returns the extensions of a payload, one bit each, without the extensions that SystemC itself
 * leaves set. */
std::uint64_t extensions_of(const tlm::tlm_generic_payload &trans);

/* Begins a life with a new identity. */
FTR_SC_INLINE void begin_life(payload_life &life)
{
    ++protocol_state::identities;
    asm("" : "+m"(protocol_state::identities)); // increments in memory: one instruction less
    life.identity = protocol_state::identities;
}

/* Captures the state of any payload at the begin of a life, after payload_snapshot::capture().
 * Returns true if the attributes may break a rule about the begin of a transaction. */
bool capture_unusual(payload_life &life, const tlm::tlm_generic_payload &trans);

/* Stores a checksum of the data of a write. @p IsWord: see contents_of() */
template <bool IsWord = false>
FTR_SC_INLINE void capture_contents(payload_life &life, const tlm::tlm_generic_payload &trans)
{
    if (trans.is_write() && FTR_SC_EXPECTED(trans.get_data_ptr()))
        life.contents = contents_of<IsWord>(trans.get_data_ptr(), trans.get_data_length());
}

/* Captures the attributes of a payload that must have a memory manager, except the contents.
 * Returns true if the attributes may break a rule about the begin of a transaction. */
FTR_SC_INLINE bool capture_managed_payload(payload_life &life,
                                           const tlm::tlm_generic_payload &trans)
{
    life.snapshot.capture(trans);
    life.carried = life.identity;
    if (payload_snapshot::has_data(trans) &&
        FTR_SC_EXPECTED(payload_snapshot::unusual_bits(trans) == 0) &&
        FTR_SC_EXPECTED(manager_of(trans)) && FTR_SC_EXPECTED(trans.get_ref_count() >= 1))
        return false;
    return capture_unusual(life, trans) || !life.began_with_manager();
}

/* Returns true if the option, memory manager, extensions and byte enables of a payload at the end
 * of a call are as when its life began. ends_well() has a fast test for this, and needs this
 * function only if the test fails. */
bool ends_unusually_well(const payload_life &life, const tlm::tlm_generic_payload &trans);

/* Returns the life of a payload that may no longer exist, or NULL. */
payload_life *find_earlier_life(protocol_state &state, const void *payload);

/* Returns the life of a payload, in a new slot if it has none. NULL: the table is full. */
payload_life *search_life(protocol_state &state, const tlm::tlm_generic_payload &trans);

FTR_SC_INLINE payload_life *find_life(protocol_state &state, const tlm::tlm_generic_payload &trans)
{
    if (FTR_SC_EXPECTED(state.lives.slots())) {
        payload_life &life = protocol_state::probable_life(trans);
        if (FTR_SC_EXPECTED(life.is_of(trans)))
            return &life;
    }
    return search_life(state, trans);
}

/* Reports violations at the begin of a transaction. */
FTR_SC_COLD void check_set_up(checked_call &call);

/* Reports attributes that have changed since the life began. Each attribute is reported once in a
 * life. */
FTR_SC_COLD void check_attributes(checked_call &call);

/* Stores a checksum of the data that the target of a successful read has returned. */
FTR_SC_INLINE void capture_read_data(payload_life &life)
{
    const payload_snapshot &was = life.snapshot;
    if (was.command == tlm::TLM_READ_COMMAND && was.data && was.answer == tlm::TLM_OK_RESPONSE)
        life.contents = contents_of(was.data, was.data_length);
}

/* Returns whether read data has changed since capture_read_data(). */
template <bool IsWord = false> FTR_SC_INLINE bool is_read_data_changed(const payload_life &life)
{
    const payload_snapshot &was = life.snapshot;
    return was.command == tlm::TLM_READ_COMMAND && was.data && was.answer == tlm::TLM_OK_RESPONSE &&
           __builtin_expect(contents_of<IsWord>(was.data, was.data_length) != life.contents, 0);
}

/* Return whether the data of a write, or the byte enables, have changed since the life began. The
 * pointers must be unchanged. */
template <bool IsWord = false> FTR_SC_INLINE bool is_written_data_changed(const payload_life &life)
{
    const payload_snapshot &was = life.snapshot;
    return was.command == tlm::TLM_WRITE_COMMAND && FTR_SC_EXPECTED(was.data) &&
           __builtin_expect(contents_of<IsWord>(was.data, was.data_length) != life.contents, 0);
}
/* @p Certainly: false: returns true for all payloads with byte enables */
template <bool Certainly = true> FTR_SC_INLINE bool are_enables_changed(const payload_life &life)
{
    const payload_snapshot &was = life.snapshot;
    return __builtin_expect(was.byte_enable != nullptr, 0) &&
           (!Certainly ||
            contents_of(was.byte_enable, was.byte_enable_length) != life.enable_contents);
}
FTR_SC_INLINE bool are_contents_changed(const payload_life &life)
{
    return is_written_data_changed(life) || are_enables_changed(life);
}

/* Returns whether the data of a non-blocking read, answered with @p status, has changed since its
 * first answer. At the first answer, stores a checksum of the data. */
template <bool IsWord = false>
FTR_SC_INLINE bool is_answered_data_changed(payload_life &life, int status)
{
    const payload_snapshot &was = life.snapshot;
    if (was.answer != payload_snapshot::not_answered)
        return status == tlm::TLM_OK_RESPONSE && is_read_data_changed<IsWord>(life);
    if (was.command == tlm::TLM_READ_COMMAND && was.data && status == tlm::TLM_OK_RESPONSE)
        life.contents = contents_of<IsWord>(was.data, was.data_length);
    return false;
}

/* Reports changed contents. Must be called only if no attribute has changed. */
FTR_SC_COLD void check_contents(checked_call &call);

/* Checks the response status when a link is answered. */
FTR_SC_COLD void check_answer(checked_call &call);

} // namespace detail
} // namespace ftr

#endif
