/* Describes a run. At the start: its command line, process, host, time and versions. At a normal
 * end: its exit status and the counts of the recording. */
#include "run_identity.hpp"

#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include <ftr/detail/run_identity.h>
#include <ftr/version.h>

#include "session.hpp"

namespace ftr
{
namespace attach
{

namespace
{

void put_text(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name,
              const std::string &text)
{
    ftr_value value{};
    value.type = FTR_TYPE_STRING;
    value.text_length = text.size();
    value.as.text = text.data();
    static_cast<void>(ftr_tx_put_named(rec, tx, class_, name, &value));
}

void put_int(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name,
             std::int64_t integer)
{
    ftr_value value{};
    value.type = FTR_TYPE_INTEGER;
    value.as.integer = integer;
    static_cast<void>(ftr_tx_put_named(rec, tx, class_, name, &value));
}

void put_count(ftr_recorder *rec, ftr_tx tx, const char *name, std::uint64_t count)
{
    ftr_value value{};
    value.type = FTR_TYPE_UNSIGNED;
    value.as.number = count;
    static_cast<void>(ftr_tx_put_named(rec, tx, FTR_CLASS_END, name, &value));
}

std::string wall_clock()
{
    const std::time_t seconds = std::time(nullptr);
    std::tm fields{};
    char text[32] = "";
    gmtime_r(&seconds, &fields);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &fields);
    return text;
}

} // namespace

void run_identity::begin(recorder &rec, bool with_arguments, const std::vector<link_ends> &links)
{
    ftr_recorder *const handle = rec.handle();
    const std::uint64_t time = ftr_run_time(handle, detail::now());
    ftr_generator start = 0;
    if (ftr_stream_define(handle, "ftr.run", "run", &stream_) != FTR_OK ||
        ftr_generator_define(handle, stream_, "start", nullptr, 0, &start) != FTR_OK ||
        ftr_tx_begin(handle, start, time, &start_) != FTR_OK)
        return;
    ftr_run_put_start(handle, stream_, start_, with_arguments);
    put_text(handle, start_, FTR_CLASS_BEGIN, "systemc", sc_core::sc_version());
    put_text(handle, start_, FTR_CLASS_BEGIN, "resolution",
             sc_core::sc_get_time_resolution().to_string());
    put_text(handle, start_, FTR_CLASS_BEGIN, "ftr", FTR_VERSION_TEXT);
    const auto put = [&](const char *what, const std::string &link, const std::string &value) {
        if (!value.empty())
            put_text(handle, start_, FTR_CLASS_BEGIN, (what + link).c_str(), value);
    };
    for (const link_ends &of : links) {
        put("initiator.", of.link, of.initiator);
        put("target.", of.link, of.target);
        put("protocol.", of.link, of.protocol);
    }
    static_cast<void>(ftr_tx_end(handle, start_, time));
}

void run_identity::end(recorder &rec, int exit_status)
{
    ftr_recorder *const handle = rec.handle();
    ftr_tx tx{};
    if (!stream_ || !handle)
        return;
    const std::uint64_t now = detail::now();
    const std::uint64_t time = ftr_run_time(handle, now);
    const ftr_generator run = ftr_run_end_generator(handle);
    /* All counts are collected before `tx` begins, so that they do not include it. */
    std::vector<std::pair<std::string, std::uint64_t>> streams;
    static_cast<void>(ftr_recorder_list_streams(
        handle,
        [](void *user, const char *name, std::uint64_t transactions) {
            static_cast<decltype(streams) *>(user)->emplace_back(name, transactions);
        },
        &streams));
    const ftr_statistics counted = rec.statistics();
    if (ftr_tx_begin(handle, run, time > now ? time : 0, &tx) != FTR_OK)
        return;
    put_int(handle, tx, FTR_CLASS_END, "exit_status", exit_status);
    put_text(handle, tx, FTR_CLASS_END, "ended", wall_clock());
    put_count(handle, tx, "transactions", counted.transactions);
    put_count(handle, tx, "relations", counted.relations);
    put_count(handle, tx, "filtered", counted.filtered);
    put_count(handle, tx, "dropped", counted.dropped);
    put_count(handle, tx, "relations_discarded", counted.relations_discarded);
    put_count(handle, tx, "open_transactions", counted.open_transactions);
    for (const auto &stream : streams)
        put_count(handle, tx, ("transactions." + stream.first).c_str(), stream.second);
    static_cast<void>(ftr_tx_end(handle, tx, time));
}

} // namespace attach
} // namespace ftr
