// Records traces for the tests of reports.
//
//     make_report_trace SHAPE COUNT FILE [edited]
//
// SHAPE: `families` (parents with overlapping children), `accesses` (COUNT TLM accesses with each
// response), `plain` (many alike), `hostile` (names and
// texts that could break the page), `slot` (many latencies at one time), `related` (three
// transactions with COUNT relations), `hops` (accesses on TLM links: chains of up to four hops,
// with phases, errors, and ends of links in `ftr.run`). With `edited`, some
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

// Transactions of links that are no accesses, although they have addresses.
void record_beside_accesses(Recording &r, uint64_t count)
{
    static const ftr_attribute address = {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN};
    for (const char *kind : {"TLM DMI", "TLM phases", "TLM debug"}) {
        ftr_stream stream;
        ftr_generator generator;
        must(ftr_stream_define(r.recorder, (std::string("top.beside ") + kind).c_str(), kind,
                               &stream));
        must(ftr_generator_define(r.recorder, stream, "get", &address, 1, &generator));
        for (uint64_t i = 0; i < count; i++) {
            ftr_value value = {};
            value.type = FTR_TYPE_UNSIGNED;
            value.as.number = 64 * i;
            must(ftr_tx_record(r.recorder, generator, 100 * i, 100 * i, &value, 1, nullptr));
        }
    }
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

// ---- hops --------------------------------------------------------------------------------------

struct Link {
    const char *name, *initiator, *target; // the name of the stream; sockets
};

// `bus` has sockets whose names SystemC generated; two of them lead to the memory.
const Link LINKS[] = {
    {"top.cpu.s", "top.cpu.s", "top.bus.in[0]"},
    {"top.dma.s", "top.dma.s", "top.bus.in[1]"},
    {"top.bus.simple_initiator_socket_tagged_0", "top.bus.simple_initiator_socket_tagged_0",
     "top.memory.port"},
    {"top.bus.simple_initiator_socket_tagged_1", "top.bus.simple_initiator_socket_tagged_1",
     "top.memory.port2"},
    {"top.bus.simple_initiator_socket_tagged_2", "top.bus.simple_initiator_socket_tagged_2",
     "top.bridge.simple_target_socket_0"},
    {"top.bridge.out[0]", "top.bridge.out[0]", "top.uart.simple_target_socket_0"},
};

void put_text(Recording &r, ftr_tx tx, const std::string &name, const std::string &value)
{
    ftr_value text = {};
    text.type = FTR_TYPE_STRING;
    text.as.text = value.data();
    text.text_length = value.size();
    must(ftr_tx_put_named(r.recorder, tx, FTR_CLASS_BEGIN, name.c_str(), &text));
}

void record_links(Recording &r)
{
    ftr_stream stream;
    ftr_generator start;
    ftr_tx tx;
    must(ftr_stream_define(r.recorder, "ftr.run", "run", &stream));
    must(ftr_generator_define(r.recorder, stream, "start", nullptr, 0, &start));
    must(ftr_tx_begin(r.recorder, start, 0, &tx));
    put_text(r, tx, "program", "./prototype");
    for (const Link &link : LINKS) {
        put_text(r, tx, std::string("initiator.") + link.name, link.initiator);
        put_text(r, tx, std::string("target.") + link.name, link.target);
    }
    must(ftr_tx_end(r.recorder, tx, 0));
}

struct Access {
    ftr_tx tx;
    uint64_t begin, end;
};

// The generators 2 * link and 2 * link + 1 are `read` and `write`.
void define_hops(Recording &r)
{
    static const ftr_attribute attributes[] = {
        {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
        {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
        {"data", FTR_TYPE_STRING, FTR_CLASS_RECORD},
        {"response", FTR_TYPE_STRING, FTR_CLASS_END},
        {"request_time", FTR_TYPE_TIME, FTR_CLASS_END},
        {"response_time", FTR_TYPE_TIME, FTR_CLASS_END},
        {"unfinished", FTR_TYPE_BOOLEAN, FTR_CLASS_END},
        {"payload_id", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
        {"delay", FTR_TYPE_TIME, FTR_CLASS_BEGIN},
    };
    for (const Link &link : LINKS) {
        ftr_stream stream;
        must(ftr_stream_define(r.recorder, link.name, "TLM", &stream));
        for (const char *name : {"read", "write"}) {
            ftr_generator generator;
            must(ftr_generator_define(r.recorder, stream, name, attributes,
                                      sizeof attributes / sizeof *attributes, &generator));
            r.generators.push_back(generator);
        }
    }
}

const char *const RESPONSES[] = {
    "OK", "ADDRESS_ERROR", "GENERIC_ERROR", "COMMAND_ERROR", "BURST_ERROR", "BYTE_ENABLE_ERROR"};

// The links behind each link.
const std::vector<size_t> BEHIND[] = {{2, 3, 4}, {2, 4}, {}, {}, {5}, {}};

// An access on a link and on the links behind it. Returns the response.
std::string record_hop(Recording &r, size_t link, bool writes, uint64_t address, uint64_t begin,
                       uint64_t length, const ftr_tx *parent)
{
    ftr_tx tx;
    const uint64_t number = ++r.ended;
    const uint64_t late = r.edited && number % 41 == 0 ? 3 : 0;
    length = length < late ? late : length;
    must(ftr_tx_begin(r.recorder, r.generators[2 * link + (writes ? 1 : 0)], begin + late, &tx));
    if (parent != nullptr)
        r.relate(r.parent_child, *parent, tx);
    must(ftr_tx_put_number(r.recorder, tx, 0, address));
    must(ftr_tx_put_number(r.recorder, tx, 1, 4));
    must(ftr_tx_put_text(r.recorder, tx, 2, "c0ffee00", 8));
    must(ftr_tx_put_number(r.recorder, tx, 7, r.edited ? number + 1000 : number));
    must(ftr_tx_put_number(r.recorder, tx, 8, 5 + late));
    std::string response = r.below(30) == 0 ? RESPONSES[1 + r.below(5)] : "OK";
    const std::vector<size_t> &behind = BEHIND[link];
    for (uint64_t left = behind.empty() ? 0 : r.below(12) == 0 ? r.below(3) : 1; left > 0; --left) {
        // Most hops begin with their parent; some before it, and some end after it.
        const uint64_t wait = r.below(3) == 0 ? 0 : r.below(length / 3 + 1);
        const uint64_t start = r.below(40) == 0 && begin > 50 ? begin - r.below(50) : begin + wait;
        const uint64_t lasts = r.below(4) == 0 ? length : r.below(length + 1);
        const std::string inner = record_hop(r, behind[r.below(behind.size())], writes,
                                             address & 0xfff, start, lasts, &tx);
        if (inner != "OK" && r.below(8) != 0)
            response = inner;
    }
    must(ftr_tx_put_text(r.recorder, tx, 3, response.data(), response.size()));
    if (link % 2 == 1 || link == 2) { // not blocking
        must(ftr_tx_put_number(r.recorder, tx, 4, r.below(length / 3 + 2)));
        must(ftr_tx_put_number(r.recorder, tx, 5,
                               r.below(10) == 0 ? length : r.below(length / 3 + 1)));
    }
    if (r.below(200) == 0)
        must(ftr_tx_put_bool(r.recorder, tx, 6, true));
    must(ftr_tx_end(r.recorder, tx, begin + length + (r.edited && number % 37 == 0 ? 9 : 0)));
    return response;
}

void record_hops(Recording &r, uint64_t count)
{
    record_links(r);
    define_hops(r);
    uint64_t time = 1000;
    for (uint64_t i = 0; i < count; ++i, time += r.below(150)) {
        const uint64_t address = 0x80000000 + r.below(600) * 0x1000;
        const uint64_t length = r.below(9) == 0 ? 0 : r.below(300);
        record_hop(r, r.below(2), r.below(2) == 0, address, time, length, nullptr);
    }
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
    else if (shape == "hops")
        record_hops(recording, count);
    else if (shape == "plain")
        record_plain(recording, count);
    else if (shape == "slot")
        record_slot(recording, count);
    else if (shape == "accesses")
        record_accesses(recording, count), record_beside_accesses(recording, count);
    else if (shape == "related")
        record_related(recording, count);
    else
        record_hostile(recording, count);
    recording.close();
    return 0;
}
