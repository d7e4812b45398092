/* Traces for the tests of the page: record_traffic KIND FILE [COUNT [LONGER]]
 *   bus         reads of processors that wait for a memory, with errors and unfinished
 * transactions; one of 16 lasts LONGER ticks more wide        transactions with neighbouring times
 * beyond the precision of doubles hostile     names and values that would be markup, scripts or
 * control characters */
#include <ftr/recorder.h>

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
        if (ftr_relation_put(rec, parent_child, read, child) != FTR_OK)
            return false;
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

int main(int argc, char **argv)
{
    const ftr_recorder_options options = {.size = sizeof options, .time_scale = -12};
    ftr_recorder *rec = NULL;
    if (argc < 3 || ftr_recorder_open(argv[2], &options, &rec) != FTR_OK)
        return 2;
    bool good = false;
    if (strcmp(argv[1], "bus") == 0)
        good = record_bus(rec, argc > 3 ? strtoull(argv[3], NULL, 10) : 1000,
                          argc > 4 ? strtoull(argv[4], NULL, 10) : 0);
    else if (strcmp(argv[1], "wide") == 0)
        good = record_wide(rec);
    else if (strcmp(argv[1], "hostile") == 0)
        good = record_hostile(rec);
    return ftr_recorder_close(rec) == FTR_OK && good ? 0 : 1;
}
