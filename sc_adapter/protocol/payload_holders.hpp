/* Finds a payload that two initiators send at once. A b_transport call that begins while another
 * b_transport call with the same payload is active passes the payload on if it is nested in the
 * other call. Otherwise a process of an interconnect may pass the payload on while the caller
 * waits, and the modules of the sockets decide: an interconnect passes a payload on as often as it
 * has received it. */
#ifndef FTR_PAYLOAD_HOLDERS_HPP
#define FTR_PAYLOAD_HOLDERS_HPP

#include <string>
#include <vector>

#include "active_calls.hpp"
#include "link_check.hpp"

namespace ftr
{
namespace detail
{

/* The functions are called only if a payload is in several calls at once, or if a call is not
 * recorded or inspected. */
class payload_holders
{
  public:
    /* Returns the calls on checked links that are not recorded. */
    static active_calls &unrecorded();

    /* Returns whether a b_transport call of the life @p identity is active on a link. */
    static bool has_call(const link_check &link, std::uint64_t identity);

    /* Returns the life of @p found's payload to which a call of the running process on @p link
     * belongs. @p found: the life in the table, which is handed over */
    static payload_life &choose_life(const link_check &link, payload_life &found);

    /* Enters a call while another b_transport call with the same payload has not returned.
     * @p call: does not have the identity of this life yet.
     * @p outer: the enclosing call of the same process, or NULL. @p shared [out]: describes the
     * violation; unchanged if there is none
     * @return the life of the call: @p life, or an unused one that the caller must begin */
    static payload_life &enter(const link_check &link, tlm_call &call, payload_life &life,
                               const tlm_call *outer, std::string &shared);

    /* Reports the violation of a call, after the life that enter() returned has begun. */
    static void report_entry(link_check &link, payload_life &life,
                             const tlm::tlm_generic_payload &trans, const ftr_tx &tx,
                             std::string shared);

    /* Ends the watch of a call that returns. If a doubtful call with the same payload has begun
     * during this call, and has not returned, reports that the payload is shared. A call is
     * doubtful if the modules of the sockets show neither that it passes the payload on, nor that
     * another initiator has made it. */
    static void check_return(link_check &link, payload_life &life,
                             const tlm::tlm_generic_payload &trans, tlm_call &call);

  private:
    struct holder {
        tlm_call *call;
        const link_check *link;
    };
    enum class relation { passed_on, doubtful, shared };

    template <class Visit> static void visit_checked(Visit visit);
    static std::vector<holder> holders_of(const payload_life &life, const tlm_call *except);
    static relation judge(const link_check &link, const std::vector<holder> &holders,
                          bool is_nested, const holder *&other);
    static std::string describe(const holder &of);

    static std::uint64_t doubts_; /* number of doubtful calls so far */
};

} // namespace detail
} // namespace ftr

#endif
