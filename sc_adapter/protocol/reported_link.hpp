/* A checked link as the adapter has it: with the recording that violations go to. */
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
    /* The check of a new link, which lives as long as the process. NULL: the attach plug-in checks
     * the sockets of this process, and @p link is not one of its own. */
    static reported_link *make(const tlm_link &link, session &recorded);

    session &recording() const { return recorded_; }

    /* Puts the relation from a recorded transaction to each violation that was found in it. */
    void relate(const checked_call &call, ftr_tx broken_by) const;

    /* Allows calls to be made where they are not observed. */
    void expect_unseen_calls() { has_unseen_calls_ = true, sees_answers = false; }
    void expect_answers() { sees_answers = !has_unseen_calls_; }

  private:
    reported_link(protocol_state &shared, const std::string &link, session &recorded)
        : link_check(shared, link), recorded_(recorded)
    {
    }

    session &recorded_;
    bool has_unseen_calls_ = false;
};

/* Set by the attach plug-in: this copy of the adapter is the one that checks. */
extern bool is_attach_plugin;

} // namespace detail
} // namespace ftr

#endif
