/* Traces for the tests of the page: record_traffic KIND FILE [COUNT [LONGER]]
 *   bus      reads of processors that wait for a memory, with errors and unfinished transactions;
 *            one of 16 lasts LONGER ticks more; if LONGER is not 0, one of 64 relations is missing,
 *            one leads to another transaction, and one exists twice
 *   wide     transactions with neighbouring times beyond the precision of doubles
 *   prototype  COUNT accesses of a processor and of a DMA to a memory and a UART behind a bus
 *   commands  COUNT accesses of LONGER ticks to a DRAM, each with a command of its controller
 *   still    one transaction that takes no time
 *   hostile  names and values that would be markup, scripts or control characters
 *   values   values of all forms, with texts that are hard to compare, uncompressed; COUNT random
 *            reals of LONGER bytes (4 or 8)
 *   events   reads with events inside them, and events outside of their parent or without one */
#include <ftr/recorder.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSORS = 4, LONG_TEXT = 10000 };

static ftr_value number(uint64_t value)
{
    return (ftr_value){.type = FTR_TYPE_UNSIGNED, .as.number = value};
}

static ftr_value text(const char *value)
{
    return (ftr_value){
        .type = FTR_TYPE_STRING, .as.text = value, .text_length = FTR_NUL_TERMINATED};
}

static bool record_bus(ftr_recorder *rec, uint64_t count, uint64_t longer)
{
    static const ftr_attribute of_read[] = {
        {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
        {"data_length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
        {"trans.response_status", FTR_TYPE_STRING, FTR_CLASS_END},
    };
    ftr_stream memory;
    ftr_generator access;
    ftr_relation parent_child;
    ftr_generator reads[PROCESSORS];
    ftr_tx open;
    if (ftr_stream_define(rec, "top.memory", "[TLM]", &memory) != FTR_OK ||
        ftr_generator_define(rec, memory, "access", of_read, 1, &access) != FTR_OK ||
        ftr_relation_define(rec, "PARENT_CHILD", &parent_child) != FTR_OK)
        return false;
    for (unsigned i = 0; i < PROCESSORS; i++) {
        char name[32];
        ftr_stream processor;
        snprintf(name, sizeof name, "top.cpus.cpu%u", i);
        if (ftr_stream_define(rec, name, "[TLM]", &processor) != FTR_OK ||
            ftr_generator_define(rec, processor, i % 2 ? "write" : "read", of_read, 3, &reads[i]) !=
                FTR_OK)
            return false;
    }
    ftr_tx before = {0};
    uint32_t seed = 1;
    for (uint64_t i = 0; i < count / 2; i++) {
        seed = seed * 1664525 + 1013904223;
        const uint64_t begin = i * 7000 + seed % 1000;
        const uint64_t wait =
            (i % 1000 == 500 ? 250000 : 1000 + (seed >> 8) % 9000) + (i % 16 == 3 ? longer : 0);
        const ftr_value values[] = {
            number(0x80000000 + (seed >> 20) * 4), number(4),
            text(seed >> 16 & 63 ? "TLM_OK_RESPONSE" : "TLM_ADDRESS_ERROR_RESPONSE")};
        ftr_tx read;
        ftr_tx child;
        ftr_tx_record(rec, reads[i % PROCESSORS], begin, begin + wait + 3000, values, 3, &read);
        ftr_tx_record(rec, access, begin + 2000, begin + 2000 + wait, values, 1, &child);
        const uint64_t edit = longer > 0 ? i % 64 : 0;
        const unsigned times = edit == 5 ? 0 : edit == 7 ? 2 : 1;
        for (unsigned k = 0; k < times; k++)
            if (ftr_relation_put(rec, parent_child, read, edit == 9 ? before : child) != FTR_OK)
                return false;
        before = child;
    }
    return ftr_tx_begin(rec, reads[0], count / 2 * 7000, &open) == FTR_OK;
}

static bool record_wide(ftr_recorder *rec)
{
    static const uint64_t begins[] = {5, ((uint64_t)1 << 61) + 1, ((uint64_t)1 << 61) + 4,
                                      ((uint64_t)1 << 61) + 9};
    static const ftr_attribute of_step[] = {{"number", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}};
    ftr_stream stream;
    ftr_generator step;
    if (ftr_stream_define(rec, "wide", "", &stream) != FTR_OK ||
        ftr_generator_define(rec, stream, "step", of_step, 1, &step) != FTR_OK)
        return false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const ftr_value value = number(UINT64_MAX - i);
        ftr_tx_record(rec, step, begins[i], begins[i] + 2, &value, 1, NULL);
    }
    return true;
}

static bool record_still(ftr_recorder *rec)
{
    static const ftr_attribute declared[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}};
    const ftr_value value = number(0x40);
    ftr_stream stream;
    ftr_generator generator;
    return ftr_stream_define(rec, "top.still", "", &stream) == FTR_OK &&
           ftr_generator_define(rec, stream, "read", declared, 1, &generator) == FTR_OK &&
           ftr_tx_record(rec, generator, 1000, 1000, &value, 1, NULL) == FTR_OK;
}

