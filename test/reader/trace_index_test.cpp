// The index beside a trace: a reader gives the same answers with it and without it, a stale or
// damaged index is ignored, and a search by id reads few chunks.
extern "C" {
#include "index_place.h"
}
#include "reader_fixture.hpp"
#include "scratch_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>
#include <set>

#include <sys/stat.h>
#include <unistd.h>

using namespace reader_test;

namespace
{

// A reader of a file that collects its findings.
class FileReading
{
  public:
    explicit FileReading(const std::string &path, ftr_reader_options options = {})
    {
        options.size = sizeof options;
        options.finding_user = this;
        options.finding = [](void *user, const ftr_finding *f) {
            static_cast<FileReading *>(user)->findings.insert(std::to_string(f->offset) + " " +
                                                              f->rule + " " + f->message);
        };
        status_ = ftr_reader_open(path.c_str(), &options, &reader_);
    }
    ~FileReading() { ftr_reader_close(reader_); }
    FileReading(const FileReading &) = delete;
    FileReading &operator=(const FileReading &) = delete;

    ftr_reader *operator()() const { return reader_; }
    ftr_status status() const { return status_; }
    ftr_index_state state() const { return ftr_reader_get_index_state(reader_); }
    bool has(const std::string &rule) const
    {
        return std::any_of(findings.begin(), findings.end(), [&](const std::string &finding) {
            return finding.find(" " + rule + " ") != std::string::npos;
        });
    }
    std::set<std::string> findings;

  private:
    ftr_status status_;
    ftr_reader *reader_ = nullptr;
};

ftr_reader_options without_index()
{
    ftr_reader_options options{};
    options.without_index = true;
    return options;
}

ftr_reader_options with_threads(unsigned threads)
{
    ftr_reader_options options{};
    options.threads = threads;
    return options;
}

std::vector<Transaction> of_id(ftr_reader *reader, uint64_t id)
{
    ftr_query query{};
    query.by_id = true;
    query.id = id;
    return transactions(reader, query);
}

struct Relation {
    uint64_t from, to;
    bool operator==(const Relation &other) const { return from == other.from && to == other.to; }
};

std::vector<Relation> relations_of(ftr_reader *reader, bool by_id, uint64_t id)
{
    std::vector<Relation> result;
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    EXPECT_EQ(FTR_OK, ftr_relation_cursor_open(reader, by_id, id, &cursor));
    while (ftr_relation_cursor_next(cursor, &relation) == FTR_OK)
        result.push_back({relation.from_tx, relation.to_tx});
    ftr_relation_cursor_close(cursor);
    return result;
}

// Everything that a reader tells about a file.
std::string description_of(ftr_reader *reader)
{
    std::string text;
    ftr_file_info info;
    ftr_chunk_info chunk;
    ftr_reader_get_info(reader, &info);
    text += "scale " + std::to_string(info.time_scale) + " epoch " +
            std::to_string(info.epoch_seconds) + " sound " + std::to_string(info.sound_size) +
            " ended " + std::to_string(info.ended) + " times " + std::to_string(info.first_time) +
            " " + std::to_string(info.last_time) + " strings " + std::to_string(info.strings) +
            " compressed " + std::to_string(info.compressed_chunks) + "\n";
    for (size_t i = 0; i < FTR_CHUNK_KINDS; i++)
        text += std::to_string(info.chunks[i]) + " " + std::to_string(info.bytes[i]) + " " +
                std::to_string(info.bytes_expanded[i]) + "\n";
    for (size_t i = 0; ftr_reader_get_chunk(reader, i, &chunk); i++)
        text += std::to_string(chunk.kind) + " at " + std::to_string(chunk.offset) + " of " +
                std::to_string(chunk.size) + " " + std::to_string(chunk.bytes_expanded) +
                (chunk.stream != nullptr ? " " + reader_test::text(chunk.stream->name) : "") + " " +
                std::to_string(chunk.start) + " " + std::to_string(chunk.end) + "\n";
    for (const Transaction &t : transactions(reader))
        text += std::to_string(t.id) + " " + std::to_string(t.begin) + " " + std::to_string(t.end) +
                " " + t.stream + " " + t.generator + " " + t.attributes + "\n";
    for (const std::string &relation : relations(reader))
        text += relation + "\n";
    return text;
}

class TraceIndex : public testing::Test
{
  protected:
    void write(const Bytes &bytes) const
    {
        write_contents(path(), std::string(bytes.begin(), bytes.end()));
    }
    std::string path() const { return directory_.path("run.ftr"); }
    std::string index_path() const { return path() + FTR_INDEX_SUFFIX; }

