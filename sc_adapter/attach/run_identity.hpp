/* The stream `ftr.run`: identifies the run of a file, and records its end. */
#ifndef FTR_RUN_IDENTITY_HPP
#define FTR_RUN_IDENTITY_HPP

#include <vector>

#include <ftr/systemc_recorder.hpp>

#include "placement.hpp"

namespace ftr
{
namespace attach
{

class run_identity
{
  public:
    /* Records the start, with the sockets and the protocol types of each link that may be
     * recorded. */
    void begin(recorder &rec, bool with_arguments, const std::vector<link_ends> &links);
    /* Records the end: a transaction that lasts from 0 to now, with the exit status and the counts.
     * If the time window has not begun, it is at the begin of the window.
     * Must be called once, while the recorder is still open. */
    void end(recorder &rec, int exit_status);

  private:
    ftr_stream stream_ = 0;
    ftr_tx start_{};
};

} // namespace attach
} // namespace ftr

#endif
