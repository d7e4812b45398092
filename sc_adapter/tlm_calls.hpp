/* State shared by all TLM links of one recorder: the texts of TLM's enumerations, the kinds of
 * relation, and the open accesses. */
#ifndef FTR_TLM_CALLS_HPP
#define FTR_TLM_CALLS_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include <ftr/tlm_link.hpp>

#include "active_calls.hpp"
#include "payload_hops.hpp"
#include "tlm_names.hpp"

namespace ftr
{
namespace detail
{

/* Texts for the values of an enumeration. */
template <class Enum> struct tlm_texts {
    static constexpr unsigned count = 8;
    ftr_text texts[count]; /* in the order of tlm_names; unused: the text for invalid values */

    ftr_text of(int value) const
    {
        const auto index = static_cast<unsigned>(value - tlm_names<Enum>::first);
        return texts[FTR_SC_EXPECTED(index < count) ? index : count - 1];
    }
};

/* Texts for the values of all enumerations. */
struct tlm_value_texts {
    tlm_texts<tlm::tlm_command> commands;
    tlm_texts<tlm::tlm_gp_option> options;
    tlm_texts<tlm::tlm_response_status> responses;
    tlm_texts<tlm::tlm_sync_enum> syncs;
    tlm_texts<tlm::tlm_phase_enum> phases; /* tlm_step has the same numbers */
    tlm_texts<tlm::tlm_dmi::dmi_access_e> dmi_accesses;
};

/* The state of a non-blocking access. */
struct phased_access : open_access {
    phased_access *next_free;
    std::uint64_t serial;     /* different for each access in this object */
    std::uint64_t phase_time; /* ticks: effective time of the last phase */
    unsigned command;         /* a tlm::tlm_command; 2 also for invalid commands */
    unsigned phase;           /* the last phase: BEGIN_REQ, END_REQ or BEGIN_RESP */
    bool is_mixed; /* began while a b_transport call had the same payload; only of general steps */
};

extern FTR_SC_HIDDEN phased_access no_access; /* has no payload */

/* State shared by the links of one recorder. Never destroyed: calls may last until the process
 * ends. */
class tlm_calls : public active_calls
{
  public:
    /* Returns the state that the links of a session share. The first call creates it. */
    static tlm_calls &of(session &shared);

    /* Calls @p visit with each call that the links of any session record. */
    static void visit_all(const std::function<void(tlm_call &)> &visit);

    /* Returns whether a call is inside a call with the same payload on another link, and no later
     * access has this payload. Such a call is not in a list of open_payloads: it is found through
     * the outer call, which is the access of the hop before. */
    bool is_nested(const tlm_call &call) const
    {
        return FTR_SC_EXPECTED(call.outer->payload == call.payload &&
                               call.outer->link != call.link && mixed_count_ == 0);
    }
    /* Lists a call that is not nested. Returns the access of the hop before, or NULL. */
    open_access *list(tlm_call &call)
    {
        call.is_listed = true;
        open_access *const list = payloads.add(call);
        open_access *const before =
            list ? open_payloads::on_other_link(list, call.payload, call.link) : nullptr;
        return before ? before : forwarded_within(enclosing(call), process_of(call));
    }
    /* Ends the innermost call of a process. */
    void leave(tlm_call &call)
    {
        unlist(call);
        active_calls::leave(call);
    }
    /* Ends any call. */
    void remove(tlm_call &call)
    {
        unlist(call);
        active_calls::remove(call);
    }

    /* Returns an unused object for the next non-blocking access. NULL: there is none, and @p make
     * is false. */
    phased_access *unused_phased(bool make = false)
    {
        if (make && !free_phased_)
            free_phased_ = new phased_access();
        return free_phased_;
    }
    /* Begins a non-blocking access in the object that unused_phased() returned. */
    void enter_phased(phased_access &access)
    {
        free_phased_ = access.next_free;
        payloads.add(access);
    }
    void leave_phased(phased_access &access)
    {
        payloads.remove(access);
        ++access.serial;
        access.payload = nullptr;
        access.next_free = free_phased_;
        free_phased_ = &access;
    }

    /* Mark an access that begins as mixed, and undo this when it ends. */
    void mix(phased_access &access)
    {
        access.is_mixed = open_payloads::has_blocking(payloads.list_of(access.payload), access);
        mixed_count_ += access.is_mixed;
    }
    void unmix(phased_access &access)
    {
        mixed_count_ -= access.is_mixed;
        access.is_mixed = false;
    }

    /* Notes that the call with BEGIN_REQ of @p access (NULL: none) is being forwarded. Returns the
     * access that was noted before; after the call, the caller notes this access again. */
    phased_access *forward(phased_access *access, const void *process)
    {
        phased_access *const before = forwarded_;
        forwarded_ = access;
        forwarding_ = process;
        return before;
    }
    /* Returns the access whose BEGIN_REQ @p process is forwarding, or NULL. */
    open_access *forwarded_by(const void *process) const
    {
        return forwarded_ && forwarded_->payload && forwarding_ == process ? forwarded_ : nullptr;
    }
    /* Returns the innermost access that @p process is forwarding, by b_transport or by BEGIN_REQ;
     * NULL: none. @p call: its innermost b_transport call, or NULL. The ids of transactions
     * increase. */
    open_access *forwarded_within(tlm_call *call, const void *process) const
    {
        open_access *const forwarded = forwarded_by(process);
        return !forwarded || (call && call->open.id > forwarded->open.id) ? call : forwarded;
    }

    ftr_text text(const std::string &name);
    ftr_text text_of(const tlm_phase_view &phase)
    {
        return FTR_SC_EXPECTED(phase.step != tlm_step::other)
                   ? names.phases.of(static_cast<int>(phase.step))
                   : text(phase.name);
    }

    /* Ends all open transactions of @p link as unfinished. NULL: of all links. */
    void give_up(const tlm_link *link);
    /* end one access as unfinished; these pointers are set by the first link */
    void (*abandon)(tlm_call &) = nullptr;
    void (*give_up_phased)(phased_access &) = nullptr;
    void (*choose_paths)(tlm_link &) = nullptr; /* link_paths::choose() */
    std::uint64_t early_until = 0;              /* ticks: end of the use of link_paths::early() */

    session &shared;
    tlm_value_texts names;       /* for example tlm::TLM_OK_RESPONSE */
    tlm_value_texts short_names; /* for example OK */
    ftr_relation parent_child = 0;
    ftr_relation predecessor_successor = 0;
    open_payloads payloads;
    payload_hops hops; /* for the form tlm_form::calls */

  private:
    explicit tlm_calls(session &of);
    void unlist(tlm_call &call)
    {
        if (!call.is_listed)
            return;
        payloads.remove(call);
        call.is_listed = false;
    }
    template <class Enum> void define(tlm_texts<Enum> &texts, tlm_texts<Enum> &short_texts);

    phased_access *free_phased_ = nullptr;
    phased_access *forwarded_ = nullptr;
    const void *forwarding_ = nullptr; /* the process of `forwarded_` */
    std::size_t mixed_count_ = 0;      /* number of mixed accesses */
    std::unordered_map<std::string, ftr_text> texts_;
};

/* Returns the running process, or NULL. */
inline const void *running_process()
{
    sc_core::sc_simcontext *context = sc_core::sc_curr_simcontext;
    return context ? context->get_curr_proc_info()->process_handle : nullptr;
}

} // namespace detail
} // namespace ftr

#endif