    // Writes the index of the present file.
    ftr_status write_index(unsigned threads = 1) const
    {
        ftr_reader_options options = with_threads(threads);
        options.without_index = true;
        FileReading r(path(), options);
        EXPECT_EQ(FTR_OK, r.status());
        const ftr_status status = ftr_reader_collect_ids(r());
        return status == FTR_OK ? ftr_reader_write_index(r(), path().c_str()) : status;
    }

    // Expects the same content and findings with the index and without it.
    void expect_same(ftr_index_state state) const
    {
        FileReading with(path());
        FileReading without(path(), without_index());
        ASSERT_EQ(without.status(), with.status());
        if (with() == nullptr)
            return;
        EXPECT_EQ(state, with.state());
        EXPECT_EQ(FTR_INDEX_NONE, without.state());
        EXPECT_EQ(description_of(without()), description_of(with()));
        EXPECT_EQ(without.findings, with.findings);
    }

    scratch_directory directory_;
};

Bytes relation_chunk(const std::vector<Relation> &list)
{
    std::vector<Bytes> items;
    for (const Relation &r : list)
        items.push_back(head(4, 5) + head(0, 1) + head(0, r.from) + head(0, r.to) + head(0, 1) +
                        head(0, 1));
    return chunk(14, indefinite(items));
}

// Transactions with random ids, in chunks like those of several threads and of long transactions:
// out of order, with gaps, with ids that occur twice.
struct Made {
    Bytes bytes;
    std::vector<uint64_t> ids;
    std::vector<Relation> relations;
};

Made made_file(std::mt19937_64 &random, unsigned chunks)
{
    Made made{beginning() + definitions(), {}, {}};
    uint64_t next = random() % 5 == 0 ? random() : 1;
    for (unsigned c = 0; c < chunks; c++) {
        std::vector<Bytes> items;
        std::vector<Relation> list;
        for (uint64_t n = random() % 9; n > 0; n--) {
            next += 1 + (random() % 50 == 0 ? random() % 300000 : random() % 3);
            const bool is_old = random() % 11 == 0 && !made.ids.empty();
            const uint64_t id =
                is_old ? made.ids[random() % made.ids.size()] : next - random() % 4 * 65536;
            items.push_back(transaction(id, 2, c * 10, c * 10 + 5));
            made.ids.push_back(id);
            if (random() % 2 == 0)
                list.push_back({random() % 2 == 0 ? made.ids[0] : id, id + random() % 3});
        }
        made.bytes = made.bytes + transaction_chunk(1, c * 10, c * 10 + 5, indefinite(items));
        made.relations.insert(made.relations.end(), list.begin(), list.end());
        if (!list.empty())
            made.bytes = made.bytes + relation_chunk(list);
    }
    made.bytes = made.bytes + BREAK;
    return made;
}

void expect_found(ftr_reader *reader, const Made &made, std::mt19937_64 &random)
{
    for (int question = 0; question < 60; question++) {
        uint64_t id = random() % 3 == 0 || made.ids.empty() ? random() % 400000
                                                            : made.ids[random() % made.ids.size()];
        id += random() % 4 == 0 ? random() % 3 - 1 : 0;
        EXPECT_EQ(static_cast<size_t>(std::count(made.ids.begin(), made.ids.end(), id)),
                  of_id(reader, id).size())
            << id;
        std::vector<Relation> expected;
        for (const Relation &relation : made.relations)
            if (relation.from == id || relation.to == id)
                expected.push_back(relation);
        EXPECT_EQ(expected, relations_of(reader, true, id)) << id;
    }
}

// Changes that files with defects have.
std::vector<Bytes> files()
{
    std::vector<Bytes> result;
    for (const ftr_compression compression : {FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4})
        result.push_back(small_file(compression));
    result.push_back(beginning() + BREAK);
    result.push_back(beginning() + definitions());
    result.push_back(beginning() + definitions() + transaction_chunk(1, 0, 5, indefinite({})) +
                     BREAK);
    // texts that are not consecutive, a stream that is not defined, an unknown item
    result.push_back(beginning() + dictionary(0, {"s", "k", "g"}) + dictionary(7, {"late"}) +
                     transaction_chunk(1, 0, 5, indefinite({transaction(3, 2, 0, 5)})) + BREAK);
    result.push_back(beginning() + definitions() + head(6, 40) + head(0, 1) +
                     transaction_chunk(1, 3, 5, indefinite({transaction(3, 2, 3, 5)})) + BREAK);
    result.push_back(beginning() + definitions() +
                     transaction_chunk(1, 9, 5, indefinite({transaction(3, 2, 9, 5)})) + BREAK);
    // an item that is not a transaction
    result.push_back(
        beginning() + definitions() +
        transaction_chunk(
            1, 3, 5, indefinite({transaction(3, 2, 3, 5), head(0, 77), transaction(9, 2, 3, 5)})) +
        BREAK);
    return result;
}

TEST_F(TraceIndex, ChangesNoAnswer)
{
    for (const Bytes &file : files()) {
        write(file);
        ASSERT_EQ(FTR_OK, write_index());
        expect_same(FTR_INDEX_USED);
    }
}

TEST_F(TraceIndex, ChangesNoAnswerAboutADamagedFile)
{
    const Bytes sound = small_file(FTR_COMPRESSION_NONE);
    std::mt19937 random(3);
    for (int round = 0; round < 300; round++) {
        Bytes file = sound;
        const size_t at = 4 + random() % (file.size() - 4);
        if (round % 3 == 0)
            file.resize(at);
        else
            file[at] ^= static_cast<uint8_t>(1u << random() % 8);
        SCOPED_TRACE("byte " + std::to_string(at));
        write(file);
        if (FileReading(path()).status() != FTR_OK)
            continue;
        ASSERT_EQ(FTR_OK, write_index());
        expect_same(FTR_INDEX_USED);
        FileReading r(path());
        const std::vector<Transaction> all = transactions(r());
        for (uint64_t id = 0; id < 15; id++) {
            std::vector<Transaction> expected;
            std::copy_if(all.begin(), all.end(), std::back_inserter(expected),
                         [id](const Transaction &t) { return t.id == id; });
            EXPECT_EQ(expected, of_id(FileReading(path())(), id));
        }
    }
}

TEST_F(TraceIndex, FindsTheContentOfTheFile)
{
    std::mt19937_64 random(11);
    for (unsigned chunks : {0u, 1u, 3u, 40u, 1023u, 1024u, 1500u, 4500u}) {
        SCOPED_TRACE(chunks);
        const Made made = made_file(random, chunks);
        write(made.bytes);
        for (const unsigned threads : {1u, 4u}) {
            std::filesystem::remove(index_path());
            {
                // Without an index: a search learns the ids.
                FileReading r(path(), with_threads(threads));
                expect_found(r(), made, random);
                EXPECT_EQ(FTR_INDEX_NONE, r.state());
            }
            ASSERT_EQ(FTR_OK, write_index(threads));
            FileReading r(path(), with_threads(threads));
            ASSERT_EQ(FTR_INDEX_USED, r.state());
            expect_found(r(), made, random);
            EXPECT_TRUE(r.findings.empty());
        }
    }
}

TEST_F(TraceIndex, IsTheSameForAllNumbersOfThreads)
{
    std::mt19937_64 random(12);
    write(made_file(random, 2000).bytes);
    ASSERT_EQ(FTR_OK, write_index(1));
    const std::string expected = contents_of(index_path());
    for (const unsigned threads : {2u, 7u}) {
        ASSERT_EQ(FTR_OK, write_index(threads));
        EXPECT_EQ(expected, contents_of(index_path()));
    }
}

TEST_F(TraceIndex, IsSearchedByCursorsThatAlternate)
{
    std::mt19937_64 random(13);
    const Made made = made_file(random, 900);
    write(made.bytes);
    FileReading r(path(), with_threads(3));
    std::vector<ftr_cursor *> cursors;
    std::vector<size_t> found(20);
    for (size_t i = 0; i < found.size(); i++) {
        ftr_query query{};
        query.size = sizeof query;
        query.by_id = true;
        query.id = made.ids[i * made.ids.size() / found.size()];
        cursors.push_back(nullptr);
        ASSERT_EQ(FTR_OK, ftr_cursor_open(r(), &query, &cursors.back()));
    }
    ftr_transaction tx;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < found.size(); i++)
            if (ftr_cursor_next(cursors[i], &tx) == FTR_OK) {
                found[i]++;
                moved = true;
            }
    }
    for (size_t i = 0; i < found.size(); i++) {
        const uint64_t id = made.ids[i * made.ids.size() / found.size()];
        EXPECT_EQ(static_cast<size_t>(std::count(made.ids.begin(), made.ids.end(), id)), found[i]);
        ftr_cursor_close(cursors[i]);
    }
}

