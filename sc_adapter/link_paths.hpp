/* The functions that pass on the calls on a link. Each link has a function for each kind of calls;
 * choose() selects them. */
#ifndef FTR_LINK_PATHS_HPP
#define FTR_LINK_PATHS_HPP

#include <ftr/tlm_link.hpp>

namespace ftr
{
namespace detail
{

struct usual_call;

/* The values of the request of an access that may be different when the access ends. */
struct access_request {
    std::uint64_t address;
    std::uint64_t begin;    /* ticks, with the delay */
    std::uint64_t delay;    /* ticks */
    std::uint64_t identity; /* of the payload; 0 if the link is not checked */
};

enum class checked_payload : unsigned char;

struct link_paths {
    using payload_type = tlm_link::payload_type;
    using phase_type = tlm_link::phase_type;
    using sync_type = tlm::tlm_sync_enum;
    using blocking_if = tlm_link::blocking_if;
    using forward_if = tlm_link::forward_if;
    using backward_if = tlm_link::backward_if;

    /* b_transport. `first`: before anything is recorded. `ignored`: the stream is not recorded.
     * `denying`: clears the DMI hint after the call. `any`: recorded, in all cases. `usual`:
     * recorded, on the fast path if possible. `searched`: the same, for the first accesses, which
     * are searched for extensions. `early`: long before the time window, records only accesses that
     * end in the window. `late`: after the time window. `checked`: checked and perhaps recorded, in
     * all cases. `checked_usual`, `checked_few`: checked and recorded, on the fast path if
     * possible, with 8 bytes or fewer of the data. */
    static void first(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                      blocking_if &target);
    static void ignored(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                        blocking_if &target);
    static void denying(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                        blocking_if &target);
    static void any(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                    blocking_if &target);
    static void usual(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                      blocking_if &target);
    static void searched(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                         blocking_if &target);
    static void early(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                      blocking_if &target);
    static void late(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                     blocking_if &target);
    static void checked(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                        blocking_if &target);
    static void checked_usual(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                              blocking_if &target);
    static void checked_few(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                            blocking_if &target);

    /* nb_transport_fw and nb_transport_bw, with the same meanings; `any` and `checked` also if
     * nothing is recorded. */
    static sync_type any_forward(tlm_link &link, payload_type &trans, phase_type &phase,
                                 sc_core::sc_time &delay, forward_if &target);
    static sync_type any_backward(tlm_link &link, payload_type &trans, phase_type &phase,
                                  sc_core::sc_time &delay, backward_if &initiator);
    static sync_type checked_forward(tlm_link &link, payload_type &trans, phase_type &phase,
                                     sc_core::sc_time &delay, forward_if &target);
    static sync_type checked_backward(tlm_link &link, payload_type &trans, phase_type &phase,
                                      sc_core::sc_time &delay, backward_if &initiator);

    static sync_type checked_usual_forward(tlm_link &link, payload_type &trans, phase_type &phase,
                                           sc_core::sc_time &delay, forward_if &target);
    static sync_type checked_usual_backward(tlm_link &link, payload_type &trans, phase_type &phase,
                                            sc_core::sc_time &delay, backward_if &initiator);

    static void end_access(tlm_link &link, ftr_tx tx, const payload_type &trans, bool is_read,
                           std::uint64_t begin, std::uint64_t end);

    /* Selects the functions of a link. */
    static void choose(tlm_link &link);

