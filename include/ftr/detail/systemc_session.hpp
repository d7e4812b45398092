/** @file
 *  The SystemC adapter's state for one recorder. The state determines whether a transaction that
 *  begins is recorded. This header also gives access to SystemC's time. Included by
 *  <ftr/systemc.hpp>; not for direct use. */
#ifndef FTR_SYSTEMC_SESSION_HPP
#define FTR_SYSTEMC_SESSION_HPP

#include <atomic>
#include <cstdint>

#include <ftr/detail/inline_macros.h>
#include <ftr/recorder.h>

#include <systemc>

/** Marks symbols that the adapter's library exports. */
#define FTR_SC_API __attribute__((visibility("default")))
/** Marks variables that only the library uses. They are accessed without the indirection that
 * exported variables need. */
#define FTR_SC_HIDDEN __attribute__((visibility("hidden")))
/** Marks functions for rare cases, so that they do not slow down the frequent ones. */
#define FTR_SC_COLD __attribute__((cold, noinline))
/** Marks functions that must be inlined, because a call would cost more than the function
 * itself. */
#define FTR_SC_INLINE __attribute__((always_inline)) inline
#define FTR_SC_EXPECTED(condition) __builtin_expect(static_cast<bool>(condition), 1)

namespace ftr
{
namespace detail
{

/** The state of a session, which is checked when a transaction begins. */
enum class valve : unsigned char {
    off,       /**< nothing is recorded: there is no recorder, or it is switched off or closed */
    on,        /**< transactions are recorded */
    attention, /**< attend() must be called, and returns whether transactions are recorded */
};

/** The state that generators check. The first state is below 0, so that a single test of the state
 *  finds the two most frequent ones. */
enum entry : signed char {
    entry_off = -1,     /**< nothing is recorded: see valve::off */
    entry_on = 0,       /**< transactions are recorded */
    entry_windowed = 1, /**< whole transactions are compared with the time window */
    entry_late = 2,     /**< the current time is after the time window */
    entry_attention = 3 /**< attend() must be called: see valve::attention */
};

/** The adapter's object for one recorder. Sessions are never freed, so streams and transactions may
 *  be destroyed before or after their recorder. */
struct session {
    constexpr session()
        : state(valve::off), begins(entry_off), wholes(entry_off), recorder(nullptr), start(0),
          stop(UINT64_MAX), filtered(0)
    {
    }