TEST_F(TraceIndex, IsStaleForAnotherContent)
{
    const Bytes file = small_file(FTR_COMPRESSION_LZ4);
    write(file);
    ASSERT_EQ(FTR_OK, write_index());
    Bytes other = file;
    other.insert(other.end() - 1, {0xc8, 0x44, 0xa1, 0x09, 0x61, 'x'});
    for (const Bytes &changed : {other, Bytes(file.begin(), file.end() - 1), file + Bytes{0xff}}) {
        write(changed);
        expect_same(FTR_INDEX_STALE);
    }
    // the same length
    for (size_t at = 4; at < file.size(); at++) {
        Bytes changed = file;
        changed[at] ^= 0x10;
        write(changed);
        expect_same(FTR_INDEX_STALE);
    }
    write(file);
    expect_same(FTR_INDEX_USED);
}

TEST_F(TraceIndex, IsIgnoredIfItIsDamaged)
{
    write(small_file(FTR_COMPRESSION_LZ4));
    ASSERT_EQ(FTR_OK, write_index());
    const std::string index = contents_of(index_path());
    const std::string expected = description_of(FileReading(path(), without_index())());
    unsigned used = 0;
    for (size_t at = 0; at < index.size(); at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            std::string damaged = index;
            damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
            write_contents(index_path(), damaged);
            FileReading r(path());
            used += r.state() == FTR_INDEX_USED;
            EXPECT_EQ(expected, description_of(r())) << at << " bit " << bit;
            EXPECT_EQ(1u, of_id(r(), 7).size()) << at << " bit " << bit;
            EXPECT_TRUE(r.findings.empty());
        }
        write_contents(index_path(), index.substr(0, at));
        FileReading r(path());
        EXPECT_EQ(FTR_INDEX_STALE, r.state()) << at;
        EXPECT_EQ(expected, description_of(r()));
    }
    // A section with another name is skipped. The name `chunks` has 6 letters and is in no hash.
    EXPECT_EQ(6u * 8, used);
}

