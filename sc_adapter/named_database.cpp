/* Recordings that a model opens by name through the interface of LWTR4SC. This file applies the
 * settings when a recording is opened, and closes the recording; the session of the recording
 * records the transactions. */
#include <ftr/detail/named_database.hpp>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include <ftr/buffer.h>
#include <ftr/detail/call_names.h>
#include <ftr/environment.h>
#include <ftr/recorder.h>

#include "messages.hpp"

namespace ftr
{
namespace detail
{

namespace
{

std::atomic<database_format> selected_format{database_format::none};

/* The open databases. This list is never destroyed, because databases may be static objects. */
struct open_databases {
    std::mutex mutex;
    std::vector<session *> all;
    bool has_summary = false; /* one of the databases keeps the summary of the run */
};

open_databases &databases()
{
    static auto *const opened = new open_databases;
    return *opened;
}

void close_all_at_exit()
{
    std::vector<session *> left;
    {
        const std::lock_guard<std::mutex> lock(databases().mutex);
        left.swap(databases().all);
    }
    for (session *opened : left)
        static_cast<void>(close_session(*opened));
}

void report(void *, ftr_severity severity, const char *message)
{
    say(severity, message);
}

/* Only the first database keeps the summary of the run: removes the summary from the options of any
 * other one. The caller holds the mutex. */
void claim_summary(const std::string &name, ftr_recorder_options &options)
{
    if (!options.summary)
        return;
    if (databases().has_summary) {
        say(FTR_SEVERITY_WARNING,
            "FTR_SUMMARY is of the first database; " + name + " is not part of it");
        options.summary = nullptr;
    }
    databases().has_summary = true;
}

void define_buffers(session &opened, const char *buffers)
{
    if (buffers && opened.recorder && ftr_buffers_define(opened.recorder, buffers) != FTR_OK)
        say(FTR_SEVERITY_ERROR, std::string("FTR_BUFFERS=") + buffers + " is invalid");
}

} // namespace

void select_database_format(database_format format)
{
    if (format == database_format::text && selected_format.load() != database_format::text)
        say(FTR_SEVERITY_NOTE, "text is not recorded; an FTR file is: `ftr convert --output-format "
                               "scv` makes text of it");
    selected_format.store(format);
}

session *open_database(const std::string &name)
{
    const database_format format = selected_format.load();
    if (format == database_format::none)
        return &off_session;
    const auto environment = std::make_unique<ftr_environment>();
    if (ftr_environment_read(environment.get(), report, nullptr) != FTR_OK) {
        say(FTR_SEVERITY_WARNING, name + " is not recorded");
        return &off_session;
    }
    ftr_recorder_options options = environment->options;
    options.size = sizeof options;
    options.threads = 1;
    options.time_scale = FTR_TIME_SCALE_LATER;
    if (format == database_format::plain && !secure_getenv("FTR_COMPRESS"))
        options.compression = FTR_COMPRESSION_NONE;
    const std::lock_guard<std::mutex> lock(databases().mutex);
    claim_summary(name, options);
    ftr_status status = FTR_OK;
    session *const opened = open_session((name + ".ftr").c_str(), options, status);
    ftr_recorder_set_call_names(opened->recorder, name_in_lwtr);
    define_buffers(*opened, environment->buffers);
    if (databases().all.empty())
        std::atexit(close_all_at_exit);
    databases().all.push_back(opened);
    return opened;
}

void close_database(session &opened)
{
    if (&opened == &off_session)
        return;
    {
        const std::lock_guard<std::mutex> lock(databases().mutex);
        auto &all = databases().all;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i] == &opened)
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    static_cast<void>(close_session(opened));
}

void *&default_database()
{
    static void *current = nullptr;
    return current;
}

std::uint64_t next_definition_id()
{
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

std::uint64_t next_unrecorded_id()
{
    static std::atomic<std::uint64_t> last{UINT64_C(1) << 63};
    return ++last;
}

} // namespace detail
} // namespace ftr
