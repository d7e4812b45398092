// Records the same workload in every combination of compression, numbering, floats, threads and
// kind of file: record_modes DIRECTORY. The names of the files are
// MODE-COMPRESSION-NUMBERING-FLOATS-THREADS.ftr.
#include <ftr/recorder.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace
{
void expect(ftr_status status)
{
    if (status == FTR_OK)
        return;
    std::fprintf(stderr, "record_modes: %s\n", ftr_status_text(status));
    std::exit(1);
}

ftr_value number(ftr_type type, std::uint64_t value)
{
    ftr_value made = {};
    made.type = type;
    made.as.number = value;
    return made;
}

ftr_value text(ftr_type type, const char *value)
{
    ftr_value made = {};
    made.type = type;
    made.text_length = FTR_NUL_TERMINATED;
    made.as.text = value;
    return made;
}

ftr_value real(ftr_type type, double value)
{
    ftr_value made = {};
    made.type = type;
    made.as.real = value;
    return made;
}

const std::vector<ftr_attribute> attributes = {
    {"boolean", FTR_TYPE_BOOLEAN, FTR_CLASS_BEGIN},
    {"enumeration", FTR_TYPE_ENUMERATION, FTR_CLASS_BEGIN},
    {"integer", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN},
    {"unsigned", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
    {"real", FTR_TYPE_FLOATING_POINT, FTR_CLASS_RECORD},
    {"bits", FTR_TYPE_BIT_VECTOR, FTR_CLASS_RECORD},
    {"logic", FTR_TYPE_LOGIC_VECTOR, FTR_CLASS_RECORD},
    {"fixed", FTR_TYPE_FIXED_POINT_INTEGER, FTR_CLASS_RECORD},
    {"unsigned fixed", FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER, FTR_CLASS_RECORD},
    {"pointer", FTR_TYPE_POINTER, FTR_CLASS_END},
    {"string", FTR_TYPE_STRING, FTR_CLASS_END},
    {"time", FTR_TYPE_TIME, FTR_CLASS_END},
};

std::vector<ftr_value> values(std::uint64_t n)
{
    ftr_value boolean = {};
    boolean.type = FTR_TYPE_BOOLEAN;
    boolean.as.boolean = n % 2 == 1;
    ftr_value integer = {};
    integer.type = FTR_TYPE_INTEGER;
    integer.as.integer = n % 3 == 0 ? INT64_MIN : -static_cast<std::int64_t>(n);
    const char *const strings[] = {"", "OK", "\xff invalid", "\xc3\xbc",
                                   "a text that is used again"};
    return {boolean,
            text(FTR_TYPE_ENUMERATION, n % 2 ? "IDLE" : "BUSY"),
            integer,
            number(FTR_TYPE_UNSIGNED, INT64_MAX - n),
            real(FTR_TYPE_FLOATING_POINT, n % 5 ? 0.5 * static_cast<double>(n) : 0.1),
            text(FTR_TYPE_BIT_VECTOR, n % 2 ? "0101" : "1"),
            text(FTR_TYPE_LOGIC_VECTOR, n % 2 ? "01XZ" : "10"),
            real(FTR_TYPE_FIXED_POINT_INTEGER, -0.25),
            real(FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER, 0.75),
            number(FTR_TYPE_POINTER, 0xdeadbeef00 + n),
            text(FTR_TYPE_STRING, strings[n % 5]),
            number(FTR_TYPE_TIME, n)};
}

// Names that not all viewers can show unchanged.
const char *const names[] = {"top.cpu", "top.cpu.isock", "..",      ".start",    "end.",
                             "a..b",    "bus.out[0]",    "top.cpu", "\xff.port", "deep.er.down"};
constexpr std::size_t streams = sizeof names / sizeof names[0];

void record_workload(ftr_recorder *rec, std::uint64_t count)
{
    std::vector<ftr_generator> generators;
    for (const char *name : names) {
        ftr_stream stream = 0;
        ftr_generator generator = 0;
        expect(ftr_stream_define(rec, name, "kind", &stream));
        expect(ftr_generator_define(rec, stream, "never used", nullptr, 0, &generator));
        expect(ftr_generator_define(rec, stream, "used", attributes.data(), attributes.size(),
                                    &generator));
        generators.push_back(generator);
    }
    ftr_relation follows = 0;
    expect(ftr_relation_define(rec, "follows", &follows));
    ftr_tx previous = {};
    for (std::uint64_t n = 0; n < count; ++n) {
        const std::vector<ftr_value> all = values(n);
        ftr_tx outer = {};
        ftr_tx inner = {};
        expect(ftr_tx_begin(rec, generators[n % streams], n * 10, &outer));
        expect(ftr_tx_record(rec, generators[(n + 3) % streams], n * 10 + 1, n * 10 + 5, all.data(),
                             all.size(), &inner));
        expect(ftr_relation_put(rec, follows, outer, inner));
        if (n > 0)
            expect(ftr_relation_put(rec, follows, previous, outer));
        expect(ftr_tx_end(rec, outer, n * 10 + 9));
        previous = outer;
    }
    expect(ftr_tx_begin(rec, generators[0], count * 10, &previous)); // open at the end
}

void record(const std::string &path, const std::string &mode, ftr_recorder_options options)
{
    ftr_recorder *rec = nullptr;
    std::uint64_t count = 400;
    options.epoch_seconds = 1700000000;
    if (mode == "flight")
        options.mode = FTR_MODE_FLIGHT;
    if (mode == "rotated") {
        options.max_size = 64 << 10;
        options.max_files = 100;
        count = 1200;
    }
    if (mode == "small") // many chunks
        options.chunk_size = 512;
    expect(ftr_recorder_open(path.c_str(), &options, &rec));
    record_workload(rec, count);
    if (mode == "flight")
        expect(ftr_recorder_trigger(rec));
    expect(ftr_recorder_close(rec));
}
} // namespace

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    const char *const compressions[] = {"lz4", "lz4hc", "none", "meta"};
    const char *const numberings[] = {"deployed", "spec"};
    const char *const floats[] = {"single", "double", "text"};
    for (const char *mode : {"file", "flight", "rotated", "small"})
        for (int compression = 0; compression < 4; ++compression)
            for (int numbering = 0; numbering < 2; ++numbering)
                for (int width = 0; width < 3; ++width) {
                    ftr_recorder_options options = {};
                    options.compression = static_cast<ftr_compression>(compression);
                    options.numbering = static_cast<ftr_numbering>(numbering);
                    options.floats = static_cast<ftr_floats>(width);
                    options.threads = (compression + width) % 2;
                    const std::string path = std::string(argv[1]) + "/" + mode + "-" +
                                             compressions[compression] + "-" +
                                             numberings[numbering] + "-" + floats[width] + ".ftr";
                    record(path, mode, options);
                }
    return 0;
}
