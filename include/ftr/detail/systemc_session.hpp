/** @file
 *  The SystemC adapter's state for one recorder: it decides whether a beginning transaction is
 *  recorded, and gives access to SystemC's time. Included by <ftr/systemc.hpp>; not for direct
 *  use. */
#ifndef FTR_SYSTEMC_SESSION_HPP
#define FTR_SYSTEMC_SESSION_HPP

#include <atomic>
#include <cstdint>

#include <ftr/recorder.h>

#include <systemc>

/** Marks symbols that the adapter's library exports. */
#define FTR_SC_API __attribute__((visibility("default")))
/** Marks slow paths, which must not slow down recorded transactions. */
#define FTR_SC_COLD __attribute__((cold, noinline))
/** Marks functions that must be inlined, because a call would cost more than the body. */
#define FTR_SC_INLINE __attribute__((always_inline)) inline
#define FTR_SC_EXPECTED(condition) __builtin_expect(static_cast<bool>(condition), 1)

namespace ftr
{
namespace detail
{

/** The state that a beginning transaction checks. */
enum class gate : unsigned char {
    off,       /**< nothing is recorded: no recorder, switched off, closed */
    on,        /**< recorded */
    attention, /**< recorded, after attend() has done its work */
};

/** The adapter's view of one recorder. Sessions are never freed, so that streams and transactions
 *  may outlive their recorder in any order of destruction. */
struct session {
    std::atomic<gate> state;
    ftr_recorder *recorder; /**< NULL in the session of recorders that could not be opened */
};

/** The session of everything that is not recorded. Constant-initialised, so that static objects of
 *  any translation unit may use it. */
extern FTR_SC_API session off_session;

/** Returns the session of the default recorder, opened by the first caller from the environment;
 *  off_session if FTR_TRACE is unset. Never NULL. */
FTR_SC_API session *default_session();

/** Opens @p path. Reports a failure on stderr. @p status is set to the result; on an error the
 *  session is off_session. */
FTR_SC_API session *open_session(const char *path, const ftr_recorder_options &options,
                                 ftr_status &status);

/** Closes a session's recorder; the session is off from then on. */
FTR_SC_API ftr_status close_session(session &closed);

/** Switches a session on or off; a closed one stays off. */
FTR_SC_API ftr_status switch_session(session &switched, bool on);

/** Handles gate::attention: sets the recorder's time resolution once it is known, or ends a strict
 * simulation after a failure to record.
 * @param ticks a time that the caller received; if not 0, it proves that the resolution is fixed
 * @return true if transactions are still recorded */
FTR_SC_API FTR_SC_COLD bool attend(session &attended, std::uint64_t ticks);

/** Reports that the definition of @p what with name @p name failed. */
FTR_SC_API FTR_SC_COLD void report_failure(const char *what, const char *name, ftr_status status);

/** Ends a transaction that is destroyed while open. */
FTR_SC_API void end_abandoned(ftr_recorder *rec, ftr_tx tx);

/** Puts the relation of an event @p event to its @p parent, like ftr_tx_event(). */
FTR_SC_API void relate_event(ftr_recorder *rec, ftr_tx parent, ftr_tx event);

/** Returns the simulation's time in ticks of its resolution; 0 without a simulation, for example in
 *  the destructors of static objects. Two loads, whereas the kernel's accessor is a call into its
 *  library. */
FTR_SC_INLINE std::uint64_t now()
{
    const sc_core::sc_simcontext *context = sc_core::sc_curr_simcontext;
    return FTR_SC_EXPECTED(context) ? context->time_stamp().value() : 0;
}

/** Returns the recorder of a session that recorded a transaction: never NULL, which compilers
 * cannot know. */
FTR_SC_INLINE ftr_recorder *recorder_of(const session &entered)
{
    ftr_recorder *const rec = entered.recorder;
    if (!rec)
        __builtin_unreachable();
    return rec;
}

/** Returns true if a transaction that begins now is recorded. */
FTR_SC_INLINE bool passes(session &entered)
{
    const gate state = entered.state.load(std::memory_order_relaxed);
    if (state == gate::off)
        return false;
    return FTR_SC_EXPECTED(state == gate::on) || attend(entered, 0);
}

/** The same for a transaction with a time from the user. */
FTR_SC_INLINE bool passes(session &entered, std::uint64_t ticks)
{
    const gate state = entered.state.load(std::memory_order_relaxed);
    if (state == gate::off)
        return false;
    return FTR_SC_EXPECTED(state == gate::on) || attend(entered, ticks);
}

} // namespace detail
} // namespace ftr

#endif
