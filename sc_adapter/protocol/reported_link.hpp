/* A checked link of the adapter, with the recording to which its violations are written. */
#ifndef FTR_REPORTED_LINK_HPP
#define FTR_REPORTED_LINK_HPP

#include <ftr/tlm_link.hpp>

#include "link_check.hpp"

namespace ftr
{
namespace detail
{

class reported_link : public link_check
{
  public:
    /* Creates the check of a new link; it is never destroyed. NULL: the attach plug-in checks the
     * sockets of this process, and @p link does not belong to it. */
    static reported_link *make(const tlm_link &link, session &recorded);

    session &recording() const { return recorded_; }

    /* Puts the relation from a recorded transaction to each violation that was found in it. */
    void relate(const found_violations &found, ftr_tx broken_by) const;

    /* Allows calls to be made where they are not observed. */
    void expect_unseen_calls() { has_unseen_calls_ = true, sees_answers = false; }
    void expect_answers() { sees_answers = !has_unseen_calls_; }

    bool has_blocking_call(std::uint64_t identity) const override;

    std::uint64_t blocking = 0; /* identity in the latest b_transport call without recording */

  private:
    reported_link(protocol_state &shared, const tlm_link &link, session &recorded)
        : link_check(shared, link.name()), link_(link), recorded_(recorded)
    {
    }

    const tlm_link &link_;
    session &recorded_;
    bool has_unseen_calls_ = false;
};

} // namespace detail
} // namespace ftr

#endif
