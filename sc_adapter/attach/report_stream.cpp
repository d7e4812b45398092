/* Records SystemC's reports with a handler that runs before the model's handler. If
 * libftr_attach.so is preloaded, it intercepts the model's calls that set a handler, so that our
 * handler stays first. Otherwise a handler that the model sets replaces our handler until the next
 * check. The number of reports that are missed until then comes from SystemC's own counters. */
#include "report_stream.hpp"

#include <utility>

#include "adapter_process.hpp"

namespace ftr
{
namespace attach
{

report_stream &reports()
{
    static auto *const only =
        new report_stream; // never destroyed, so usable until the process ends
    return *only;
}

namespace
{

using handler_proc = sc_core::sc_report_handler_proc;

void interpose(ftr_function (*set)(ftr_function), ftr_function (*get)())
{
    ftr_process *const process = detail::shared_process();
    if (!process)
        return;
    __atomic_store_n(&process->set_report_handler, set, __ATOMIC_RELEASE);
    __atomic_store_n(&process->get_report_handler, get, __ATOMIC_RELEASE);
}

} // namespace

/* The interception is switched off during the calls of SystemC, because these calls would otherwise
 * be intercepted, too. */
handler_proc report_stream::exchange(handler_proc handler)
{
    interpose(nullptr, nullptr);
    const handler_proc before = sc_core::sc_report_handler::get_handler();
    if (handler)
        sc_core::sc_report_handler::set_handler(handler);
    interpose(&report_stream::set_by_model, &report_stream::get_by_model);
    return before;
}

void report_stream::chain()
{
    next_ = exchange(&report_stream::handle);
    if (!first_)
        first_ = next_;
}

/* Called instead of SystemC's function when the model sets a handler. Returns the value that the
 * model would get without recording: its previous handler. */
ftr_function report_stream::set_by_model(ftr_function handler)
{
    report_stream &self = reports();
    self.check_handler();
    const handler_proc chosen = handler ? reinterpret_cast<handler_proc>(handler)
                                        : &sc_core::sc_report_handler::default_handler;
    return reinterpret_cast<ftr_function>(std::exchange(self.next_, chosen));
}

ftr_function report_stream::get_by_model()
{
    reports().check_handler();
    return reinterpret_cast<ftr_function>(reports().next_);
}

void report_stream::handle(const sc_core::sc_report &report, const sc_core::sc_actions &actions)
{
    report_stream &self = reports();
    /* The model's handler may call our handler, which would call the model's handler again. A
     * nested call therefore goes to the handler that was first behind ours. */
    const bool is_nested = self.depth_ > 0;
    const auto next = is_nested ? self.first_ : self.next_;
    if (!is_nested)
        self.take(report, actions);
    struct depth {
        explicit depth(unsigned &counted) : of(counted) { ++of; }
        ~depth() { --of; } // handlers may throw
        unsigned &of;
    } counted(self.depth_);
    (next ? next : &sc_core::sc_report_handler::default_handler)(report, actions);
}

/* Returns true if @p taken is the second report of a thrown report. SystemC reports it once when it
 * is thrown and again when it is caught. */
bool report_stream::match_thrown(const report &taken, const sc_core::sc_actions &actions)
{
    const bool is_same = was_thrown_ && taken.time == thrown_.time && taken.id == thrown_.id &&
                         taken.text == thrown_.text;
    was_thrown_ = !is_same && (actions & sc_core::SC_THROW) != 0;
    if (was_thrown_)
        thrown_ = taken;
    return is_same;
}

void report_stream::take(const sc_core::sc_report &source, const sc_core::sc_actions &actions)
{
    if (source.get_severity() < sc_core::SC_WARNING)
        return;
    const char *process = source.get_process_name();
    const report taken{detail::now(), source.get_severity(), source.get_msg_type(),
                       source.get_msg(), process ? process : ""};
    if (match_thrown(taken, actions))
        return;
    ++seen_;
    if (rec_)
        record(taken);
    else
        early_.push_back(taken);
}

void report_stream::begin(recorder &rec)
{
    rec_ = &rec;
    for (const report &taken : std::exchange(early_, {}))
        record(taken);
}

/* Defines the stream at the first report, because most runs have no reports. Returns false on
 * failure. */
bool report_stream::is_defined()
{
    static const ftr_attribute attributes[] = {{"severity", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
                                               {"id", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
                                               {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
                                               {"process", FTR_TYPE_STRING, FTR_CLASS_BEGIN}};
    static const ftr_attribute missed = {"missed", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN};
    static const char *const names[] = {"info", "warning", "error", "fatal"};
    if (stream_)
        return true;
    if (ftr_stream_define(rec_->handle(), "ftr.reports", "reports", &stream_) != FTR_OK ||
        ftr_generator_define(rec_->handle(), stream_, "gap", &missed, 1, &gap_) != FTR_OK)
        return false;
    for (int severity = sc_core::SC_WARNING; severity <= sc_core::SC_FATAL; ++severity) {
        if (ftr_generator_define(rec_->handle(), stream_, names[severity], attributes, 4,
                                 &reports_[severity]) != FTR_OK)
            return false;
    }
    return true;
}

void report_stream::record(const report &taken)
{
    static const char *const severities[] = {"INFO", "WARNING", "ERROR", "FATAL"};
    if (!is_defined())
        return;
    const std::string *const texts[] = {&taken.id, &taken.text, &taken.process};
    ftr_value values[4]{};
    for (ftr_value &value : values)
        value.type = FTR_TYPE_STRING;
    values[0].text_length = FTR_NUL_TERMINATED;
    values[0].as.text = severities[taken.severity];
    for (int i = 0; i < 3; ++i) {
        values[i + 1].text_length = texts[i]->size();
        values[i + 1].as.text = texts[i]->data();
    }
    static_cast<void>(ftr_tx_record(rec_->handle(), reports_[taken.severity], taken.time,
                                    taken.time, values, 4, nullptr));
}

std::uint64_t report_stream::count_reports()
{
    std::uint64_t count = 0;
    for (int severity = sc_core::SC_WARNING; severity <= sc_core::SC_FATAL; ++severity)
        count += static_cast<std::uint64_t>(
            sc_core::sc_report_handler::get_count(static_cast<sc_core::sc_severity>(severity)));
    return count;
}

void report_stream::check_handler()
{
    const std::uint64_t since = checked_;
    checked_ = detail::now();
    if (exchange(nullptr) == &report_stream::handle)
        return;
    chain();
    const std::uint64_t count = count_reports();
    if (!rec_ || count <= seen_ || !is_defined())
        return;
    ftr_value missed{};
    missed.type = FTR_TYPE_UNSIGNED;
    missed.as.number = count - seen_;
    seen_ = count;
    static_cast<void>(ftr_tx_record(rec_->handle(), gap_, since, checked_, &missed, 1, nullptr));
}

} // namespace attach
} // namespace ftr