  private:
    /* Forwards a call on the general paths: clears the DMI hint if DMI is denied. */
    static sync_type call_target(const tlm_link &link, payload_type &trans, phase_type &phase,
                                 sc_core::sc_time &delay, forward_if &target)
    {
        const bool may_answer = link.settings().denies_dmi && phase == tlm::BEGIN_REQ;
        const tlm::tlm_sync_enum sync = target.nb_transport_fw(trans, phase, delay);
        /* After TLM_ACCEPTED, the DMI hint is not cleared here: the response comes with a backward
         * call, which clears the hint. */
        if (may_answer && sync != tlm::TLM_ACCEPTED)
            trans.set_dmi_allowed(false);
        return sync;
    }
    static void enter_window(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                             blocking_if &target);
    static void record_late(tlm_link &link, const payload_type &trans,
                            const access_request &request, std::uint64_t end);
    template <checked_payload Payload>
    static void checked_soon(tlm_link &link, payload_type &trans, sc_core::sc_time &delay,
                             blocking_if &target);
    static sync_type usual_forward(tlm_link &link, payload_type &trans, phase_type &phase,
                                   sc_core::sc_time &delay, forward_if &target);
    static sync_type searched_forward(tlm_link &link, payload_type &trans, phase_type &phase,
                                      sc_core::sc_time &delay, forward_if &target);
    static sync_type usual_backward(tlm_link &link, payload_type &trans, phase_type &phase,
                                    sc_core::sc_time &delay, backward_if &initiator);
    template <unsigned Number, class Forward>
    static sync_type forward_phase(tlm_link &link, const payload_type &trans,
                                   const phase_type &phase, const sc_core::sc_time &delay,
                                   phased_access &access, Forward forward);
    template <class Forward>
    static sync_type pass_any(tlm_link &link, tlm_path path, const payload_type &trans,
                              const phase_type &phase, const sc_core::sc_time &delay,
                              Forward forward);
    template <unsigned Phase, bool IsWord, class Interface>
    static sync_type checked_phase(tlm_link &link, payload_type &trans, phase_type &phase,
                                   sc_core::sc_time &delay, Interface &receiver);
    template <unsigned Phase>
    static phased_access *record_usual(tlm_link &link, const payload_type &trans,
                                       std::uint64_t effective, std::uint64_t delay);
    template <unsigned Phase, class Interface>
    static sync_type forward_checked(tlm_link &link, payload_type &trans, phase_type &phase,
                                     sc_core::sc_time &delay, Interface &receiver,
                                     phased_access *access);
    template <bool IsWord>
    static sync_type checked_request(tlm_link &link, payload_type &trans, phase_type &phase,
                                     sc_core::sc_time &delay, forward_if &target);
    template <bool IsWord>
    static sync_type checked_response(tlm_link &link, payload_type &trans, phase_type &phase,
                                      sc_core::sc_time &delay, backward_if &initiator);
    static sync_type checked_other_hop(tlm_link &link, payload_type &trans, phase_type &phase,
                                       sc_core::sc_time &delay, forward_if &target);
    static sync_type checked_other_hop(tlm_link &link, payload_type &trans, phase_type &phase,
                                       sc_core::sc_time &delay, backward_if &initiator);
    static void end_checked(const tlm_link &link, const payload_type &trans, const usual_call &call,
                            unsigned number, tlm::tlm_sync_enum sync, unsigned phase,
                            std::uint64_t delay);
    static sync_type checked_any(tlm_link &link, payload_type &trans, phase_type &phase,
                                 sc_core::sc_time &delay, forward_if &target);
    static sync_type checked_any(tlm_link &link, payload_type &trans, phase_type &phase,
                                 sc_core::sc_time &delay, backward_if &initiator);
    template <class Forward>
    static sync_type pass_checked(tlm_link &link, tlm_path path, const payload_type &trans,
                                  const phase_type &phase, const sc_core::sc_time &delay,
                                  Forward forward);
    template <class Forward>
    static sync_type checked_call(tlm_link &link, tlm_path path, const payload_type &trans,
                                  const phase_type &phase, const sc_core::sc_time &delay,
                                  Forward forward);
    static sync_type usual_request(tlm_link &link, payload_type &trans, phase_type &phase,
                                   sc_core::sc_time &delay, forward_if &target);
    template <class Interface>
    static sync_type other_access(tlm_link &link, payload_type &trans, phase_type &phase,
                                  sc_core::sc_time &delay, Interface &receiver,
                                  tlm_link::nonblocking_path<Interface> usual,
                                  tlm_link::nonblocking_path<Interface> any);
};

} // namespace detail
} // namespace ftr

#endif
