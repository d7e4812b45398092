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
        return texts[index < count ? index : count - 1];
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
    enum class state : unsigned char { request, request_ended, response };

    phased_access *next_free;
    std::uint64_t serial;         /* different for each access; never 0 */
    std::uint64_t response_begin; /* ticks */
    std::uint64_t phase_time;     /* ticks: time of the last phase, at least `begin` */
    ftr_text phase;               /* name of the last phase */
    unsigned command;             /* a tlm::tlm_command; 2 also for invalid commands */
    state in;
    bool has_phase; /* the last item of the open transaction is the last phase */
};

/* State shared by the links of one recorder. Never destroyed: calls may last until the process
 * ends. */
class tlm_calls : public active_calls
{
  public:
    /* Returns the state that the links of a session share. The first call creates it. */
    static tlm_calls &of(session &shared);

    /* Calls @p visit with each call that the links of any session record. */
    static void visit_all(const std::function<void(tlm_call &)> &visit);

    /* Begins a call, after active_calls::enter(). Returns the latest other access with its payload
     * on another link, or NULL. */
    open_access *add(tlm_call &call)
    {
        tlm_call *const outer = enclosing(call);
        if (FTR_SC_EXPECTED(outer && outer->payload == call.payload && outer->link != call.link &&
                            phased_count_ == 0)) {
            call.outer = outer;
            call.outermost = outer->outermost;
            outer->outermost->innermost = &call;
            return outer;
        }
        call.outermost = call.innermost = &call;
        return open_payloads::on_other_link(payloads.add(call), call.payload, call.link);
    }
    /* Ends a call. */
    void leave(tlm_call *call)
    {
        if (call->outermost == call)
            payloads.remove(*call);
        else
            call->outermost->innermost = call->outer;
        active_calls::leave(call);
    }

    /* Begins and ends a non-blocking access. */
    phased_access &enter_phased()
    {
        phased_access *access = free_phased_;
        if (FTR_SC_EXPECTED(access))
            free_phased_ = access->next_free;
        else
            access = new phased_access();
        access->serial = ++serials_;
        ++phased_count_;
        return *access;
    }
    void leave_phased(phased_access &access)
    {
        payloads.remove(access);
        --phased_count_;
        access.payload = nullptr;
        access.next_free = free_phased_;
        free_phased_ = &access;
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
    /* end one access as unfinished; set by the first link */
    void (*abandon)(tlm_call &) = nullptr;
    void (*give_up_phased)(phased_access &) = nullptr;

    session &shared;
    tlm_value_texts names;       /* for example tlm::TLM_OK_RESPONSE */
    tlm_value_texts short_names; /* for example OK */
    ftr_relation parent_child = 0;
    ftr_relation predecessor_successor = 0;
    open_payloads payloads;
    payload_hops hops; /* for the form tlm_form::calls */

  private:
    explicit tlm_calls(session &of);
    template <class Enum> void define(tlm_texts<Enum> &texts, tlm_texts<Enum> &short_texts);

    phased_access *free_phased_ = nullptr;
    phased_access *forwarded_ = nullptr;
    const void *forwarding_ = nullptr; /* the process of `forwarded_` */
    std::uint64_t serials_ = 0;
    std::size_t phased_count_ = 0; /* number of open accesses in phases */
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