    std::atomic<valve> state;
    /** for transactions that begin: on, late, attention or off; for whole transactions: on,
     * windowed, attention or off. Changed by the library only. */
    entry begins;
    entry wholes;
    ftr_recorder *recorder; /**< NULL in off_session */
    /** the time window in ticks, with entry_late and entry_windowed; otherwise 0 and UINT64_MAX */
    std::uint64_t start;
    std::uint64_t stop;
    std::atomic<std::uint64_t>
        filtered; /**< skipped transactions that the recorder has not counted */
};

/** The session of all objects that are not recorded. The session is constant-initialised, so static
 * objects of any translation unit may use it. */
extern FTR_SC_API session off_session;

/** Returns the session of the default recorder, which the first call opens with the settings of the
 *  environment. Returns off_session if FTR_TRACE and FTR_SUMMARY are unset or the recorder cannot
 *  be opened. Never returns NULL. */
FTR_SC_API session *default_session();

/** Opens @p path. Reports a failure on stderr. Sets @p status to the result. On an error, returns
 *  off_session. */
FTR_SC_API session *open_session(const char *path, const ftr_recorder_options &options,
                                 ftr_status &status);

/** Closes a session's recorder. After this call, the session's state is `off`. */
FTR_SC_API ftr_status close_session(session &closed);

/** Switches a session on or off. A closed session stays off. */
FTR_SC_API ftr_status switch_session(session &switched, bool on);

/** Handles valve::attention: sets the recorder's time resolution if it is known now, or, with
 * FTR_STRICT=1, ends the simulation after a failure to record.
 * @param ticks a time that the caller got from the model, or 0; a time other than 0 proves that the
 *              resolution is fixed
 * @return true if transactions are still recorded */
FTR_SC_API FTR_SC_COLD bool attend(session &attended, std::uint64_t ticks);

/** Begins a transaction if the call is not possible inline. Returns FTR_TX_NOT_RECORDED as its id
 * if it is not recorded. After the end of the time window, the state of the session becomes
 * entry_late. */
FTR_SC_API FTR_SC_COLD ftr_tx begin_rarely(session &entered, const ftr_entity *entity,
                                           std::uint64_t ticks);

/** Passes session::filtered to the recorder. */
FTR_SC_API void count_filtered(session &of);

/** Prints a warning that the definition of @p name failed. @p what is the kind of the definition,
 * for example "stream". */
FTR_SC_API FTR_SC_COLD void report_failure(const char *what, const char *name, ftr_status status);

/** Ends a transaction now, because its object is destroyed while the transaction is open. */
FTR_SC_API void end_abandoned(ftr_recorder *rec, ftr_tx tx);

/** Returns the simulation's time in ticks of its resolution; 0 if there is no simulation, for
 *  example in the destructors of static objects. Costs two loads; the kernel's own function would
 *  be a call into its library. */
FTR_SC_INLINE std::uint64_t now()
{
    const sc_core::sc_simcontext *context = sc_core::sc_curr_simcontext;
    return FTR_SC_EXPECTED(context) ? context->time_stamp().value() : 0;
}

/** Returns the recorder of a session for which passes() returned true. This function tells the
 * compiler that the recorder is not NULL. */
FTR_SC_INLINE ftr_recorder *recorder_of(const session &entered)
{
    ftr_recorder *const rec = entered.recorder;
    if (!rec)
        __builtin_unreachable();
    return rec;
}

/** Returns true if calls that are observed now are recorded. */
FTR_SC_INLINE bool passes(session &entered)
{
    const valve state = entered.state.load(std::memory_order_relaxed);
    if (state == valve::off)
        return false;
    return FTR_SC_EXPECTED(state == valve::on) || attend(entered, 0);
}

/** Like passes(entered), for a transaction at the time @p ticks, which comes from the user. */
FTR_SC_INLINE bool passes(session &entered, std::uint64_t ticks)
{
    const valve state = entered.state.load(std::memory_order_relaxed);
    if (state == valve::off)
        return false;
    return FTR_SC_EXPECTED(state == valve::on) || attend(entered, ticks);
}

/** Counts a transaction that is not in the time window. Returns false. */
FTR_SC_INLINE bool skip(session &entered)
{
    entered.filtered.fetch_add(1, std::memory_order_relaxed);
    return false;
}

/** Returns true if a transaction that begins now may be recorded. */
FTR_SC_INLINE bool may_begin(session &entered)
{
    const entry state = FTR_SELDOM_CHANGED(entered.begins);
    if (state < entry_on)
        return false;
    if (FTR_SC_EXPECTED(state == entry_on))
        return true;
    return state == entry_late ? skip(entered) : attend(entered, 0);
}

/** Returns true if a transaction that begins at a time from the user may be recorded. */
FTR_SC_INLINE bool may_begin(session &entered, std::uint64_t ticks)
{
    const entry state = FTR_SELDOM_CHANGED(entered.begins);
    if (state < entry_on)
        return false;
    if (FTR_SC_EXPECTED(state == entry_on))
        return true;
    return ticks > FTR_SELDOM_CHANGED(entered.stop) ? skip(entered) : attend(entered, ticks);
}

/** Returns true if a whole transaction with times from the user may be recorded. */
FTR_SC_INLINE bool may_record(session &entered, std::uint64_t from, std::uint64_t to)
{
    const entry state = FTR_SELDOM_CHANGED(entered.wholes);
    if (state < entry_on)
        return false;
    if (FTR_SC_EXPECTED(state == entry_on))
        return true;
    if (from > FTR_SELDOM_CHANGED(entered.stop) || to < FTR_SELDOM_CHANGED(entered.start))
        return skip(entered);
    /* With entry_attention, there are no limits. */
    return FTR_SELDOM_CHANGED(entered.stop) != UINT64_MAX ||
           FTR_SELDOM_CHANGED(entered.start) != 0 || attend(entered, to);
}

} // namespace detail
} // namespace ftr

#endif