static bool record_hostile(ftr_recorder *rec)
{
    static const char script[] = "</script><script>document.title='harmed'</script>";
    static const char markup[] = "<img src=x onerror=\"document.title='harmed'\"> & 'quotes' \"q\"";
    static const char control[] =
        "tab\there, bell\a, escape\033[31m, line\nbreak, \xe2\x80\xaereversed";
    static const char foreign[] = "__proto__";
    char *longest = malloc(LONG_TEXT + 1);
    if (!longest)
        return false;
    memset(longest, 'x', LONG_TEXT);
    longest[LONG_TEXT] = '\0';
    const char *const names[] = {script, markup, control, foreign, longest, "<!--", "]]>"};
    bool good = true;
    for (size_t i = 0; good && i < sizeof names / sizeof *names; i++) {
        const ftr_attribute declared[] = {{names[i], FTR_TYPE_STRING, FTR_CLASS_BEGIN}};
        const ftr_value value = text(names[i]);
        ftr_stream stream;
        ftr_generator generator;
        good = ftr_stream_define(rec, names[i], names[i], &stream) == FTR_OK &&
               ftr_generator_define(rec, stream, names[i], declared, 1, &generator) == FTR_OK &&
               ftr_tx_record(rec, generator, i * 10, i * 10 + 5, &value, 1, NULL) == FTR_OK;
    }
    free(longest);
    return good;
}

static const double reals[] = {0,
                               -0.0,
                               1,
                               -1.5,
                               0.1,
                               1e21,
                               123456789012345680000.0,
                               1e22,
                               1e-6,
                               1e-7,
                               1.5e-9,
                               5e-324,
                               1.7976931348623157e308,
                               0x1p-44,
                               0x1p-1022,
                               9007199254740993.0,
                               4194303.25,
                               2097151.125,
                               16777216,
                               1.0 / 3,
                               0.000001234,
                               100,
                               1e20,
                               INFINITY,
                               -INFINITY,
                               NAN};
static const uint64_t numbers[] = {0,    1,          10,         64,           0x40,
                                   1000, 999999,     1000000,    1500000,      UINT64_MAX,
                                   255,  0x80001000, 1234567890, 100000000000, 1000000000000};
static const int64_t integers[] = {-1, -64, -1000, -1500000, INT64_MIN};

/* Texts with letters of several scripts, and bytes that are not UTF-8. */
static const char *const texts[] = {
    "Plain OK",
    "\xc3\x84RGER \xc3\xa4rger stra\303\237e \xc3\x97 \xc3\xb7",
    "\xc4\xb0stanbul \xc4\xb1 \xc5\xb8 \xc3\xbf \xc5\xbd \xc5\xbf",
    "\xce\x9f\xce\x94\xce\x9f\xce\xa3 \xce\xbf\xce\xb4\xce\xbf\xcf\x82 \xce\x86",
    "\xd0\x94\xd0\xb0 \xd0\x81 \xd3\x80 \xd4\xae",
    "\xef\xbb\xbfmark at the begin",
    "invalid \xff\xfe\xc3( \xe2\x82 \xf0\x9f\x98 \xed\xa0\x80 end",
    "\xe2\x84\xaa kelvin \xf0\x90\x90\x80 deseret \xe1\xba\x9e",
    "true",
    "(none)",
    "0x40",
    "64",
    "quoted \"text\" =~ <>#",
    "",
};

