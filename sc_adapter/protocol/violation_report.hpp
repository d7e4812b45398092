/* Reports violations. The first violation of a rule on a link causes a line on stderr or an
 * SC_REPORT. Each violation is recorded as a transaction in stream ftr.protocol. A violation with
 * severity error marks the recording as failed. Counts are printed at the end of the run. */
#ifndef FTR_VIOLATION_REPORT_HPP
#define FTR_VIOLATION_REPORT_HPP

#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "reported_link.hpp"

namespace ftr
{
namespace detail
{

/* The stream ftr.protocol of one recording. */
struct violation_stream {
    ftr_generator of[2]; /* index: rule_severity; 0: not recorded */
    ftr_relation violation;
};

class violation_report : public violation_sink
{
  public:
    explicit violation_report(tlm_protocol_check mode);

    void report(violation &broken) override;
    void act() override;
    void inspect() override;

    /* Adds a link to the counts, and defines the stream ftr.protocol if the link is recorded. The
     * stream is also defined in traces without violations, so that conditions of `ftr stats` and
     * `ftr gate` can refer to it. */
    void add(reported_link &link);
    const violation_stream &stream_of(const session &recorded);
    protocol_state &state() { return state_; }

    /* Returns the report of this process. */
    static violation_report &of(tlm_protocol_check mode);

  private:
    struct due_report {
        rule_severity severity;
        std::string message;
    };

    void record(violation &broken);
    void summarize() const;
    static void at_exit();

    const tlm_protocol_check mode_;
    const pid_t owner_; /* a forked child reports nothing */
    protocol_state state_;
    std::vector<reported_link *> links_;
    std::map<const session *, violation_stream> streams_;
    std::vector<due_report> due_;
    /* the session whose recording act() must mark as failed; NULL: none */
    session *triggered_ = nullptr;
};

} // namespace detail
} // namespace ftr

#endif
