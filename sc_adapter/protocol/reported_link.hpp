/* A checked link of the adapter, with the recording to which its violations are written. */
#ifndef FTR_REPORTED_LINK_HPP
#define FTR_REPORTED_LINK_HPP

#include <ftr/tlm_link.hpp>

#include "link_check.hpp"
#include "tlm_calls.hpp"

namespace ftr
{
namespace detail
{

class reported_link : public link_check
{
  public:
    /* Creates the checker of a new link. The checker is never destroyed. Returns NULL if the attach
     * plug-in checks all links of this process and @p link is not one of the plug-in's. */
    static reported_link *make(tlm_link &link, session &recorded);
    /* The link is destroyed. */
    void detach() { link_ = nullptr; }

    session &recording() const { return recorded_; }
    tlm_form form() const { return form_; }

    /* Puts a relation from the transaction @p broken_by to each violation in @p found. */
    void relate(const found_violations &found, ftr_tx broken_by) const;

    /* Notes that calls on this link may bypass the observers: answers are no longer expected. */
    void expect_unseen_calls() { has_unseen_calls_ = true, sees_answers = false; }
    void expect_answers() { sees_answers = !has_unseen_calls_; }

    /* Inspects the next calls of b_transport, as at the start of the run. */
    void inspect()
    {
        to_inspect = inspections;
        if (link_)
            link_->calls_->choose_paths(*link_);
    }

    bool has_blocking_call(std::uint64_t identity) const override;

  private:
    reported_link(protocol_state &shared, tlm_link &link, session &recorded)
        : link_check(shared, link.name()), link_(&link), recorded_(recorded),
          form_(link.settings().form)
    {
    }

    tlm_link *link_; /* NULL: destroyed */
    session &recorded_;
    const tlm_form form_;
    bool has_unseen_calls_ = false;
};

} // namespace detail
} // namespace ftr

#endif
