// Records traces for the tests of reports.
//
//     make_report_trace SHAPE COUNT FILE [edited]
//
// SHAPE: `families` (parents with overlapping children), `accesses` (COUNT TLM accesses with each
// response), `plain` (many alike), `hostile` (names and
// texts that could break the page), `slot` (many latencies at one time), `related` (three
// transactions with COUNT relations). With `edited`, some
// transactions end later, some have another status, some are added, some relations are missing,
// some have another name, and some are added.
#include <ftr/recorder.h>
#include <ftr/transaction.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace
{

void must(ftr_status status)
{
    if (status != FTR_OK) {
        std::fprintf(stderr, "make_report_trace: %s\n", ftr_status_text(status));
        std::exit(2);
    }
}

struct Recording {
    ftr_recorder *recorder;
    ftr_relation parent_child, follows;
    std::vector<ftr_generator> generators;
    std::mt19937_64 random{7};
    bool edited = false;
    uint64_t ended = 0;
    uint64_t related = 0;

    explicit Recording(const char *path)
    {
        must(ftr_recorder_open(path, nullptr, &recorder));
        must(ftr_recorder_set_time_scale(recorder, -12));
        must(ftr_relation_define(recorder, "PARENT_CHILD", &parent_child));
        must(ftr_relation_define(recorder, "PREDECESSOR_SUCCESSOR", &follows));
    }

    uint64_t below(uint64_t limit) { return random() % limit; }

    void define(const std::string &stream_name, const std::string &generator_name)
    {
        static const ftr_attribute attributes[] = {
            {"trans.address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
            {"trans.data_length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
            {"trans.response_status", FTR_TYPE_STRING, FTR_CLASS_END},
            {"payload", FTR_TYPE_POINTER, FTR_CLASS_RECORD},
            {"delay", FTR_TYPE_TIME, FTR_CLASS_END},
            {"level", FTR_TYPE_INTEGER, FTR_CLASS_RECORD},
            {"share", FTR_TYPE_FLOATING_POINT, FTR_CLASS_RECORD},
            {"cached", FTR_TYPE_BOOLEAN, FTR_CLASS_RECORD},
        };
        ftr_stream stream;
        ftr_generator generator;
        must(ftr_stream_define(recorder, stream_name.c_str(), "bus", &stream));
        must(ftr_generator_define(recorder, stream, generator_name.c_str(), attributes,
                                  sizeof attributes / sizeof *attributes, &generator));
        generators.push_back(generator);
    }

    ftr_tx begin(size_t generator, uint64_t time)
    {
        ftr_tx tx;
        must(ftr_tx_begin(recorder, generators[generator % generators.size()], time, &tx));
        must(ftr_tx_put_number(recorder, tx, 0, 0x80000000 + below(600) * 0x1000));
        must(ftr_tx_put_number(recorder, tx, 1, 1 + below(64)));
        if (below(3) == 0)
            must(ftr_tx_put_number(recorder, tx, 3, 0x7fff00000000 + below(8) * 64));
        if (below(4) == 0)
            must(ftr_tx_put_int(recorder, tx, 5, -static_cast<int64_t>(below(100))));
        if (below(4) == 0)
            must(ftr_tx_put_real(recorder, tx, 6, static_cast<double>(below(64)) / 64));
        if (below(4) == 0)
            must(ftr_tx_put_bool(recorder, tx, 7, below(2) == 0));
        return tx;
    }

    void end(ftr_tx tx, uint64_t time)
    {
        std::string status = below(50) == 0 ? "TLM_ADDRESS_ERROR_RESPONSE" : "TLM_OK_RESPONSE";
        if (edited && ++ended % 97 == 0)
            time += 1234;
        if (edited && ended % 89 == 0)
            status = "TLM_GENERIC_ERROR_RESPONSE";
        must(ftr_tx_put_text(recorder, tx, 2, status.data(), status.size()));
        must(ftr_tx_put_number(recorder, tx, 4, below(1000)));
        must(ftr_tx_end(recorder, tx, time));
    }

    void relate(ftr_relation kind, ftr_tx from, ftr_tx to)
    {
        ++related;
        if (edited && related % 31 == 0)
            return;
        must(ftr_relation_put(recorder, edited && related % 43 == 0 ? follows : kind, from, to));
        if (edited && related % 53 == 0)
            must(ftr_relation_put(recorder, kind, to, from));
    }

    void close() { must(ftr_recorder_close(recorder)); }
};

// Children that overlap each other, begin with their parent or before it, end after it, have no
// duration.
void record_family(Recording &r, uint64_t time, unsigned depth)
{
    const uint64_t length = r.below(5) == 0 ? r.below(100000) : r.below(3000);
    const ftr_tx parent = r.begin(r.below(100), time);
    for (uint64_t left = r.below(4); left > 0; --left) {
        const uint64_t first = time + (r.below(3) == 0 ? 0 : r.below(length + 200));
        const uint64_t start = r.below(10) == 0 && first > 100 ? first - 100 : first;
        const ftr_tx child = r.begin(r.below(100), start);
        r.relate(r.parent_child, parent, child);
        if (depth > 0 && r.below(2) == 0) {
            const ftr_tx inner = r.begin(r.below(100), start);
            r.relate(r.parent_child, child, inner);
            r.relate(r.follows, child, inner);
            r.end(inner, start + r.below(1000));
        }
        r.end(child, start + (r.below(5) == 0 ? 0 : r.below(length + 100)));
    }
    r.end(parent, time + length);
}

// Accesses and debug accesses with each response, finished and unfinished.
void record_accesses(Recording &r, uint64_t count)
{
    static const char *const responses[] = {
        "OK",          "INCOMPLETE",        "GENERIC_ERROR", "ADDRESS_ERROR", "COMMAND_ERROR",
        "BURST_ERROR", "BYTE_ENABLE_ERROR", "NO_ERROR"};
    static const ftr_attribute attributes[] = {{"response", FTR_TYPE_STRING, FTR_CLASS_END},
                                               {"unfinished", FTR_TYPE_BOOLEAN, FTR_CLASS_END}};
    for (const char *kind : {"TLM", "TLM debug"}) {
        ftr_stream stream;
        ftr_generator generator;
        must(ftr_stream_define(r.recorder, std::strlen(kind) == 3 ? "top.link" : "top.link_debug",
                               kind, &stream));
        must(ftr_generator_define(r.recorder, stream, "read", attributes, 2, &generator));
        for (uint64_t i = 0; i < 2 * std::size(responses) * count; i++) {
            ftr_value values[2] = {};
            values[0].type = FTR_TYPE_STRING;
            values[0].text_length = FTR_NUL_TERMINATED;
            values[0].as.text = responses[i / 2 % std::size(responses)];
            values[1].type = FTR_TYPE_BOOLEAN;
            values[1].as.boolean = true;
            must(ftr_tx_record(r.recorder, generator, 100 * i, 100 * i + 50, values, 1 + i % 2,
                               nullptr));
        }
    }
}

void record_families(Recording &r, uint64_t count)
{
    for (const char *stream : {"top.cpu", "top.bus", "top.memory", "top.memory.row"})
        for (const char *generator : {"read", "write"})
            r.define(stream, generator);
    uint64_t time = 1000;
    for (uint64_t i = 0; i < count; ++i, time += r.below(2000)) {
        record_family(r, time, 1);
        if (r.edited && i % 61 == 0)
            must(ftr_tx_record(r.recorder, r.generators[0], time, time + 17, nullptr, 0, nullptr));
    }
    (void)r.begin(0, time); // never ends
}

void record_plain(Recording &r, uint64_t count)
{
    r.define("top.bus", "read");
    r.define("top.bus", "write");
    uint64_t time = 0;
    for (uint64_t i = 0; i < count; ++i, time += r.below(100))
        r.end(r.begin(r.below(2), time), time + r.below(1000) + (r.below(1000) == 0 ? 5000 : 0));
}

void record_related(Recording &r, uint64_t count)
{
    ftr_tx tx[3];
    r.define("top.bus", "read");
    for (ftr_tx &each : tx)
        r.end(each = r.begin(0, r.ended), r.ended + 10);
    for (uint64_t i = 0; i < count; ++i)
        r.relate(r.follows, tx[i % 3], tx[(i + 1) % 3]);
}

// All in one slot: more latencies than are kept as they are.
void record_slot(Recording &r, uint64_t count)
{
    r.define("top.bus", "read");
    for (uint64_t i = 0; i < count; ++i)
        r.end(r.begin(0, 1000), 1000 + r.below(100000));
    r.end(r.begin(0, 2000000), 2000001);
}

void record_hostile(Recording &r, uint64_t count)
{
    const std::string texts[] = {
        "</script><script>document.title='broken'</script>",
        "<!--ftr:data-->",
        "<img src=x onerror=alert(1)>",
        "\"'\\`${1}&amp;&lt;",
        std::string("nul\0 tab\t line\n escape\x1b[31m", 25),
        "\xe2\x80\xa8 \xe2\x80\xae right to left \xf0\x9f\x9a\x80",
        "invalid \xff\xfe\xc3( utf-8",
        std::string(10000, 'x'),
        std::string(9000, 'y') + "\xe2\x82\xac" + std::string(20000, 'z'),
        "",
    };
    static const ftr_attribute attributes[] = {{"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN}};
    for (const std::string &name : texts) {
        const std::string until_nul = name.empty() ? "top" : name.c_str();
        ftr_stream stream;
        ftr_generator generator;
        must(ftr_stream_define(r.recorder, until_nul.c_str(), until_nul.c_str(), &stream));
        must(
            ftr_generator_define(r.recorder, stream, until_nul.c_str(), attributes, 1, &generator));
        for (uint64_t i = 0; i < count; ++i) {
            const std::string &text = texts[i % (sizeof texts / sizeof *texts)];
            ftr_value named = {};
            ftr_tx tx;
            must(ftr_tx_begin(r.recorder, generator, i * 10, &tx));
            must(ftr_tx_put_text(r.recorder, tx, 0, text.data(), text.size()));
            named.type = FTR_TYPE_UNSIGNED;
            named.as.number = i;
            must(ftr_tx_put_named(r.recorder, tx, FTR_CLASS_RECORD, until_nul.c_str(), &named));
            must(ftr_tx_end(r.recorder, tx, i * 10 + 5));
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    const std::string shape = argv[1];
    const uint64_t count = std::strtoull(argv[2], nullptr, 10);
    Recording recording(argv[3]);
    recording.edited = argc > 4;
    if (shape == "families")
        record_families(recording, count);
    else if (shape == "accesses")
        record_accesses(recording, count);
    else if (shape == "plain")
        record_plain(recording, count);
    else if (shape == "slot")
        record_slot(recording, count);
    else if (shape == "related")
        record_related(recording, count);
    else
        record_hostile(recording, count);
    recording.close();
    return 0;
}
