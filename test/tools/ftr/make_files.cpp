// Writes the files for the cases of the command into the working directory.
#include "reader_fixture.hpp"

#include <algorithm>
#include <fstream>

using namespace reader_test;

namespace
{

void write(const char *path, const Bytes &bytes)
{
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

Bytes without_last(Bytes bytes, size_t count)
{
    bytes.resize(bytes.size() - count);
    return bytes;
}

// The same transactions on other streams, in ns instead of ps; two of them are errors.
Bytes nanoseconds()
{
    ftr_recorder_options options{};
    options.time_scale = -9;
    Recording r(options);
    ftr_stream stream;
    ftr_generator write;
    const ftr_attribute declared[] = {
        {"trans.response_status", FTR_TYPE_STRING, FTR_CLASS_END},
        {"trans.address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    };
    if (ftr_stream_define(r(), "top.dma", "dma", &stream) != FTR_OK ||
        ftr_generator_define(r(), stream, "write", declared, 2, &write) != FTR_OK)
        return {};
    for (uint64_t i = 0; i < 20; i++) {
        ftr_value values[2] = {};
        values[0].type = FTR_TYPE_STRING;
        values[0].as.text = i % 10 == 9 ? "TLM_ADDRESS_ERROR_RESPONSE" : "TLM_OK_RESPONSE";
        values[0].text_length = FTR_NUL_TERMINATED;
        values[1].type = FTR_TYPE_UNSIGNED;
        values[1].as.number = 0x1000 + i * 4;
        if (ftr_tx_record(r(), write, i * 10, i * 10 + 5 + i, values, 2, nullptr) != FTR_OK)
            return {};
    }
    return r.close();
}

// Three transactions; each one begins when the previous one ends.
Bytes touching(uint64_t second_end = 20)
{
    return beginning() + definitions() +
           transaction_chunk(
               1, 0, 30,
               indefinite({transaction(1, 2, 0, 10), transaction(2, 2, 10, second_end),
                           transaction(3, 2, 20, 30)})) +
           Bytes{0xff};
}

// An attached run: the records of libftr_attach in the stream ftr.run, and two transactions of the
// model, one of which is open at the end.
Bytes attached_run()
{
    Recording r;
    ftr_stream run, bus;
    ftr_generator start, end, read;
    ftr_tx tx, open;
    const ftr_attribute begins[] = {{"program", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
                                    {"pid", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}};
    const ftr_attribute ends[] = {{"exit_status", FTR_TYPE_INTEGER, FTR_CLASS_END},
                                  {"transactions", FTR_TYPE_UNSIGNED, FTR_CLASS_END},
                                  {"open_transactions", FTR_TYPE_UNSIGNED, FTR_CLASS_END},
                                  {"transactions.bus", FTR_TYPE_UNSIGNED, FTR_CLASS_END}};
    bool ok = ftr_stream_define(r(), "ftr.run", "run", &run) == FTR_OK &&
              ftr_stream_define(r(), "bus", "tlm", &bus) == FTR_OK &&
              ftr_generator_define(r(), run, "start", begins, 2, &start) == FTR_OK &&
              ftr_generator_define(r(), run, "run", ends, 4, &end) == FTR_OK &&
              ftr_generator_define(r(), bus, "read", nullptr, 0, &read) == FTR_OK &&
              ftr_tx_begin(r(), start, 0, &tx) == FTR_OK &&
              ftr_tx_put_text(r(), tx, 0, "/opt/vp/soc", FTR_NUL_TERMINATED) == FTR_OK &&
              ftr_tx_put_int(r(), tx, 1, 4711) == FTR_OK && ftr_tx_end(r(), tx, 0) == FTR_OK &&
              ftr_tx_begin(r(), read, 10, &tx) == FTR_OK && ftr_tx_end(r(), tx, 20) == FTR_OK &&
              ftr_tx_begin(r(), read, 30, &open) == FTR_OK;
    ftr_statistics counted{};
    ok = ok && ftr_recorder_get_statistics(r(), &counted) == FTR_OK &&
         ftr_tx_begin(r(), end, 0, &tx) == FTR_OK && ftr_tx_put_int(r(), tx, 0, 7) == FTR_OK &&
         ftr_tx_put_number(r(), tx, 1, counted.transactions) == FTR_OK &&
         ftr_tx_put_number(r(), tx, 2, counted.open_transactions) == FTR_OK &&
         ftr_tx_put_number(r(), tx, 3, 1) == FTR_OK && ftr_tx_end(r(), tx, 40) == FTR_OK;
    return ok ? r.close() : Bytes{};
}

// A file with a damaged LZ4 block in the first transaction chunk.
Bytes destroyed()
{
    const Bytes file = small_file(FTR_COMPRESSION_LZ4);
    Reading sound(file);
    ftr_chunk_info info{};
    size_t i = 0;
    while (ftr_reader_get_chunk(sound(), i, &info) && info.kind != FTR_CHUNK_TRANSACTIONS)
        i++;
    for (uint64_t at = info.offset + 12; at < info.offset + info.size; at++) {
        Bytes flipped = file;
        flipped[at] ^= 8;
        Reading r(flipped);
        if (r() != nullptr && ftr_reader_check(r()) == FTR_OK && r.has("chunk-lz4"))
            return flipped;
    }
    return {};
}

// A file with a dictionary, directory, transactions or relations that state one entry but contain
// more.
Bytes ended_early(ftr_chunk_kind kind)
{
    const auto body = [kind](ftr_chunk_kind of, Bytes sound, uint8_t one) {
        if (kind == of)
            sound[0] = one;
        return sound;
    };
    const auto relation = [](uint64_t from, uint64_t to) {
        return head(4, 5) + head(0, 1) + head(0, from) + head(0, to) + head(0, 1) + head(0, 1);
    };
    const uint8_t one_entry = 0x81, one_pair = 0xa1;
    const Bytes texts = head(5, 3) + head(0, 0) + text_item("s") + head(0, 1) + text_item("k") +
                        head(0, 2) + text_item("g");
    const Bytes streams =
        indefinite({head(6, 16) + head(4, 3) + head(0, 1) + head(0, 0) + head(0, 1),
                    head(6, 17) + head(4, 3) + head(0, 2) + head(0, 2) + head(0, 1)});
    const Bytes transactions = indefinite(
        {transaction(1, 2, 0, 10), transaction(2, 2, 10, 20), transaction(3, 2, 20, 30)});
    return beginning() + chunk(8, body(FTR_CHUNK_DICTIONARY, texts, one_pair)) +
           chunk(10, body(FTR_CHUNK_DIRECTORY, streams, one_entry)) +
           transaction_chunk(1, 0, 30, body(FTR_CHUNK_TRANSACTIONS, transactions, one_entry)) +
           chunk(14, body(FTR_CHUNK_RELATIONS, indefinite({relation(1, 2), relation(2, 3)}),
                          one_entry)) +
           Bytes{0xff};
}

// 1000 relations between transactions that are not in the file.
Bytes many_findings()
{
    std::vector<Bytes> related;
    for (uint64_t i = 0; i < 500; i++)
        related.push_back(head(4, 5) + head(0, 0) + head(0, 1000 + i) + head(0, 2000 + i) +
                          head(0, 1) + head(0, 1));
    return beginning() + definitions() + chunk(14, indefinite(related)) + Bytes{0xff};
}

// Streams with names that have empty parts between dots.
Bytes dots()
{
    const std::vector<std::string> names{".", "..", "a.", ".b", "c..d", "e.f"};
    std::vector<Bytes> entries;
    for (size_t i = 0; i < names.size(); i++)
        entries.push_back(head(6, 16) + head(4, 3) + head(0, 1 + i) + head(0, i) + head(0, 0));
    return beginning() + dictionary(0, names) + chunk(10, indefinite(entries)) + Bytes{0xff};
}

} // namespace

int main()
{
    write("attached.ftr", attached_run());
    write("destroyed.ftr", destroyed());
    write("early_dictionary.ftr", ended_early(FTR_CHUNK_DICTIONARY));
    write("early_directory.ftr", ended_early(FTR_CHUNK_DIRECTORY));
    write("early_transactions.ftr", ended_early(FTR_CHUNK_TRANSACTIONS));
    write("early_relations.ftr", ended_early(FTR_CHUNK_RELATIONS));
    write("many.ftr", many_findings());
    const Bytes small = small_file(FTR_COMPRESSION_LZ4);
    write("small.ftr", small);
    write("plain.ftr", small_file(FTR_COMPRESSION_NONE));
    write("text.ftr", small_file(FTR_COMPRESSION_NONE, FTR_NUMBERING_SPEC));
    write("torn.ftr", without_last(small_file(FTR_COMPRESSION_NONE), 30));
    write("nanoseconds.ftr", nanoseconds());
    write("touching.ftr", touching());
    write("longer.ftr", touching(25));
    write("unused.ftr",
          beginning() + definitions() + Bytes{0xff}); // a generator without transactions
    write("dots.ftr", dots());
    write("empty.ftr", {});
    write("junk.ftr", {'n', 'o', ' ', 't', 'r', 'a', 'c', 'e', '\n'});
    // A different value of one attribute: the address of the third transaction, in uncompressed
    // bytes.
    Bytes changed = small_file(FTR_COMPRESSION_NONE);
    const Bytes address{0x1a, 0x80, 0x00, 0x00, 0x80};
    const auto at = std::search(changed.begin(), changed.end(), address.begin(), address.end());
    if (at == changed.end())
        return 1;
    at[4] = 0x81;
    write("changed.ftr", changed);
    return 0;
}
