/* The stream `ftr.reports`: the model's reports with severity WARNING and above. */
#ifndef FTR_REPORT_STREAM_HPP
#define FTR_REPORT_STREAM_HPP

#include <cstdint>
#include <string>
#include <vector>

#include <ftr/detail/process.h>
#include <ftr/systemc_recorder.hpp>

namespace ftr
{
namespace attach
{

/* A process has one object of this class, because SystemC has one handler. */
class report_stream
{
  public:
    /* Puts our handler before the current one. If libftr_attach.so intercepts calls, our handler is
     * also before all handlers that the model sets later. */
    void chain();
    /* Starts recording. Reports that came before this call are recorded now. */
    void begin(recorder &rec);
    /* Checks whether the model has replaced our handler. If so, puts our handler before the new one
     * and records the number of missed reports. */
    void check_handler();

  private:
    struct report {
        std::uint64_t time;
        sc_core::sc_severity severity;
        std::string id;
        std::string text;
        std::string process;
    };

    static ftr_function set_by_model(ftr_function handler);
    static ftr_function get_by_model();
    /* Sets the kernel's handler, unless @p handler is NULL, and returns the kernel's handler
     * before. The model may see another handler.
     */
    static sc_core::sc_report_handler_proc exchange(sc_core::sc_report_handler_proc handler);
    static void handle(const sc_core::sc_report &report, const sc_core::sc_actions &actions);
    void take(const sc_core::sc_report &source, const sc_core::sc_actions &actions);
    bool match_thrown(const report &taken, const sc_core::sc_actions &actions);
    void record(const report &taken);
    bool is_defined();
    static std::uint64_t count_reports();

    recorder *rec_ = nullptr;
    ftr_stream stream_ = 0;
    ftr_generator reports_[4]{}; /* index: severity */
    ftr_generator gap_ = 0;
    /* the handler behind ours at the first chain() */
    sc_core::sc_report_handler_proc first_ = nullptr;
    sc_core::sc_report_handler_proc next_ = nullptr; /* the handler behind ours now */
    std::vector<report> early_;                      /* reports before begin() */
    report thrown_{}; /* the last report that was thrown, until it is caught */
    bool was_thrown_ = false;
    std::uint64_t seen_ = 0; /* number of reports of WARNING and above that reached our handler */
    std::uint64_t checked_ = 0; /* time of the last check, in ticks */
    unsigned depth_ = 0;
};

/* Returns the single instance. */
report_stream &reports();

} // namespace attach
} // namespace ftr

#endif