TEST_F(TraceIndex, SkipsUnknownSections)
{
    write(small_file(FTR_COMPRESSION_LZ4));
    ASSERT_EQ(FTR_OK, write_index());
    std::string index = contents_of(index_path());
    const size_t sections = FTR_INDEX_MAGIC_SIZE + 2; // behind the version and the head
    const Bytes unknown =
        head(4, 3) + text_item("addresses") + head(0, 123456) + bytes_item(Bytes(70000, 0x42));
    index.insert(sections, std::string(unknown.begin(), unknown.end()));
    write_contents(index_path(), index);
    expect_same(FTR_INDEX_USED);
    // another version
    index[FTR_INDEX_MAGIC_SIZE] = 2;
    write_contents(index_path(), index);
    expect_same(FTR_INDEX_STALE);
}

// A file that is longer than the hashed bytes at its ends. Its chunks of transactions have the ids
// 1 to `chunks`.
Bytes long_file(uint64_t chunks, std::vector<size_t> &offsets)
{
    Bytes file = beginning() + definitions();
    for (uint64_t id = 1; id <= chunks; id++) {
        offsets.push_back(file.size());
        file =
            file + transaction_chunk(1, id, id + 1, indefinite({transaction(id, 2, id, id + 1)}));
    }
    return file + BREAK;
}

