/* The plug-in: the steps that record a prototype that was not built for recording. Observers are
 * placed at the end of elaboration, before the model's own end_of_elaboration() callbacks run. */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <ftr/environment.h>

#include "adapter_process.hpp"
#include "messages.hpp"
#include "kernel_access.hpp"
#include "placement.hpp"
#include "report_stream.hpp"
#include "run_identity.hpp"

namespace ftr
{
namespace attach
{

namespace
{

/* If FTR_STRICT=1, ends a process that is not recorded, with the exit status that `ftr attach` has
 * in this case. */
void end_if_strict()
{
    if (!detail::is_flag_set("FTR_STRICT"))
        return;
    std::fflush(nullptr);
    _exit(125);
}

bool checks_protocol()
{
    return tlm_environment().protocol != tlm_protocol_check::off;
}

class attachment : public hidden_module
{
  public:
    attachment();

  private:
    void end_of_elaboration() override;
    void place(recorder &rec);
    void start_of_simulation() override;
    void end_of_simulation() override { reports().check_handler(); }

    /* These functions are hooks of on_exit(), which passes the exit status to them and calls them
     * in reverse order of registration. */
    static void at_last_exit(int status, void *self);
    static void at_exit(int status, void *self);
    void summarize() const;

    const pid_t owner_ = getpid(); /* a forked child records nothing */
    std::unique_ptr<ftr_environment> environment_ = std::make_unique<ftr_environment>();
    recorder *recorder_ = nullptr;
    bool was_elaborated_ = false;
    run_identity run_;
    placed placed_;
};

attachment::attachment()
{
    static_cast<void>(ftr_environment_read(environment_.get(), nullptr, nullptr));
    reports().chain();
    on_exit(&attachment::at_last_exit, this);
}

void attachment::end_of_elaboration()
{
    was_elaborated_ = true;
    static_cast<void>(tlm_environment()); // reports invalid settings, even if there are no links
    recorder &rec = recorder::standard();
    if (!rec.is_open()) {
        if (checks_protocol())
            place(rec); // the protocol is checked without a recording
        return;
    }
    recorder_ = &rec;
    /* Exit handlers run in reverse order of registration. This one is registered after the handler
     * of the recorder and before the handlers of the observers. It therefore runs after the
     * observers have ended their open transactions and before the recorder is closed. */
    on_exit(&attachment::at_exit, this);
    reports().begin(rec);
    reports().check_handler();
    place(rec);
}

void attachment::place(recorder &rec)
{
    placed_ = place_observers(rec);
    if (tell_if_nothing_is_observed(placed_) && detail::is_flag_set("FTR_STRICT")) {
        tell_missed_calls(placed_, checks_protocol());
        end_if_strict();
    }
}

void attachment::start_of_simulation()
{
    if (!recorder_)
        return;
    static_cast<void>(
        detail::passes(*detail::default_session())); // the time resolution is known now
    reports().check_handler();
    if (environment_->run_info)
        run_.begin(*recorder_, environment_->run_arguments, placed_.ends);
}

void attachment::summarize() const
{
    const auto count = [](std::size_t number) { return std::to_string(number); };
    detail::say(FTR_SEVERITY_NOTE, count(placed_.observed) + " of " + count(placed_.bound) +
                                       " bound initiator sockets observed (" +
                                       count(placed_.links) + " links), " + count(placed_.unbound) +
                                       " unbound");
    for (const std::string &missed : placed_.unobserved)
        detail::say(FTR_SEVERITY_NOTE, missed);
}

void attachment::at_exit(int status, void *self)
{
    attachment &of = *static_cast<attachment *>(self);
    if (getpid() != of.owner_)
        return;
    reports().check_handler();
    if (of.environment_->run_info)
        of.run_.end(*of.recorder_, status);
    if (of.environment_->verbose)
        of.summarize();
    tell_if_window_is_empty(*of.recorder_);
}

void attachment::at_last_exit(int status, void *self)
{
    const attachment &of = *static_cast<attachment *>(self);
    if (getpid() != of.owner_)
        return;
    if (of.was_elaborated_) {
        tell_missed_calls(of.placed_, checks_protocol());
        return;
    }
    detail::say(FTR_SEVERITY_WARNING,
                "the prototype ended before its simulation started: nothing was recorded");
    if (status == 0)
        end_if_strict();
}

/* Returns true if the kernel has the version that this file was compiled for. */
bool fits_kernel()
{
    if (sc_core::sc_version_major == SC_VERSION_MAJOR &&
        sc_core::sc_version_minor == SC_VERSION_MINOR &&
        sc_core::sc_version_patch == SC_VERSION_PATCH)
        return true;
    detail::say(FTR_SEVERITY_ERROR, "the attach plug-in was built for another SystemC than " +
                                        std::string(sc_core::sc_version()) +
                                        ": this run is not recorded");
    end_if_strict();
    return false;
}

/* Returns true in the first instance of the plug-in. If the plug-in is both linked and preloaded,
 * only this instance observes. */
bool claim_process()
{
    static bool is_claimed = false;
    ftr_process *const process = detail::shared_process();
    return !std::exchange(is_claimed, true) &&
           !(process && __atomic_exchange_n(&process->attached, 1U, __ATOMIC_ACQ_REL));
}

/* Marks this process as recorded: `ftr attach --strict` checks this mark (tools/ftr/watched_run.c).
 */
void mark_attached()
{
    const char *const path = detail::value_of("FTR_ATTACH_MARK");
    const int fd = path ? open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY) : -1;
    if (fd < 0)
        return;
    if (write(fd, "1", 1) != 1)
        detail::say(FTR_SEVERITY_WARNING,
                    std::string(path) + " cannot be written: --strict will report a failure");
    close(fd);
}

__attribute__((constructor)) void attach()
{
    if ((!detail::value_of("FTR_TRACE") && !detail::value_of("FTR_SUMMARY") &&
         !detail::value_of("FTR_PROTOCOL")) ||
        !fits_kernel() || !claim_process())
        return;
    mark_attached();
    detail::is_attach_plugin = true;
    new attachment; // owned by the kernel until the process ends
}

} // namespace

} // namespace attach
} // namespace ftr
