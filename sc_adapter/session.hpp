/* The private members of a session. Public headers declare only its first two members. */
#ifndef FTR_SESSION_HPP
#define FTR_SESSION_HPP

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <ftr/detail/systemc_session.hpp>

namespace ftr
{
namespace detail
{

/** A transaction that ends at `time` if the simulation continues, and is unfinished otherwise. */
struct abandoned {
    ftr_tx tx;
    std::uint64_t time;
};

/** The state that determines the valve. `mutex` protects the members that are declared after it.
 * The mutex is never held during calls of the core, because the core may report a failure on
 * another thread, and the callback for reports locks the mutex. */
struct session_state : session {
    std::atomic<bool> has_failed{false}; /**< a failure was reported */
    std::mutex mutex;
    bool is_switched_on = true;
    bool is_closed = false;
    bool is_scale_known = false;
    bool is_flight = false;   /**< a flight recorder, which must know of each late transaction */
    bool is_late = false;     /**< the simulation has passed the end of the time window */
    bool was_stopped = false; /**< the simulation was stopped because of a failure */
    bool is_strict = false;   /**< FTR_STRICT=1 */
    bool is_verbose = false;  /**< FTR_VERBOSE=1 */
    std::string path;         /**< path of the trace, from the environment or the caller */
    std::string summary;      /**< path of the summary, from the environment */
    /** the thread that opened the session: the only one that may call SystemC */
    std::thread::id simulation;
    /** open transactions whose objects were destroyed while the simulation was paused */
    std::vector<abandoned> paused;
    session_state *next = nullptr; /**< list of all sessions, so that they stay reachable */
};

} // namespace detail
} // namespace ftr

#endif
