// Writes small files of every compression into the current directory and prints the results of the
// check for each of them with a flipped bit. Two bits of every byte are flipped, one at a time:
// "FILE BYTE MASK ERRORS WARNINGS RULE...".
#include "reader_fixture.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <set>
#include <stdexcept>
#include <utility>

using namespace reader_test;

namespace
{

// Three chunks of transactions of one stream without relations: damage shows only in the damaged
// chunk itself.
Bytes plain_traffic(ftr_compression compression)
{
    ftr_recorder_options options{};
    options.compression = compression;
    Recording r(options);
    ftr_stream bus;
    ftr_generator read;
    const ftr_attribute declared[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                      {"status", FTR_TYPE_STRING, FTR_CLASS_END}};
    bool well = ftr_stream_define(r(), "bus", "tlm", &bus) == FTR_OK &&
                ftr_generator_define(r(), bus, "read", declared, 2, &read) == FTR_OK;
    for (uint64_t i = 0; well && i < 24; i++) {
        ftr_value values[2] = {};
        values[0].type = FTR_TYPE_UNSIGNED;
        values[0].as.number = 0x1000 + i * 4;
        values[1].type = FTR_TYPE_STRING;
        values[1].as.text = i % 5 == 4 ? "error" : "ok";
        values[1].text_length = FTR_NUL_TERMINATED;
        well = ftr_tx_record(r(), read, i * 10, i * 10 + 5, values, 2, nullptr) == FTR_OK &&
               (i % 8 != 7 || ftr_recorder_flush(r()) == FTR_OK);
    }
    if (!well)
        throw std::runtime_error("recording failed");
    return r.close();
}

// Two bits of each byte, which change from byte to byte.
uint8_t mask_of(size_t at, unsigned which)
{
    return static_cast<uint8_t>(1u << (at * 5 + at / 8 + which * 3) % 8);
}

void print_verdict(const char *name, const Bytes &file, size_t at, uint8_t mask)
{
    Bytes flipped = file;
    flipped[at] ^= mask;
    Reading r(flipped);
    if (r() != nullptr && ftr_reader_check(r()) != FTR_OK)
        throw std::runtime_error("the check failed");
    unsigned errors = r() == nullptr;
    unsigned warnings = 0;
    std::set<std::string> rules;
    for (const Finding &finding : r.findings) {
        if (name == std::string("text.ftr") && finding.rule == "numbering")
            continue; // the undamaged file has the same finding
        (finding.severity == FTR_SEVERITY_ERROR ? errors : warnings)++;
        rules.insert(finding.rule);
    }
    std::printf("%s %zu %u %u %u", name, at, mask, errors, warnings);
    for (const std::string &rule : rules)
        std::printf(" %s", rule.c_str());
    std::printf("\n");
}

void print_verdicts()
{
    const std::pair<const char *, Bytes> files[] = {
        {"lz4.ftr", small_file(FTR_COMPRESSION_LZ4)},
        {"lz4hc.ftr", small_file(FTR_COMPRESSION_LZ4HC)},
        {"meta.ftr", small_file(FTR_COMPRESSION_META)},
        {"none.ftr", small_file(FTR_COMPRESSION_NONE)},
        {"text.ftr", small_file(FTR_COMPRESSION_LZ4, FTR_NUMBERING_SPEC)},
        {"traffic_lz4.ftr", plain_traffic(FTR_COMPRESSION_LZ4)},
        {"traffic_lz4hc.ftr", plain_traffic(FTR_COMPRESSION_LZ4HC)},
        {"traffic_none.ftr", plain_traffic(FTR_COMPRESSION_NONE)},
    };
    for (const auto &[name, bytes] : files) {
        std::ofstream(name, std::ios::binary)
            .write(reinterpret_cast<const char *>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        for (size_t at = 0; at < bytes.size(); at++)
            for (unsigned which = 0; which < 2; which++)
                print_verdict(name, bytes, at, mask_of(at, which));
    }
}

} // namespace

int main()
{
    try {
        print_verdicts();
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
