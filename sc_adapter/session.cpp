/* Sessions: opening, closing, the valve that transactions check, and the time resolution. This file
 * decides when SystemC may be queried. The core records the transactions. */
#include "session.hpp"

#include <atomic>
#include <cstdlib>
#include <memory>

#include <dlfcn.h>

#include <ftr/detail/call_names.h>
#include <ftr/detail/run_identity.h>
#include <ftr/detail/trusted_calls.h>
#include <ftr/detail/word_calls.h>
#include <ftr/environment.h>

#include "adapter_process.hpp"
#include "messages.hpp"

namespace ftr
{
namespace detail
{

session off_session;

namespace
{

std::atomic<session_state *> all_sessions{nullptr};

/* ---- valve ------------------------------------------------------------------------------------
 */

valve valve_of(const session_state &of)
{
    if (of.is_closed || !of.is_switched_on)
        return valve::off;
    const bool must_stop = of.is_strict && of.has_failed && !of.was_stopped;
    return of.is_scale_known && of.paused.empty() && !must_stop ? valve::on : valve::attention;
}

template <class T> void store(T &place, T value)
{
    __atomic_store_n(&place, value, __ATOMIC_RELAXED);
}

/* Sets the members of the session that other threads read to the values that follow from the other
 * members. The caller must hold the mutex. */
void set_valve(session_state &of)
{
    const valve state = valve_of(of);
    const entry usual = state == valve::on    ? entry_on
                        : state == valve::off ? entry_off
                                              : entry_attention;
    const bool has_window = usual == entry_on && !of.is_flight;
    const std::uint64_t start = has_window ? ftr_window_start(of.recorder) : 0;
    const std::uint64_t stop = has_window ? ftr_window_stop(of.recorder) : UINT64_MAX;
    const bool is_limited = start != 0 || stop != UINT64_MAX;
    of.state.store(state, std::memory_order_relaxed);
    store(of.start, start);
    store(of.stop, stop);
    store(of.begins, has_window && of.is_late ? entry_late : usual);
    store(of.wholes, is_limited ? entry_windowed : usual);
}

/* The core calls this function on any thread, including the writer thread. This function must not
 * throw. */
void on_report(void *user, ftr_severity severity, const char *message)
{
    session_state &of = *static_cast<session_state *>(user);
    if (severity != FTR_SEVERITY_NOTE || of.is_verbose)
        say(severity, message);
    if (severity != FTR_SEVERITY_ERROR)
        return;
    const std::lock_guard<std::mutex> lock(of.mutex);
    of.has_failed = true;
    if (of.recorder)
        set_valve(of);
}

/* ---- time resolution ------------------------------------------------------------------------- */

/* After elaboration the resolution cannot change. A query before the end of elaboration would fix
 * the resolution, and the model's own sc_set_time_resolution() would then fail. */
bool is_resolution_settled()
{
    const sc_core::sc_simcontext *context = sc_core::sc_curr_simcontext;
    return context && context->elaboration_done() &&
           context->get_status() >= sc_core::SC_START_OF_SIMULATION;
}

/* Resolutions are powers of ten, so the limits between them need not be exact. The first calls into
 * the mathematical library would take longer than the loops. */
int resolution_exponent()
{
    double rest = sc_core::sc_get_time_resolution().to_seconds();
    int exponent = 0;
    while (rest < 0.3) {
        rest *= 10;
        --exponent;
    }
    while (rest > 3) {
        rest /= 10;
        ++exponent;
    }
    return exponent;
}

int time_scale()
{
    const int exponent = resolution_exponent();
    return exponent == 0 ? FTR_TIME_SCALE_SECOND : exponent;
}

/* With a known time scale, opening a trace also writes the start of the file. */
int time_scale_if_settled()
{
    return is_resolution_settled() ? time_scale() : FTR_TIME_SCALE_LATER;
}

/* Sets the time scale of the recorder; until then, the core keeps all transactions in memory. The
 * thread that sets is_scale_known calls this function, without the mutex. */
void set_time_scale(session_state &of)
{
    /* Another adapter in this process, for example the attach plug-in, may have set the time scale
     * already. */
    static_cast<void>(ftr_recorder_set_time_scale(of.recorder, time_scale()));
}

/* Called if a transaction begins after the time window, which may be a time in the future. Later
 * transactions are then skipped without a call of the core. */
void note_late(session_state &of)
{
    const std::lock_guard<std::mutex> lock(of.mutex);
    of.is_late = of.is_late || now() > ftr_window_stop(of.recorder);
    set_valve(of);
}

/* ---- destroyed handles ----------------------------------------------------------------------- */

/* Ends the transactions whose objects were destroyed while the simulation was paused, because the
 * simulation has continued. The caller must hold the mutex. */
void end_paused(session_state &of)
{
    for (const abandoned &each : of.paused)
        static_cast<void>(ftr_tx_end(of.recorder, each.tx, each.time));
    of.paused.clear();
}

bool is_running()
{
    return sc_core::sc_curr_simcontext->get_status() == sc_core::SC_RUNNING;
}

/* Keeps a transaction open whose object is destroyed after the end of the simulation, or in a pause
 * between two calls of sc_start(). If the simulation continues, end_paused() ends the transaction;
 * if not, it is unfinished in the file, as if its object had never been destroyed. A transaction
 * that began in the same pause is ended at once. */
FTR_SC_COLD void leave_open(ftr_recorder *rec, ftr_tx tx, sc_core::sc_status status)
{
    if (status != sc_core::SC_PAUSED)
        return;
    const ftr_slot *const slot = ftr_slot_of(rec, tx);
    if (slot->id == tx.id && slot->begin == now()) { // begun in this pause, not by the simulation
        static_cast<void>(ftr_tx_end(rec, tx, now()));
        return;
    }
    session_state *of = all_sessions.load();
    while (of && of->recorder != rec)
        of = of->next;
    if (!of)
        return;
    const std::lock_guard<std::mutex> lock(of->mutex);
    of->paused.push_back({tx, now()});
    set_valve(*of);
}

/* ---- lifecycle ------------------------------------------------------------------------------- */

session_state *make_session(const char *path)
{
    session_state *made = new session_state;
    made->is_strict = is_flag_set("FTR_STRICT");
    made->is_verbose = is_flag_set("FTR_VERBOSE");
    made->path = path;
    made->simulation = std::this_thread::get_id();
    made->next = all_sessions.load();
    while (!all_sessions.compare_exchange_weak(made->next, made)) {
    }
    return made;
}

void summarize(session_state &of)
{
    ftr_statistics counted;
    if (ftr_recorder_get_statistics(of.recorder, &counted) != FTR_OK)
        return;
    const bool has_trace = !of.path.empty();
    const std::string in_trace = ", " + std::to_string(counted.attributes) + " attributes, " +
                                 std::to_string(counted.relations) + " relations in " +
                                 std::to_string(counted.bytes) + " bytes";
    say(FTR_SEVERITY_NOTE,
        (has_trace ? of.path : of.summary) + ": " + std::to_string(counted.transactions) +
            " transactions" + (has_trace ? in_trace : std::string()) + "; " +
            std::to_string(counted.filtered) + " filtered, " + std::to_string(counted.dropped) +
            " dropped, " + std::to_string(counted.unfinished) + " unfinished");
}

/* SystemC counts reports even if the model's handler ignores them. */
bool has_reported_error()
{
    return sc_core::sc_report_handler::get_count(sc_core::SC_ERROR) > 0 ||
           sc_core::sc_report_handler::get_count(sc_core::SC_FATAL) > 0;
}

/* @p is_exiting: the process exits, so the resolution can no longer change, even if SystemC was
 * never started. */
ftr_status close(session_state &of, bool is_exiting)
{
    bool must_set_scale = false;
    {
        const std::lock_guard<std::mutex> lock(of.mutex);
        if (of.is_closed)
            return FTR_ERR_CLOSED;
        must_set_scale = !of.is_scale_known && (is_resolution_settled() || is_exiting);
        if (!of.paused.empty() && now() > of.paused.back().time)
            end_paused(of);
        of.is_closed = true;
        set_valve(of);
    }
    if (must_set_scale)
        set_time_scale(of);
    if (has_reported_error())
        static_cast<void>(ftr_recorder_mark_failed(of.recorder));
    count_filtered(of);
    const ftr_status status = ftr_recorder_close(of.recorder);
    if (of.is_verbose && status != FTR_ERR_CLOSED)
        summarize(of);
    return status;
}

/* The session that close_default_at_exit() closes. */
session_state *default_open;

void close_default_at_exit()
{
    session_state &of = *default_open;
    const ftr_status status = close(of, true);
    if (status != FTR_ERR_CLOSED && status != FTR_OK && of.is_strict && !of.was_stopped)
        std::exit(EXIT_FAILURE); // the remaining handlers run with this status
}

void note_exit_status(int status, void *)
{
    ftr_run_put_exit(status);
    if (status != EXIT_SUCCESS)
        static_cast<void>(ftr_recorder_mark_failed(default_open->recorder));
}

/* on_exit() hooks stay registered if their library is unloaded, so the library must stay loaded. */
void watch_exit_status()
{
    Dl_info here;
    if (dladdr(&default_open, &here) && here.dli_fname)
        static_cast<void>(dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE));
    on_exit(note_exit_status, nullptr);
}

/* Triggers all flight recorders. Recorders of another kind ignore the call. */
void trigger_all()
{
    for (session_state *of = all_sessions.load(); of; of = of->next) {
        std::unique_lock<std::mutex> lock(of->mutex);
        ftr_recorder *const recorder = of->recorder;
        lock.unlock();
        static_cast<void>(ftr_recorder_trigger(recorder));
    }
}

/* The handler behind ours. Ours triggers flight recorders at an error before SystemC handles the
 * error, because SystemC may abort. */
sc_core::sc_report_handler_proc next_report_handler;

void on_sc_report(const sc_core::sc_report &report, const sc_core::sc_actions &actions)
{
    if (report.get_severity() >= sc_core::SC_ERROR)
        trigger_all();
    (next_report_handler ? next_report_handler
                         : &sc_core::sc_report_handler::default_handler)(report, actions);
}

void watch_reports()
{
    static std::once_flag is_watching;
    std::call_once(is_watching, [] {
        next_report_handler = sc_core::sc_report_handler::set_handler(on_sc_report);
    });
}

session *open_default()
{
    if (!value_of("FTR_TRACE") && !value_of("FTR_SUMMARY")) {
        ftr_environment_warn_of_misspelt_trace(
            [](void *, ftr_severity severity, const char *message) { say(severity, message); },
            nullptr);
        return &off_session;
    }
    const auto environment = std::make_unique<ftr_environment>();
    /* No messages here: the core reads the environment again, and reports its errors. */
    static_cast<void>(ftr_environment_read(environment.get(), nullptr, nullptr));
    const ftr_recorder_options &options = environment->options;
    const bool has_trigger = options.mode == FTR_MODE_FLIGHT || environment->buffers;
    const bool needs_exit_status = has_trigger || options.keep == FTR_KEEP_ON_ERROR;
    session_state *made = make_session(environment->path);
    made->is_flight = options.mode == FTR_MODE_FLIGHT;
    if (options.summary)
        made->summary = options.summary;
    const bool is_first = !has_other_copy_opened();
    ftr_recorder *rec = ftr_default_recorder(time_scale_if_settled(), on_report, made);
    if (!rec) {
        if (made->is_strict)
            end_simulation("the recording to FTR_TRACE cannot start", true);
        if (is_first)
            say(FTR_SEVERITY_WARNING, "this run is not recorded");
        return &off_session;
    }
    ftr_recorder_set_call_names(rec, name_in_systemc);
    const std::lock_guard<std::mutex> lock(made->mutex);
    made->recorder = rec;
    default_open = made;
    /* Registered after the core's exit handler, so that this handler runs first and sets the time
     * scale. */
    std::atexit(close_default_at_exit);
    if (has_trigger)
        watch_reports();
    if (needs_exit_status || ftr_run_is_identified())
        watch_exit_status(); // registered later, so that its hook runs earlier
    if (made->is_verbose && is_first)
        say(FTR_SEVERITY_NOTE, made->path.empty()
                                   ? "writing the summary of this run to " + made->summary
                                   : "recording to " + made->path);
    set_valve(*made);
    return made;
}

} // namespace

session *default_session()
{
    static session *const opened = open_default();
    return opened;
}

session *open_session(const char *path, const ftr_recorder_options &options, ftr_status &status)
{
    session_state *made = make_session(path);
    ftr_recorder_options with_report = options;
    if (with_report.time_scale == FTR_TIME_SCALE_LATER)
        with_report.time_scale = time_scale_if_settled();
    made->is_scale_known = with_report.time_scale != FTR_TIME_SCALE_LATER;
    made->is_flight = options.mode == FTR_MODE_FLIGHT;
    if (!with_report.report) {
        with_report.report = on_report;
        with_report.report_user = made;
    }
    ftr_recorder *rec = nullptr;
    status = ftr_recorder_open(options.sink ? nullptr : path, &with_report, &rec);
    if (status != FTR_OK) {
        if (made->is_strict)
            end_simulation("a recording of the model cannot start", true);
        return &off_session;
    }
    ftr_recorder_set_call_names(rec, name_in_systemc);
    if (options.mode == FTR_MODE_FLIGHT)
        watch_reports();
    const std::lock_guard<std::mutex> lock(made->mutex);
    made->recorder = rec;
    set_valve(*made);
    return made;
}

ftr_status close_session(session &closed)
{
    return close(static_cast<session_state &>(closed), false);
}

ftr_status switch_session(session &switched, bool on)
{
    if (!switched.recorder)
        return FTR_OK;
    session_state &of = static_cast<session_state &>(switched);
    {
        const std::lock_guard<std::mutex> lock(of.mutex);
        of.is_switched_on = on;
        set_valve(of);
    }
    return ftr_recorder_set_recording(of.recorder, on);
}

bool attend(session &attended, std::uint64_t ticks)
{
    session_state &of = static_cast<session_state &>(attended);
    /* The most frequent case: the model is still under construction. */
    if (ticks == 0 && !of.has_failed.load(std::memory_order_relaxed) && !is_resolution_settled())
        return true;
    bool must_set_scale = false;
    bool must_stop = false;
    {
        const std::lock_guard<std::mutex> lock(of.mutex);
        if (of.is_closed || !of.is_switched_on)
            return false;
        /* Constructing an sc_time other than 0 fixes the resolution, so if @p ticks is not 0, the
         * resolution is fixed. */
        must_set_scale = !of.is_scale_known && (ticks != 0 || is_resolution_settled());
        of.is_scale_known = of.is_scale_known || must_set_scale;
        if (!of.paused.empty() && is_running())
            end_paused(of);
        must_stop = of.is_strict && of.has_failed && !of.was_stopped;
        of.was_stopped = of.was_stopped || must_stop;
        set_valve(of);
    }
    if (must_set_scale) {
        set_time_scale(of);
        const std::lock_guard<std::mutex> lock(of.mutex);
        set_valve(of); // the time window is known now
    }
    if (must_stop) {
        ftr_failure failure{};
        static_cast<void>(ftr_recorder_get_failure(of.recorder, &failure));
        end_simulation(failure.message, std::this_thread::get_id() == of.simulation);
    }
    return true;
}

ftr_tx begin_rarely(session &entered, const ftr_entity *entity, std::uint64_t ticks)
{
    ftr_tx tx{FTR_TX_NOT_RECORDED, 0};
    ftr_recorder *const rec = entered.recorder;
    if (ftr_tx_begin(rec, ftr_generator_of(rec, entity), ticks, &tx) != FTR_OK)
        return ftr_tx{FTR_TX_NOT_RECORDED, 0};
    if (tx.id == FTR_TX_NOT_RECORDED && ticks > ftr_window_stop(rec))
        note_late(static_cast<session_state &>(entered));
    return tx;
}

void count_filtered(session &of)
{
    if (const std::uint64_t count = of.filtered.exchange(0))
        ftr_recorder_count_filtered(of.recorder, count);
}

void report_failure(const char *what, const char *name, ftr_status status)
{
    if (status != FTR_ERR_CLOSED)
        say(FTR_SEVERITY_WARNING,
            std::string(what) + " \"" + name + "\" cannot be recorded: " + ftr_status_text(status));
}

void end_abandoned(ftr_recorder *rec, ftr_tx tx)
{
    const sc_core::sc_simcontext *context = sc_core::sc_curr_simcontext;
    const sc_core::sc_status status = context ? context->get_status() : sc_core::SC_STOPPED;
    if (status >= sc_core::SC_PAUSED)
        leave_open(rec, tx, status);
    else
        static_cast<void>(ftr_tx_end(rec, tx, context->time_stamp().value()));
}

} // namespace detail
} // namespace ftr