static void put_texts(ftr_recorder *rec, ftr_generator generator)
{
    char *longest = malloc(3 * LONG_TEXT + 1);
    uint64_t time = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++, time += 7) {
        ftr_tx tx;
        if (ftr_tx_begin(rec, generator, time, &tx) == FTR_OK &&
            ftr_tx_put_text(rec, tx, 3, texts[i], strlen(texts[i])) == FTR_OK)
            (void)ftr_tx_end(rec, tx, time + i * 1000);
    }
    if (longest == NULL)
        return;
    /* Texts of which the page has only a part; one is divided inside a character. */
    for (size_t i = 0; i < 3; i++, time += 7) {
        ftr_tx tx;
        for (size_t k = 0; k < 3 * LONG_TEXT; k++)
            longest[k] = "\xe2\x82\xac"[(k + i) % 3];
        memcpy(longest + 3 * LONG_TEXT - 4, "last", 4);
        if (ftr_tx_begin(rec, generator, time, &tx) == FTR_OK &&
            ftr_tx_put_text(rec, tx, 3, longest, 3 * LONG_TEXT) == FTR_OK)
            (void)ftr_tx_end(rec, tx, time);
    }
    free(longest);
}

/* An incomplete response is an error only where a response is expected. The page does not show the
 * stream `ftr.notes`. */
static bool record_incomplete(ftr_recorder *rec)
{
    static const char *const kinds[] = {"[TLM][base-protocol][b]", "[TLM][base-protocol][nb]",
                                        "[TLM][base-protocol][dbg]", "ftr.notes"};
    static const ftr_attribute status[] = {{"status", FTR_TYPE_STRING, FTR_CLASS_END}};
    const ftr_value value = text("TLM_INCOMPLETE_RESPONSE");
    for (uint64_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ftr_stream stream;
        ftr_generator request, response;
        if (ftr_stream_define(rec, kinds[i], kinds[i], &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "request", status, 1, &request) != FTR_OK ||
            ftr_generator_define(rec, stream, "response", status, 1, &response) != FTR_OK ||
            ftr_tx_record(rec, request, i, i + 1, &value, 1, NULL) != FTR_OK ||
            ftr_tx_record(rec, response, i, i + 1, &value, 1, NULL) != FTR_OK)
            return false;
    }
    return true;
}

