/* The rules of DMI and of debug transport on one link. These calls do not wait, so the checker
 * needs no life for their payloads. */
#ifndef FTR_MEMORY_CHECK_HPP
#define FTR_MEMORY_CHECK_HPP

#include "link_check.hpp"

namespace ftr
{
namespace detail
{

/* Checks a call of get_direct_mem_ptr or transport_dbg. Constructed before the call is forwarded
 * and used until the call has returned. found() returns the violations. */
class memory_check
{
  public:
    /* @p dmi: NULL for transport_dbg */
    memory_check(link_check &link, const tlm::tlm_generic_payload &trans, const tlm::tlm_dmi *dmi);
    memory_check(const memory_check &) = delete;
    memory_check &operator=(const memory_check &) = delete;
    ~memory_check();

    void end_dmi(const tlm::tlm_dmi &dmi, bool granted);
    void end_debug(unsigned transported);

    const found_violations &found() const { return found_; }

  private:
    void check_start(const tlm::tlm_dmi *dmi);
    void check_descriptor(const tlm::tlm_dmi &dmi);
    void check_grant(const tlm::tlm_dmi &dmi);
    void check_overlap(const dmi_region &region);
    void check_request(const memory_request &was, bool may_accept);
    template <class Check> void report_once(Check check);

    found_violations found_;
    checked_call call_;
    const memory_request request_; /* the request as it was passed to this link */
    const std::uint64_t deltas_;   /* number of delta cycles before the call */
    const bool is_debug_;
    const bool is_outermost_; /* this is the first link that the payload passes */
};

/* Checks the range of a DMI invalidation on a link, and removes the grants that overlap this
 * range. */
void check_invalidation(link_check &link, std::uint64_t start, std::uint64_t end);

} // namespace detail
} // namespace ftr

#endif
