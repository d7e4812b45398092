/* The stream `ftr.reports`: what a model reports with severity WARNING and above. */
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

/* One a process: SystemC has one handler. */
class report_stream
{
  public:
    /* Puts our handler before the one there is, and, where libftr_attach.so interposes for us,
     * takes those that the model sets. */
    void chain();
    /* From here on reports are recorded; those before are recorded now. */
    void begin(recorder &rec);
    /* Whether the model has put a handler in our place: then we are put before it, and what it was
     * told meanwhile is recorded as a gap. */
    void look();

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
    /* What the kernel has, set and told apart from what the model is told. */
    static sc_core::sc_report_handler_proc exchange(sc_core::sc_report_handler_proc handler);
    static void handle(const sc_core::sc_report &report, const sc_core::sc_actions &actions);
    void take(const sc_core::sc_report &told, const sc_core::sc_actions &actions);
    bool is_caught_again(const report &taken, const sc_core::sc_actions &actions);
    void record(const report &taken);
    bool is_defined();
    static std::uint64_t told_so_far();

    recorder *rec_ = nullptr;
    ftr_stream stream_ = 0;
    ftr_generator reports_[4]{}; /* by severity */
    ftr_generator gap_ = 0;
    sc_core::sc_report_handler_proc first_ = nullptr; /* behind us when we were chained first */
    sc_core::sc_report_handler_proc next_ = nullptr;  /* behind us now */
    std::vector<report> early_;
    report thrown_{}; /* the last one that was thrown, until it is caught */
    bool was_thrown_ = false;
    std::uint64_t seen_ = 0;   /* reports of WARNING and above that we were told */
    std::uint64_t looked_ = 0; /* ticks */
    unsigned depth_ = 0;
};

/* The one. */
report_stream &reports();

} // namespace attach
} // namespace ftr

#endif