static bool record_values(ftr_recorder *rec, uint64_t count)
{
    static const ftr_attribute declared[] = {
        {"real", FTR_TYPE_FLOATING_POINT, FTR_CLASS_RECORD},
        {"number", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
        {"integer", FTR_TYPE_INTEGER, FTR_CLASS_RECORD},
        {"text", FTR_TYPE_STRING, FTR_CLASS_END},
        {"time", FTR_TYPE_TIME, FTR_CLASS_END},
        {"pointer", FTR_TYPE_POINTER, FTR_CLASS_END},
        {"myADDRess", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
        {"flag", FTR_TYPE_BOOLEAN, FTR_CLASS_END},
        {"\xc3\x84 \xff name", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    };
    ftr_stream stream;
    ftr_generator generator;
    uint64_t seed = 1, time = 1000;
    ftr_tx tx;
    if (ftr_stream_define(rec, "top.\xce\xa3tream \xff", "", &stream) != FTR_OK ||
        ftr_generator_define(rec, stream, "Values", declared, sizeof declared / sizeof *declared,
                             &generator) != FTR_OK)
        return false;
    put_texts(rec, generator);
    if (!record_incomplete(rec))
        return false;
    for (uint64_t i = 0; i < count + sizeof reals / sizeof *reals; i++, time += 10) {
        double real;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        memcpy(&real, &seed, sizeof real);
        if (i % 2 == 0) /* fewer digits */
            real = (double)(int64_t)(seed >> 40) / (double)(1 << (i % 12));
        if (ftr_tx_begin(rec, generator, time, &tx) == FTR_OK &&
            ftr_tx_put_real(rec, tx, 0, i < count ? real : reals[i - count]) == FTR_OK)
            (void)ftr_tx_end(rec, tx, time + i);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++, time += 10) {
        if (ftr_tx_begin(rec, generator, time, &tx) != FTR_OK)
            return false;
        (void)ftr_tx_put_number(rec, tx, 1, numbers[i]);
        (void)ftr_tx_put_number(rec, tx, 4, numbers[i]);
        (void)ftr_tx_put_number(rec, tx, 5, numbers[i]);
        (void)ftr_tx_put_number(rec, tx, 6, numbers[i]);
        (void)ftr_tx_put_number(rec, tx, 8, numbers[i]);
        (void)ftr_tx_put_bool(rec, tx, 7, i % 2 == 0);
        (void)ftr_tx_put_int(rec, tx, 2, integers[i % (sizeof integers / sizeof *integers)]);
        (void)ftr_tx_end(rec, tx, time + numbers[i] % 5000);
    }
    return true;
}

static ftr_named_value named(const char *name, ftr_value value)
{
    return (ftr_named_value){name, value};
}

/* Reads that overlap in pairs. Of each, the events are a point, two spans that touch, and two
 * points at the same time; some reads also have an event after their end. */
static bool record_events(ftr_recorder *rec, uint64_t count)
{
    static const ftr_attribute address[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}};
    static const char *const reasons[] = {"queue full", "bank busy", "refresh"};
    ftr_stream core, memory;
    ftr_generator read, access, orphans = 0;
    ftr_relation parent_child;
    if (ftr_stream_define(rec, "top.core", "core", &core) != FTR_OK ||
        ftr_stream_define(rec, "top.memory", "memory", &memory) != FTR_OK ||
        ftr_generator_define(rec, core, "read", address, 1, &read) != FTR_OK ||
        ftr_generator_define(rec, memory, "access", address, 1, &access) != FTR_OK ||
        ftr_events_define(rec, access, NULL, 0, &orphans) != FTR_OK ||
        ftr_relation_define(rec, "PARENT_CHILD", &parent_child) != FTR_OK)
        return false;
    bool good = true;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t begin = 1000 + i * 6000;
        const ftr_value words[] = {number(0x1000 + 64 * i)};
        const ftr_value stall = text("stall"), fill = text("fill"), hit = text("L2 hit");
        const ftr_value miss = text("<miss>"), late = text("late");
        const ftr_named_value reason = named("reason", text(reasons[i % 3]));
        const ftr_named_value way[] = {named("way", number(i % 8)), named("set", number(i))};
        ftr_tx tx = {0}, child = {0};
        good &= ftr_tx_begin(rec, read, begin, &tx) == FTR_OK &&
                ftr_tx_put_number(rec, tx, 0, words[0].as.number) == FTR_OK;
        good &= ftr_tx_event_named(rec, tx, begin + 700, begin + 700, &hit, way, 2, NULL) == FTR_OK;
        good &= ftr_tx_event_named(rec, tx, begin + 2000, begin + 5000, &stall, &reason, 1, NULL) ==
                FTR_OK;
        good &=
            ftr_tx_event_named(rec, tx, begin + 5000, begin + 6500, &fill, NULL, 0, NULL) == FTR_OK;
        good &=
            ftr_tx_event_named(rec, tx, begin + 7500, begin + 7500, &miss, NULL, 0, NULL) == FTR_OK;
        good &=
            ftr_tx_event_named(rec, tx, begin + 7500, begin + 7500, &hit, NULL, 0, NULL) == FTR_OK;
        if (i % 4 == 3)
            good &= ftr_tx_event_named(rec, tx, begin + 9500, begin + 9800, &late, NULL, 0, NULL) ==
                    FTR_OK;
        good &=
            ftr_tx_record(rec, access, begin + 2500, begin + 4500, words, 1, &child) == FTR_OK &&
            ftr_relation_put(rec, parent_child, tx, child) == FTR_OK;
        if (i % 4 == 1)
            good &= ftr_tx_record(rec, orphans, begin, begin + 400, &late, 1, NULL) == FTR_OK;
        good &= ftr_tx_end(rec, tx, begin + 9000) == FTR_OK;
    }
    return good;
}

/* ---- a prototype ----------------------------------------------------------------------------- */

enum { CPU, DMA, TO_MEMORY, TO_UART, LINKS };

/* The streams and the targets of the links. */
static const char *const links[LINKS][2] = {
    {"platform.cpu.s", "platform.bus.in[0]"},
    {"platform.dma.s", "platform.bus.in[1]"},
    {"platform.bus.simple_initiator_socket_0", "platform.memory.simple_target_socket_0"},
    {"platform.bus.simple_initiator_socket_1", "platform.a_uart_with_a_name_that_is_too_long.s"},
};

/* Records the attribute `target.N` of ftr.run of each link. */
static bool record_ends_of_links(ftr_recorder *rec, const char *const (*of)[2], size_t count)
{
    ftr_stream stream;
    ftr_generator start;
    ftr_tx tx;
    if (ftr_stream_define(rec, "ftr.run", "run", &stream) != FTR_OK ||
        ftr_generator_define(rec, stream, "start", NULL, 0, &start) != FTR_OK ||
        ftr_tx_begin(rec, start, 0, &tx) != FTR_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        char name[80];
        const ftr_value target = text(of[i][1]);
        snprintf(name, sizeof name, "target.%s", of[i][0]);
        if (ftr_tx_put_named(rec, tx, FTR_CLASS_BEGIN, name, &target) != FTR_OK)
            return false;
    }
    return ftr_tx_end(rec, tx, 0) == FTR_OK;
}

/* An access in picoseconds; without phases, both of their times are 0. */
typedef struct access {
    uint64_t begin, end, request_time, response_time, address;
    const char *response;
} access;

static ftr_tx put_access(ftr_recorder *rec, ftr_generator generator, const access *of)
{
    ftr_tx tx = {0};
    if (ftr_tx_begin(rec, generator, of->begin, &tx) != FTR_OK)
        return tx;
    (void)ftr_tx_put_number(rec, tx, 0, of->address);
    (void)ftr_tx_put_number(rec, tx, 1, 4);
    (void)ftr_tx_put_text(rec, tx, 2, "2a000000", 8);
    (void)ftr_tx_put_text(rec, tx, 3, of->response, strlen(of->response));
    if (of->request_time > 0)
        (void)ftr_tx_put_number(rec, tx, 4, of->request_time);
    if (of->response_time > 0)
        (void)ftr_tx_put_number(rec, tx, 5, of->response_time);
    (void)ftr_tx_end(rec, tx, of->end);
    return tx;
}

static bool record_prototype(ftr_recorder *rec, uint64_t count)
{
    static const ftr_attribute attributes[] = {
        {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
        {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
        {"data", FTR_TYPE_STRING, FTR_CLASS_RECORD},
        {"response", FTR_TYPE_STRING, FTR_CLASS_END},
        {"request_time", FTR_TYPE_TIME, FTR_CLASS_END},
        {"response_time", FTR_TYPE_TIME, FTR_CLASS_END},
    };
    ftr_generator generators[LINKS][2];
    ftr_relation parent_child;
    uint64_t seed = 1;
    if (!record_ends_of_links(rec, links, LINKS) ||
        ftr_relation_define(rec, "PARENT_CHILD", &parent_child) != FTR_OK)
        return false;
    for (size_t i = 0; i < LINKS; i++) {
        ftr_stream stream;
        if (ftr_stream_define(rec, links[i][0], "TLM", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "read", attributes, 6, &generators[i][0]) != FTR_OK ||
            ftr_generator_define(rec, stream, "write", attributes, 6, &generators[i][1]) != FTR_OK)
            return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const uint64_t random = seed >> 33;
        const bool is_dma = i % 3 == 2, writes = random % 4 == 0;
        const bool to_uart = !is_dma && random % 9 == 0;
        const uint64_t begin = i * 20000;
        const uint64_t request = is_dma ? 4000 + random % 7 * 1000 : 0; /* waits for the bus */
        const uint64_t decode = is_dma ? request + 1000 : random % 2 * 2000;
        const uint64_t work = to_uart ? 45000 : 8000 + random % 5 * 1000;
        const uint64_t accept = is_dma ? 3000 : 0;
        const char *response = to_uart && random % 4 == 1 ? "ADDRESS_ERROR" : "OK";
        const access outer = {begin,
                              begin + decode + work + 1000 + accept,
                              request,
                              accept,
                              (to_uart ? 0x10000000 : 0x80000000) + random % 64 * 0x40,
                              response};
        const access inner = {begin + decode,         begin + decode + work,
                              is_dma ? 1000 : 0,      0,
                              outer.address & 0xffff, response};
        const size_t link = is_dma ? DMA : CPU, next = to_uart ? TO_UART : TO_MEMORY;
        const ftr_tx first = put_access(rec, generators[link][writes], &outer);
        const ftr_tx second = put_access(rec, generators[next][writes], &inner);
        if (ftr_relation_put(rec, parent_child, first, second) != FTR_OK)
            return false;
    }
    return true;
}

/* The stream of the commands belongs to the link of the controller. */
static bool record_commands(ftr_recorder *rec, uint64_t count, uint64_t length)
{
    static const char *const ends[][2] = {{"cpu.s", "ctrl.in"}, {"ctrl.s", "dram.in"}};
    static const ftr_attribute declared[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}};
    ftr_stream stream, commands;
    ftr_generator read, activate;
    ftr_relation parent_child;
    bool good = record_ends_of_links(rec, ends, 2) &&
                ftr_relation_define(rec, "PARENT_CHILD", &parent_child) == FTR_OK &&
                ftr_stream_define(rec, "cpu.s", "TLM", &stream) == FTR_OK &&
                ftr_generator_define(rec, stream, "read", declared, 1, &read) == FTR_OK &&
                ftr_stream_define(rec, "ctrl.s.phases", "TLM phases", &commands) == FTR_OK &&
                ftr_generator_define(rec, commands, "ACT", declared, 1, &activate) == FTR_OK;
    for (uint64_t i = 0; good && i < count; i++) {
        const uint64_t begin = i * 100000;
        const ftr_value address = number(i * 64);
        ftr_tx outer, inner;
        good = ftr_tx_record(rec, read, begin, begin + length, &address, 1, &outer) == FTR_OK &&
               ftr_tx_record(rec, activate, begin, begin, &address, 1, &inner) == FTR_OK &&
               ftr_relation_put(rec, parent_child, outer, inner) == FTR_OK;
    }
    return good;
}

int main(int argc, char **argv)
{
    ftr_recorder_options options = {.size = sizeof options, .time_scale = -12};
    ftr_recorder *rec = NULL;
    if (argc > 4 && strcmp(argv[1], "values") == 0) {
        options.compression = FTR_COMPRESSION_NONE;
        options.floats = atoi(argv[4]) == 8 ? FTR_FLOATS_DOUBLE : FTR_FLOATS_SINGLE;
    }
    if (argc < 3 || ftr_recorder_open(argv[2], &options, &rec) != FTR_OK)
        return 2;
    bool good = false;
    if (strcmp(argv[1], "bus") == 0)
        good = record_bus(rec, argc > 3 ? strtoull(argv[3], NULL, 10) : 1000,
                          argc > 4 ? strtoull(argv[4], NULL, 10) : 0);
    else if (strcmp(argv[1], "wide") == 0)
        good = record_wide(rec);
    else if (strcmp(argv[1], "prototype") == 0)
        good = record_prototype(rec, argc > 3 ? strtoull(argv[3], NULL, 10) : 300);
    else if (strcmp(argv[1], "commands") == 0)
        good = record_commands(rec, argc > 3 ? strtoull(argv[3], NULL, 10) : 20,
                               argc > 4 ? strtoull(argv[4], NULL, 10) : 0);
    else if (strcmp(argv[1], "still") == 0)
        good = record_still(rec);
    else if (strcmp(argv[1], "hostile") == 0)
        good = record_hostile(rec);
    else if (strcmp(argv[1], "values") == 0)
        good = record_values(rec, argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
    else if (strcmp(argv[1], "events") == 0)
        good = record_events(rec, argc > 3 ? strtoull(argv[3], NULL, 10) : 20);
    return ftr_recorder_close(rec) == FTR_OK && good ? 0 : 1;
}
