// Records a run of an invented prototype:
//
//     make_run FILE SEED [NAME=VALUE]...
//
// The transactions depend only on the seed and on these settings: count=N transactions per
// generator (default 400); slow=PERCENT added to all latencies; silent=NAME a stream or
// STREAM.GENERATOR without a transaction, repeatable; hang=STREAM.GENERATOR begins a
// transaction after half of its transactions, and records nothing after it, repeatable;
// identity=TEXT recorded in ftr.run as the start of the run; exit=STATUS; wide=1 adds a generator
// with more than 65,536 different latencies; threads=N threads take turns to record transactions of
// one generator, which never overlap; scale=N the time scale; crash=1 ends without closing the
// file; die=N sends signal N to itself at the end; close=1 closes the default recorder itself;
// summary=PATH keeps a summary as well. A FILE of "default" records to the default recorder, as the
// environment says.
#include <ftr/environment.h>
#include <ftr/recorder.h>

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace
{

struct settings {
    uint64_t count = 400, slow = 0, exit_status = 0, threads = 0;
    int scale = -12;
    int die = 0;
    bool wide = false, clock = false, crash = false, close = false;
    std::string identity, summary;
    std::vector<std::string> silent, hangs;
};

uint64_t state;

uint64_t random_below(uint64_t limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % limit;
}

ftr_recorder *recorder;

void complain(void *, ftr_severity, const char *message)
{
    std::fprintf(stderr, "%s\n", message);
}

void must(ftr_status status)
{
    if (status != FTR_OK) {
        std::fprintf(stderr, "make_run: %s\n", ftr_status_text(status));
        std::exit(1);
    }
}

struct generator {
    ftr_generator handle;
    std::string stream;
    const char *response; // for those without error
    std::string name;     // without the stream
};

const ftr_attribute payload[] = {{"trans.data_length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                 {"trans.response_status", FTR_TYPE_STRING, FTR_CLASS_END}};

std::vector<generator> define()
{
    struct {
        const char *stream, *kind, *generator, *response;
    } const table[] = {
        {"top.bus0.out_bl", "[TLM][base-protocol][b]", "read", "tlm::TLM_OK_RESPONSE"},
        {"top.bus0.out_bl", "[TLM][base-protocol][b]", "write", "tlm::TLM_OK_RESPONSE"},
        {"top.bus1.out_bl", "[TLM][base-protocol][b]", "read", "tlm::TLM_OK_RESPONSE"},
        {"top.bus1.out_bl", "[TLM][base-protocol][b]", "write", "tlm::TLM_OK_RESPONSE"},
        {"top.dma.out_nb", "[TLM][base-protocol][nb]", "fw", "tlm::TLM_INCOMPLETE_RESPONSE"},
        {"top.dma.out_nb_timed", "[TLM][base-protocol][nb][timed]", "response",
         "tlm::TLM_OK_RESPONSE"},
        {"top.cpu.irq", "irq", "raise", nullptr},
        {"top.cpu.odd \"<&>\"", "\xce\xbcs", "\xce\xb1.b", nullptr},
    };
    std::vector<generator> generators;
    ftr_stream stream = 0;
    const char *last = "";
    for (const auto &row : table) {
        ftr_generator handle = 0;
        if (std::strcmp(row.stream, last) != 0)
            must(ftr_stream_define(recorder, row.stream, row.kind, &stream));
        last = row.stream;
        must(ftr_generator_define(recorder, stream, row.generator, payload,
                                  row.response != nullptr ? 2 : 1, &handle));
        generators.push_back({handle, row.stream, row.response, row.generator});
    }
    return generators;
}

void define_clusters(std::vector<generator> &generators)
{
    for (char cluster = '0'; cluster < '6'; cluster++) {
        const std::string name = std::string("top.cluster") + cluster + ".core.socket_bl";
        ftr_stream stream = 0;
        must(ftr_stream_define(recorder, name.c_str(), "[TLM][base-protocol][b]", &stream));
        for (const char *access : {"read", "write"}) {
            ftr_generator handle = 0;
            must(ftr_generator_define(recorder, stream, access, payload, 2, &handle));
            generators.push_back({handle, name, "tlm::TLM_OK_RESPONSE", access});
        }
    }
}

// Ticks from the begin of an access to its end: a few cycles for a hit, a row of DRAM for a miss,
// and the rest of the access before it.
uint64_t clocked_latency(const generator &from, uint64_t begin)
{
    static std::map<ftr_generator, uint64_t> free_times;
    uint64_t &free_at = free_times[from.handle];
    const uint64_t kind = random_below(100);
    uint64_t cycles = from.stream.size() % 3 + 2;
    if (kind >= 97)
        for (cycles = 90; random_below(26) != 0;)
            cycles++;
    else if (kind >= 85)
        cycles = 38 + 3 * random_below(4) + random_below(2);
    else if (kind >= 60)
        cycles = 12 + random_below(3);
    free_at = (free_at > begin ? free_at : begin) + 1000 * cycles;
    return free_at - begin;
}

bool is_in(const std::vector<std::string> &names, const generator &from)
{
    for (const std::string &name : names)
        if (name == from.stream || name == from.stream + "." + from.name)
            return true;
    return false;
}

bool is_silent(const generator &from, const settings &set)
{
    return is_in(set.silent, from);
}

void record_one(const generator &from, const settings &set, uint64_t &begin)
{
    static const char *const errors[] = {"tlm::TLM_ADDRESS_ERROR_RESPONSE",
                                         "tlm::TLM_INCOMPLETE_RESPONSE",
                                         "tlm::TLM_GENERIC_ERROR_RESPONSE"};
    begin += set.clock ? random_below(200) * 1000 : random_below(50) * 100;
    const uint64_t tail = random_below(40) == 0 ? random_below(40) * 500 : 0;
    uint64_t latency = random_below(12) == 0 ? 0 : (20 + random_below(30)) * 500 + tail;
    if (set.clock)
        latency = clocked_latency(from, begin);
    latency += latency * set.slow / 100;
    ftr_value values[2] = {};
    values[0].type = FTR_TYPE_UNSIGNED;
    values[0].as.number = 4 * random_below(17);
    values[1].type = FTR_TYPE_STRING;
    const bool is_error = random_below(60) == 0;
    values[1].as.text = is_error ? errors[random_below(3)] : from.response;
    values[1].text_length = FTR_NUL_TERMINATED;
    if (!is_silent(from, set))
        must(ftr_tx_record(recorder, from.handle, begin, begin + latency, values,
                           from.response != nullptr ? 2 : 1, nullptr));
}

// Nearly in order of time, as a simulation does.
void record(const std::vector<generator> &generators, const settings &set)
{
    std::vector<uint64_t> begins(generators.size(), 1000);
    for (uint64_t i = 0; i < set.count; i++)
        for (size_t g = 0; g < generators.size(); g++) {
            const bool hangs = is_in(set.hangs, generators[g]);
            if (!hangs || i < set.count / 2) {
                record_one(generators[g], set, begins[g]);
            } else if (i == set.count / 2) {
                ftr_tx open;
                must(ftr_tx_begin(recorder, generators[g].handle, begins[g], &open));
            }
        }
    for (size_t g = 0; g < generators.size(); g++) {
        ftr_tx open;
        if (!is_silent(generators[g], set) && random_below(3) == 0 &&
            !is_in(set.hangs, generators[g]))
            must(ftr_tx_begin(recorder, generators[g].handle, begins[g], &open)); // until the close
    }
}

void record_wide()
{
    ftr_stream stream;
    ftr_generator generator;
    must(ftr_stream_define(recorder, "top.wide", "wide", &stream));
    must(ftr_generator_define(recorder, stream, "g", nullptr, 0, &generator));
    for (uint64_t i = 0; i < 100000; i++)
        must(ftr_tx_record(recorder, generator, i, i + 3000 + 7919 * i % 1000003, nullptr, 0,
                           nullptr));
}

void record_in_turns(uint64_t count)
{
    ftr_stream stream;
    ftr_generator generator;
    must(ftr_stream_define(recorder, "top.turns", "turns", &stream));
    must(ftr_generator_define(recorder, stream, "g", nullptr, 0, &generator));
    std::mutex mutex;
    uint64_t now = 0;
    std::vector<std::thread> threads;
    for (uint64_t n = 0; n < count; n++)
        threads.emplace_back([&] {
            for (int i = 0; i < 20000; i++) {
                const std::lock_guard<std::mutex> lock(mutex);
                must(ftr_tx_record(recorder, generator, now, now + 7, nullptr, 0, nullptr));
                now += 10;
            }
        });
    for (std::thread &thread : threads)
        thread.join();
}

void put_text(ftr_tx tx, const char *name, const std::string &text)
{
    ftr_value value{};
    value.type = FTR_TYPE_STRING;
    value.as.text = text.data();
    value.text_length = text.size();
    must(ftr_tx_put_named(recorder, tx, FTR_CLASS_BEGIN, name, &value));
}

void record_run(const settings &set, bool begins, ftr_stream &stream)
{
    ftr_generator generator;
    ftr_tx tx;
    if (begins)
        must(ftr_stream_define(recorder, "ftr.run", "run", &stream));
    must(ftr_generator_define(recorder, stream, begins ? "start" : "run", nullptr, 0, &generator));
    must(ftr_tx_begin(recorder, generator, 0, &tx));
    if (begins) {
        put_text(tx, "program", "/opt/vp");
        put_text(tx, "started", set.identity);
        put_text(tx, "tags", "seed=" + set.identity);
    } else {
        ftr_value value{};
        value.type = FTR_TYPE_INTEGER;
        value.as.integer = static_cast<int64_t>(set.exit_status);
        must(ftr_tx_put_named(recorder, tx, FTR_CLASS_END, "exit_status", &value));
    }
    must(ftr_tx_end(recorder, tx, 0));
}

void take(settings &set, const char *argument)
{
    const char *const equals = std::strchr(argument, '=');
    const std::string name(argument, equals != nullptr ? equals : argument);
    const std::string text = equals != nullptr ? equals + 1 : "";
    const uint64_t number = std::strtoull(text.c_str(), nullptr, 10);
    if (name == "count")
        set.count = number;
    else if (name == "slow")
        set.slow = number;
    else if (name == "silent")
        set.silent.push_back(text);
    else if (name == "hang")
        set.hangs.push_back(text);
    else if (name == "identity")
        set.identity = text;
    else if (name == "exit")
        set.exit_status = number;
    else if (name == "scale")
        set.scale = std::atoi(text.c_str());
    else if (name == "threads")
        set.threads = number;
    else if (name == "wide")
        set.wide = number != 0;
    else if (name == "clock")
        set.clock = number != 0;
    else if (name == "crash")
        set.crash = number != 0;
    else if (name == "die")
        set.die = std::atoi(text.c_str());
    else if (name == "close")
        set.close = number != 0;
    else if (name == "summary")
        set.summary = text;
    else if (name != "+token") // its value is masked in the recorded arguments
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
    options.time_scale = set.scale;
    options.threads = 1;
    if (!set.summary.empty())
        options.summary = set.summary.c_str();
    if (std::strcmp(argv[1], "default") != 0)
        must(ftr_recorder_open(argv[1], &options, &recorder));
    else if ((recorder = ftr_default_recorder(set.scale, complain, nullptr)) == nullptr)
        return 3;
    ftr_stream run = 0;
    if (!set.identity.empty())
        record_run(set, true, run);
    std::vector<generator> generators = define();
    if (set.clock)
        define_clusters(generators);
    record(generators, set);
    if (set.wide)
        record_wide();
    record_in_turns(set.threads);
    if (set.die != 0)
        raise(set.die);
    if (set.crash) {
        must(ftr_recorder_flush(recorder));
        if (!set.summary.empty() || std::strcmp(argv[1], "default") == 0)
            sleep(3); // the writer looks meanwhile
        std::_Exit(1);
    }
    if (!set.identity.empty())
        record_run(set, false, run);
    if (std::strcmp(argv[1], "default") == 0 && !set.close)
        return static_cast<int>(set.exit_status); // an exit handler closes it
    must(ftr_recorder_close(recorder));
    return 0;
}
