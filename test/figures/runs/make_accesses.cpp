// Records TLM accesses of an invented prototype, as an attached prototype does:
//
//     make_accesses FILE SEED [NAME=VALUE]...
//
// A CPU (blocking) and a DMA (non-blocking) reach a memory and a UART over a bus. Each access is a
// transaction on each link that it passes, with PARENT_CHILD relations. count=N accesses of the
// initiators (default 400); response=TEXT all accesses have this response; phases=0 leaves out
// request_time and response_time; extra=0 leaves out the streams that are not links; calls=1
// records streams with the names and kinds of calls instead; summary=PATH keeps a summary as well;
// values=N different addresses (default 40); slow=N ticks are added to each request_time; crash=1
// ends without closing the file.
#include <ftr/recorder.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

namespace
{

struct settings {
    uint64_t count = 400, values = 40, slow = 0;
    bool phases = true, extra = true, calls = false, crash = false;
    std::string response, summary;
};

uint64_t state;
ftr_recorder *recorder;
ftr_relation parent_child;

uint64_t random_below(uint64_t limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % limit;
}

void must(ftr_status status)
{
    if (status != FTR_OK) {
        std::fprintf(stderr, "make_accesses: %s\n", ftr_status_text(status));
        std::exit(1);
    }
}

ftr_value text_value(const char *text)
{
    ftr_value value{};
    value.type = FTR_TYPE_STRING;
    value.as.text = text;
    value.text_length = FTR_NUL_TERMINATED;
    return value;
}

ftr_value number_value(uint64_t number, ftr_type type = FTR_TYPE_UNSIGNED)
{
    ftr_value value{};
    value.type = type;
    value.as.number = number;
    return value;
}

void put(ftr_tx tx, ftr_attribute_class class_, const char *name, const ftr_value &value)
{
    must(ftr_tx_put_named(recorder, tx, class_, name, &value));
}

struct link {
    ftr_generator generators[2]; // read, write
    ftr_generator events;
};

enum attribute { ADDRESS, LENGTH, RESPONSE, REQUEST_TIME, RESPONSE_TIME };
const ftr_attribute attributes[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                    {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                    {"response", FTR_TYPE_STRING, FTR_CLASS_END},
                                    {"request_time", FTR_TYPE_TIME, FTR_CLASS_END},
                                    {"response_time", FTR_TYPE_TIME, FTR_CLASS_END}};

link define_link(const settings &set, const std::string &name, bool has_events)
{
    link made{};
    ftr_stream stream = 0;
    const std::string as_calls = name + (has_events ? "_nb_timed" : "_bl");
    must(ftr_stream_define(recorder, set.calls ? as_calls.c_str() : name.c_str(),
                           set.calls ? "[TLM][base-protocol][b]" : "TLM", &stream));
    must(ftr_generator_define(recorder, stream, "read", attributes, 5, &made.generators[0]));
    must(ftr_generator_define(recorder, stream, "write", attributes, 5, &made.generators[1]));
    if (has_events && !set.calls)
        must(ftr_generator_define(recorder, stream, "read.events", nullptr, 0, &made.events));
    return made;
}

const char *random_response()
{
    // Texts that look like errors but are none, and names of calls, which are errors.
    static const char *const rare[] = {
        "GENERIC_ERROR",    "ADDRESS_ERROR",           "COMMAND_ERROR",
        "BURST_ERROR",      "BYTE_ENABLE_ERROR",       "INCOMPLETE",
        "MY_GENERIC_ERROR", "ADDRESS_ERRORS",          "ERROR",
        "NOT_COMPLETE",     "TLM_BURST_ERROR_RESPONSE"};
    return random_below(8) == 0 ? rare[random_below(sizeof rare / sizeof rare[0])] : "OK";
}

struct access {
    uint64_t begin, end, address, length, command;
};

/// Records one hop. @p is_at: the access is non-blocking
ftr_tx record_hop(const settings &set, const link &on, const access &of, bool is_at)
{
    ftr_tx tx;
    must(ftr_tx_begin(recorder, on.generators[of.command], of.begin, &tx));
    must(ftr_tx_put_number(recorder, tx, ADDRESS, of.address));
    must(ftr_tx_put_number(recorder, tx, LENGTH, of.length));
    if (!is_at && random_below(3) == 0)
        put(tx, FTR_CLASS_BEGIN, "delay", number_value(random_below(9) * 1000, FTR_TYPE_TIME));
    if (set.extra && on.events != 0 && of.command == 0 && random_below(3) == 0)
        must(ftr_tx_event(recorder, tx, on.events, (of.begin + of.end) / 2, nullptr, 0, nullptr));
    const bool is_unfinished = set.extra && random_below(60) == 0;
    const char *response = set.response.empty() ? random_response() : set.response.c_str();
    if (!is_unfinished || random_below(2) == 0)
        must(ftr_tx_put_text(recorder, tx, RESPONSE, response, FTR_NUL_TERMINATED));
    if (is_at && set.phases) {
        const uint64_t most = (of.end - of.begin) / 2000 + 1;
        const uint64_t cycles = random_below(4) == 0 ? random_below(most) : 1;
        must(ftr_tx_put_number(recorder, tx, REQUEST_TIME, 1000 * cycles + set.slow));
        if (random_below(20) != 0)
            must(ftr_tx_put_number(recorder, tx, RESPONSE_TIME,
                                   1000 * std::min<uint64_t>(random_below(5), most)));
    }
    if (random_below(40) == 0)
        put(tx, FTR_CLASS_END, "lowered_by", number_value(random_below(5000), FTR_TYPE_TIME));
    if (is_unfinished) {
        ftr_value yes{};
        yes.type = FTR_TYPE_BOOLEAN;
        yes.as.boolean = true;
        put(tx, FTR_CLASS_END, "unfinished", yes);
    }
    must(ftr_tx_end(recorder, tx, of.end));
    return tx;
}

/// Most accesses go to one target; some end at the bus, and some are split.
void record_access(const settings &set, const link &from, const std::vector<link> &to,
                   const access &of, bool is_at)
{
    const uint64_t target = of.address % to.size();
    const uint64_t parts = random_below(20) == 0 ? random_below(4) : 1;
    std::vector<ftr_tx> children;
    for (uint64_t i = 0; i < parts; i++) {
        const uint64_t length = of.end - of.begin;
        access part = of;
        part.begin = of.begin + length * i / (parts + 1);
        part.end = part.begin + length / (parts + 1);
        part.length = of.length / parts;
        const uint64_t other = random_below(8) == 0 ? 1 : 0;
        children.push_back(
            record_hop(set, to[(target + (parts > 1 ? other : 0)) % to.size()], part, is_at));
    }
    const ftr_tx tx = record_hop(set, from, of, is_at);
    for (const ftr_tx &child : children)
        must(ftr_relation_put(recorder, parent_child, tx, child));
}

/// A generator with more attributes of type TIME than a summary keeps.
void record_queue(uint64_t count)
{
    static const char *const names[] = {"wait_time",     "delay", "lowered_by",
                                        "response_time", "zeta",  "alpha"};
    ftr_stream stream;
    ftr_generator generators[3];
    must(ftr_stream_define(recorder, "top.queue", "fifo", &stream));
    must(ftr_generator_define(recorder, stream, "push", nullptr, 0, &generators[0]));
    must(ftr_generator_define(recorder, stream, "pop", nullptr, 0, &generators[1]));
    must(ftr_generator_define(recorder, stream, "peek", nullptr, 0, &generators[2]));
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t which = random_below(3);
        ftr_tx tx;
        must(ftr_tx_begin(recorder, generators[which], i * 700, &tx));
        // push has the delays only, peek all except response_time
        for (uint64_t k = random_below(4); k > 0; k--) {
            const char *name = names[which == 0 ? 1 + random_below(2) : random_below(6)];
            if (which == 2 && std::strcmp(name, "response_time") == 0)
                continue;
            put(tx, FTR_CLASS_RECORD, name, number_value(random_below(200) * 500, FTR_TYPE_TIME));
        }
        must(ftr_tx_end(recorder, tx, i * 700 + random_below(2000)));
    }
}

void record_debug(const settings &set)
{
    ftr_stream stream;
    ftr_generator generator;
    must(ftr_stream_define(recorder, "cpu.s.debug", "TLM debug", &stream));
    must(ftr_generator_define(recorder, stream, "read", attributes, 3, &generator));
    for (uint64_t i = 0; i < set.count / 10; i++) {
        const ftr_value values[] = {
            number_value(i), number_value(4),
            text_value(set.response.empty() ? random_response() : set.response.c_str())};
        must(ftr_tx_record(recorder, generator, 5000 * i, 5000 * i, values, 3, nullptr));
    }
}

/// The start of the run with the ends of its links, and its end
void record_run(const char *path)
{
    const char *const ends[][2] = {{"initiator.cpu.s", "cpu"},
                                   {"target.cpu.s", "bus"},
                                   {"initiator.dma.s", "dma"},
                                   {"target.bus.out[0]", "memory"},
                                   {"started", path}};
    ftr_stream stream;
    ftr_generator generator;
    ftr_tx tx;
    must(ftr_stream_define(recorder, "ftr.run", "run", &stream));
    must(ftr_generator_define(recorder, stream, "start", nullptr, 0, &generator));
    must(ftr_tx_begin(recorder, generator, 0, &tx));
    for (const auto &end : ends)
        put(tx, FTR_CLASS_BEGIN, end[0], text_value(end[1]));
    put(tx, FTR_CLASS_END, "exit_status", number_value(0));
    must(ftr_tx_end(recorder, tx, 0));
}

void record(const settings &set, const char *path)
{
    must(ftr_relation_define(recorder, "PARENT_CHILD", &parent_child));
    record_run(path);
    const link cpu = define_link(set, "cpu.s", false);
    const link dma = define_link(set, "dma.s", true);
    const std::vector<link> out = {define_link(set, "bus.out[0]", false),
                                   define_link(set, "bus.out[1]", false)};
    uint64_t now = 0;
    for (uint64_t i = 0; i < set.count; i++) {
        const bool is_at = random_below(2) == 0;
        const uint64_t cycles =
            5 + random_below(30) + (random_below(10) == 0 ? random_below(80) : 0);
        now += 1000 * random_below(20);
        const access of = {now, now + 1000 * cycles, 4 * random_below(set.values),
                           UINT64_C(4) << random_below(4), random_below(2)};
        record_access(set, is_at ? dma : cpu, out, of, is_at);
    }
    if (set.extra) {
        record_queue(set.count);
        record_debug(set);
    }
}

void take(settings &set, const char *argument)
{
    const char *const equals = std::strchr(argument, '=');
    const std::string name(argument, equals != nullptr ? equals : argument);
    const std::string text = equals != nullptr ? equals + 1 : "";
    const uint64_t number = std::strtoull(text.c_str(), nullptr, 10);
    if (name == "count")
        set.count = number;
    else if (name == "values")
        set.values = number;
    else if (name == "slow")
        set.slow = number;
    else if (name == "phases")
        set.phases = number != 0;
    else if (name == "extra")
        set.extra = number != 0;
    else if (name == "calls")
        set.calls = number != 0;
    else if (name == "crash")
        set.crash = number != 0;
    else if (name == "response")
        set.response = text;
    else if (name == "summary")
        set.summary = text;
    else
        std::exit(2);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    settings set;
    for (int i = 3; i < argc; i++)
        take(set, argv[i]);
    state = std::strtoull(argv[2], nullptr, 10) * 7919 + 1;
    ftr_recorder_options options{};
    options.size = sizeof options;
    options.time_scale = -12;
    if (!set.summary.empty())
        options.summary = set.summary.c_str();
    must(ftr_recorder_open(argv[1], &options, &recorder));
    record(set, argv[1]);
    if (set.crash) {
        must(ftr_recorder_flush(recorder));
        std::_Exit(1);
    }
    must(ftr_recorder_close(recorder));
    return 0;
}
