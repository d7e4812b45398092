/** @file
 *  What the SystemC adapter keeps of one recorder: whether a transaction that begins now is
 *  recorded, and the way to SystemC's time. Included by <ftr/systemc.hpp>; not for direct use. */
#ifndef FTR_SYSTEMC_SESSION_HPP
#define FTR_SYSTEMC_SESSION_HPP

#include <atomic>
#include <cstdint>

#include <ftr/recorder.h>

#include <systemc>

/** Marks what the adapter's library exports. */
#define FTR_SC_API __attribute__((visibility("default")))
/** Marks what the path of a recorded transaction must not pay for. */
#define FTR_SC_COLD __attribute__((cold, noinline))
/** Marks what must vanish at its call: a call of its own would cost more than its body. */
#define FTR_SC_INLINE __attribute__((always_inline)) inline
#define FTR_SC_EXPECTED(condition) __builtin_expect(static_cast<bool>(condition), 1)

namespace ftr
{
namespace detail
{

/** The one thing a transaction that begins looks at. */
enum class gate : unsigned char {
    off,       /**< nothing is recorded: no recorder, switched off, closed */
    on,        /**< recorded */
    attention, /**< recorded, after attend() has done what is due */
};

/** One recorder as the adapter sees it. Sessions are never freed, so that streams and transactions
 *  may outlive their recorder in any order of destruction. */
struct session {
    std::atomic<gate> state;
    ftr_recorder *recorder; /**< NULL for the session of recorders that could not be had */
};

/** The session of everything that is not recorded. Constant-initialised: static objects of any
 *  translation unit may use it. */
extern FTR_SC_API session off_session;

/** The session of the default recorder, opened as the environment asks by the first caller;
 *  off_session when FTR_TRACE is unset. Never NULL. */
FTR_SC_API session *default_session();

/** Opens @p path. A failure is said on stderr. @p status tells how it went; the result is
 *  off_session when it went wrong. */
FTR_SC_API session *open_session(const char *path, const ftr_recorder_options &options,
                                 ftr_status &status);

/** Closes a session's recorder. Off it is from then on. */
FTR_SC_API ftr_status close_session(session &closed);

/** Switches a session on or off; a closed one stays off. */
FTR_SC_API ftr_status switch_session(session &switched, bool on);

/** Does what is due when the gate says attention: tells the recorder the time resolution once it
 * can be known, or ends a strict simulation whose recording has failed.
 *  @param ticks a time the caller was given; not 0, it proves that the resolution is settled
 *  @return whether transactions are still recorded */
FTR_SC_API FTR_SC_COLD bool attend(session &attended, std::uint64_t ticks);

/** Says that defining @p what named @p name failed. */
FTR_SC_API FTR_SC_COLD void complain(const char *what, const char *name, ftr_status status);

/** Ends a transaction that is destroyed open. */
FTR_SC_API void end_forgotten(ftr_recorder *rec, ftr_tx tx);

/** Puts the relation that makes @p event one of @p parent, as ftr_tx_event() does. */
FTR_SC_API void relate_event(ftr_recorder *rec, ftr_tx parent, ftr_tx event);

/** The simulation's time in ticks of its resolution; 0 without a simulation, as in the destructors
 *  of static objects. The kernel's own accessor is a call into its library, this is two loads. */
FTR_SC_INLINE std::uint64_t now()
{
    const sc_core::sc_simcontext *context = sc_core::sc_curr_simcontext;
    return FTR_SC_EXPECTED(context) ? context->time_stamp().value() : 0;
}

/** The recorder of a session that let a transaction pass: never NULL, which compilers cannot know.
 */
FTR_SC_INLINE ftr_recorder *recorder_of(const session &entered)
{
    ftr_recorder *const rec = entered.recorder;
    if (!rec)
        __builtin_unreachable();
    return rec;
}

/** Whether a transaction that begins now is recorded. */
FTR_SC_INLINE bool passes(session &entered)
{
    const gate state = entered.state.load(std::memory_order_relaxed);
    if (state == gate::off)
        return false;
    return FTR_SC_EXPECTED(state == gate::on) || attend(entered, 0);
}

/** The same where the user gave a time. */
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
