/* Describes a run: at the start its command line, process, host, time and versions; at a normal end
 * its exit status and counts of the recording. */
#include "run_identity.hpp"

#include <cctype>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <climits>
#include <unistd.h>

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

constexpr const char *masked = "***";

/* Returns true if the value of this name may be a password or a key. */
bool names_secret(std::string name)
{
    for (char &c : name)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const char *word : {"password", "passwd", "passphrase", "token", "secret", "credential"}) {
        if (name.find(word) != name.npos)
            return true;
    }
    return name.size() >= 3 && name.compare(name.size() - 3, 3, "key") == 0;
}

/* Returns the word with the password of a URL replaced: scheme://user:password@host. */
std::string without_url_password(const std::string &word)
{
    std::string masked_word = word;
    for (std::size_t at = masked_word.find("://"); at != word.npos;
         at = masked_word.find("://", at)) {
        at += 3;
        const std::string authority =
            masked_word.substr(at, masked_word.find_first_of("/?#", at) - at);
        const std::size_t colon = authority.find(':');
        const std::size_t end = authority.rfind('@');
        if (end != authority.npos && colon < end)
            masked_word.replace(at + colon + 1, end - colon - 1, masked);
    }
    return masked_word;
}

/* Returns the word with the value of a secret replaced. @p is_value: the previous word named a
 * secret. Set to true if this word does. */
std::string without_secret(const std::string &word, bool &is_value)
{
    const bool is_option = !word.empty() && word[0] == '-';
    if (is_value && !is_option) {
        is_value = false;
        return masked;
    }
    is_value = false;
    std::size_t begin = 0;
    for (std::size_t at = word.find('='); at != word.npos; at = word.find('=', begin)) {
        if (names_secret(word.substr(begin, at - begin)))
            return word.substr(0, at + 1) + masked;
        begin = at + 1;
    }
    is_value = is_option && begin == 0 && names_secret(word);
    return without_url_password(word);
}

/* Returns the command line, with words quoted for a shell if needed. */
std::string arguments()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    std::string joined;
    bool is_value = false;
    for (std::size_t at = whole.find('\0') + 1; at < whole.size();) {
        const std::string recorded = whole.c_str() + at;
        const std::string word = without_secret(recorded, is_value);
        at += recorded.size() + 1;
        joined += joined.empty() ? "" : " ";
        const bool is_plain =
            !word.empty() && word.find_first_of(" \t\n\"'\\$`*?[]{}()<>|&;#~!") == word.npos;
        if (is_plain) {
            joined += word;
            continue;
        }
        joined += '\'';
        for (const char c : word)
            joined += c == '\'' ? std::string("'\\''") : std::string(1, c);
        joined += '\'';
    }
    return joined;
}

std::string program()
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

std::string host()
{
    char name[256] = "";
    return gethostname(name, sizeof name - 1) == 0 ? name : "";
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

void run_identity::begin(recorder &rec, bool with_arguments)
{
    ftr_recorder *const handle = rec.handle();
    ftr_generator start = 0;
    if (ftr_stream_define(handle, "ftr.run", "run", &stream_) != FTR_OK ||
        ftr_generator_define(handle, stream_, "start", nullptr, 0, &start) != FTR_OK ||
        ftr_tx_begin(handle, start, detail::now(), &start_) != FTR_OK)
        return;
    put_text(handle, start_, FTR_CLASS_BEGIN, "program", program());
    if (with_arguments)
        put_text(handle, start_, FTR_CLASS_BEGIN, "arguments", arguments());
    const char *const tags = secure_getenv("FTR_TAGS");
    if (tags && *tags)
        put_text(handle, start_, FTR_CLASS_BEGIN, "tags", tags);
    put_int(handle, start_, FTR_CLASS_BEGIN, "pid", getpid());
    put_text(handle, start_, FTR_CLASS_BEGIN, "host", host());
    put_text(handle, start_, FTR_CLASS_BEGIN, "started", wall_clock());
    put_text(handle, start_, FTR_CLASS_BEGIN, "systemc", sc_core::sc_version());
    put_text(handle, start_, FTR_CLASS_BEGIN, "resolution",
             sc_core::sc_get_time_resolution().to_string());
    put_text(handle, start_, FTR_CLASS_BEGIN, "ftr", FTR_VERSION_TEXT);
    static_cast<void>(ftr_tx_end(handle, start_, detail::now()));
}

void run_identity::end(recorder &rec, int exit_status)
{
    ftr_recorder *const handle = rec.handle();
    ftr_generator run = 0;
    ftr_tx tx{};
    if (!stream_ || ftr_generator_define(handle, stream_, "run", nullptr, 0, &run) != FTR_OK)
        return;
    /* Collected first, because the query of the counts stops recording. */
    std::vector<std::pair<std::string, std::uint64_t>> streams;
    static_cast<void>(ftr_recorder_list_streams(
        handle,
        [](void *user, const char *name, std::uint64_t transactions) {
            static_cast<decltype(streams) *>(user)->emplace_back(name, transactions);
        },
        &streams));
    const ftr_statistics counted = rec.statistics();
    if (ftr_tx_begin(handle, run, 0, &tx) != FTR_OK)
        return;
    put_int(handle, tx, FTR_CLASS_END, "exit_status", exit_status);
    put_text(handle, tx, FTR_CLASS_END, "ended", wall_clock());
    put_count(handle, tx, "transactions", counted.transactions);
    put_count(handle, tx, "relations", counted.relations);
    put_count(handle, tx, "filtered", counted.filtered);
    put_count(handle, tx, "dropped", counted.dropped);
    put_count(handle, tx, "relations_left_out", counted.relations_left_out);
    put_count(handle, tx, "open_transactions", counted.open_transactions);
    for (const auto &stream : streams)
        put_count(handle, tx, ("transactions." + stream.first).c_str(), stream.second);
    static_cast<void>(ftr_tx_end(handle, tx, detail::now()));
}

} // namespace attach
} // namespace ftr