TEST_F(TraceIndex, FindsDamageInTheHeadOfAChunk)
{
    std::vector<size_t> offsets;
    const Bytes file = long_file(500, offsets);
    write(file);
    ASSERT_EQ(FTR_OK, write_index());
    for (const uint64_t id : {20u, 23u, 24u, 100u}) {
        const size_t content = indefinite({transaction(id, 2, id, id + 1)}).size();
        for (size_t bit = 0; bit < 8 * (offsets[id] - offsets[id - 1] - content); bit++) {
            SCOPED_TRACE(std::to_string(id) + " bit " + std::to_string(bit));
            Bytes damaged = file;
            damaged[offsets[id - 1] + bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
            write(damaged);
            FileReading r(path());
            ASSERT_EQ(FTR_INDEX_USED, r.state());
            EXPECT_EQ(1u, of_id(r(), id + 1).size());
            EXPECT_TRUE(r.findings.empty());
            EXPECT_EQ(499u, transactions(r()).size());
            EXPECT_TRUE(r.has("damaged"));
            EXPECT_TRUE(of_id(r(), id).empty());
        }
    }
}

TEST_F(TraceIndex, MakesASearchReadFewChunks)
{
    std::vector<size_t> offsets;
    const Bytes file = long_file(3000, offsets);
    write(file);
    ASSERT_EQ(FTR_OK, write_index());
    // The contents of all chunks but one are damaged: a search that read one would report it.
    Bytes damaged = file;
    for (uint64_t id = 20; id <= 2500; id++) {
        if (id == 1700)
            continue;
        for (size_t at = offsets[id - 1] + 12; at < offsets[id]; at++)
            damaged[at] = 0xff;
    }
    write(damaged);
    FileReading r(path());
    ASSERT_EQ(FTR_INDEX_USED, r.state());
    EXPECT_EQ(1u, of_id(r(), 1700).size());
    EXPECT_TRUE(of_id(r(), 3001).empty());
    EXPECT_TRUE(r.findings.empty());
    EXPECT_TRUE(of_id(r(), 1701).empty());
    EXPECT_FALSE(r.findings.empty());
}

TEST_F(TraceIndex, SkipsChunksOfRelationsWithTheParentOfAll)
{
    Bytes file = beginning() + definitions();
    std::vector<size_t> offsets;
    for (uint64_t c = 0; c < 300; c++) {
        offsets.push_back(file.size());
        const uint64_t id = 1000000 * (c + 1);
        file = file + relation_chunk({{1, id}, {id, id + 1}, {1, id + 2}});
    }
    file = file + BREAK;
    write(file);
    ASSERT_EQ(FTR_OK, write_index());
    Bytes damaged = file;
    for (uint64_t c = 5; c < 150; c++)
        for (size_t at = offsets[c] + 3; c != 100 && at < offsets[c + 1]; at++)
            damaged[at] = 0x1f; // no item begins with this byte
    write(damaged);
    FileReading r(path());
    ASSERT_EQ(FTR_INDEX_USED, r.state());
    EXPECT_EQ((std::vector<Relation>{{1, 101000000}, {101000000, 101000001}}),
              relations_of(r(), true, 101000000));
    EXPECT_TRUE(r.findings.empty());
    (void)relations_of(r(), true, 1);
    EXPECT_FALSE(r.findings.empty());
}

TEST_F(TraceIndex, IsFoundBesideTheTargetOfALink)
{
    write(small_file(FTR_COMPRESSION_LZ4));
    ASSERT_EQ(FTR_OK, write_index());
    std::filesystem::create_directory(directory_.path("links"));
    const std::string link = directory_.path("links/latest.ftr");
    std::filesystem::create_symlink("../run.ftr", link);
    EXPECT_EQ(FTR_INDEX_USED, FileReading(link).state());
    std::filesystem::remove(index_path());
    EXPECT_EQ(FTR_INDEX_NONE, FileReading(link).state());
}

TEST_F(TraceIndex, IsNotReadFromOtherFiles)
{
    write(small_file(FTR_COMPRESSION_LZ4));
    std::filesystem::create_directory(index_path());
    EXPECT_EQ(FTR_INDEX_STALE, FileReading(path()).state());
    std::filesystem::remove(index_path());
    ASSERT_EQ(0, mkfifo(index_path().c_str(), 0600));
    EXPECT_EQ(FTR_INDEX_STALE, FileReading(path()).state());
    EXPECT_EQ(12u, transactions(FileReading(path())()).size());
}

TEST_F(TraceIndex, IsWrittenOnlyInPlaceOfAnIndex)
{
    write(small_file(FTR_COMPRESSION_LZ4));
    for (const std::string &other : {std::string("notes"), std::string()}) {
        write_contents(index_path(), other);
        EXPECT_EQ(FTR_ERR_IO, write_index());
        EXPECT_EQ(EEXIST, errno);
        EXPECT_EQ(other, contents_of(index_path()));
    }
    std::filesystem::remove(index_path());
    std::filesystem::create_directory(index_path());
    EXPECT_EQ(FTR_ERR_IO, write_index());
    std::filesystem::remove(index_path());
    EXPECT_EQ(FTR_OK, write_index());
    EXPECT_EQ(FTR_OK, write_index());
    unsigned files = 0;
    for (const auto &entry : std::filesystem::directory_iterator(directory_.path()))
        files += entry.is_regular_file();
    EXPECT_EQ(2u, files);
}

TEST_F(TraceIndex, HasThePermissionsOfTheTrace)
{
    write(small_file(FTR_COMPRESSION_LZ4));
    for (const auto mode :
         {std::filesystem::perms::owner_read | std::filesystem::perms::owner_write,
          std::filesystem::perms(0640), std::filesystem::perms(0644)}) {
        std::filesystem::permissions(path(), mode);
        ASSERT_EQ(FTR_OK, write_index());
        EXPECT_EQ(mode, std::filesystem::status(index_path()).permissions());
    }
}

TEST_F(TraceIndex, IsNotWrittenBeforeTheIdsAreKnown)
{
    const Bytes file = small_file(FTR_COMPRESSION_LZ4);
    write(file);
    FileReading r(path());
    EXPECT_EQ(FTR_ERR_STATE, ftr_reader_write_index(r(), path().c_str()));
    ASSERT_EQ(FTR_OK, ftr_reader_collect_ids(r()));
    write_contents(path(), std::string(file.begin(), file.end()) + "more");
    EXPECT_EQ(FTR_ERR_STATE, ftr_reader_write_index(r(), path().c_str()));
    Reading memory(file);
    ASSERT_EQ(FTR_OK, ftr_reader_collect_ids(memory()));
    EXPECT_EQ(FTR_ERR_STATE, ftr_reader_write_index(memory(), path().c_str()));
    EXPECT_FALSE(std::filesystem::exists(index_path()));
}

TEST_F(TraceIndex, StaysValidWhileACursorSeeks)
{
    std::mt19937_64 random(14);
    const Made made = made_file(random, 60);
    write(made.bytes);
    FileReading r(path());
    ftr_cursor *cursor;
    ftr_transaction tx;
    std::vector<std::pair<uint64_t, uint64_t>> places;
    ASSERT_EQ(FTR_OK, ftr_cursor_open(r(), nullptr, &cursor));
    while (ftr_cursor_next(cursor, &tx) == FTR_OK)
        places.push_back({tx.chunk_offset, tx.chunk_within});
    ftr_cursor_close(cursor);
    FileReading again(path());
    ASSERT_EQ(FTR_OK, ftr_cursor_open(again(), nullptr, &cursor));
    for (size_t i = 0; i < places.size(); i += 3) {
        ASSERT_EQ(FTR_OK, ftr_cursor_seek(cursor, places[i].first, places[i].second, &tx));
        while (ftr_cursor_next(cursor, &tx) == FTR_OK && tx.chunk_offset == places[i].first)
            ;
    }
    ftr_cursor_close(cursor);
    expect_found(again(), made, random);
}

TEST_F(TraceIndex, IsReadWithinAMemoryLimit)
{
    std::mt19937_64 random(15);
    const Made made = made_file(random, 4000);
    write(made.bytes);
    ASSERT_EQ(FTR_OK, write_index());
    ftr_reader_options options{};
    options.memory = 1 << 20;
    options.threads = 4;
    FileReading r(path(), options);
    ASSERT_EQ(FTR_OK, r.status());
    ASSERT_EQ(FTR_INDEX_USED, r.state());
    expect_found(r(), made, random);
}

TEST_F(TraceIndex, IsRemovedAndRenamedWithItsTrace)
{
    write(small_file(FTR_COMPRESSION_LZ4));
    const std::string other = directory_.path("other.ftr");
    ASSERT_EQ(FTR_OK, write_index());
    const std::string index = contents_of(index_path());
    ftr_index_rename(path().c_str(), other.c_str());
    EXPECT_FALSE(std::filesystem::exists(index_path()));
    EXPECT_EQ(index, contents_of(other + FTR_INDEX_SUFFIX));
    ftr_index_rename(path().c_str(), other.c_str()); // there is none: the other one is stale
    EXPECT_FALSE(std::filesystem::exists(other + FTR_INDEX_SUFFIX));
    ASSERT_EQ(FTR_OK, write_index());
    write_contents(other + FTR_INDEX_SUFFIX, "notes");
    ftr_index_rename(path().c_str(), other.c_str());
    EXPECT_EQ("notes", contents_of(other + FTR_INDEX_SUFFIX));
    ftr_index_remove(other.c_str());
    EXPECT_EQ("notes", contents_of(other + FTR_INDEX_SUFFIX));
    ftr_index_remove(path().c_str());
    EXPECT_FALSE(std::filesystem::exists(index_path()));
}

} // namespace
