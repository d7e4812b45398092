// Shared by the tests of the reader: small files made by the recorder, and functions that read them
// completely.
#pragma once

#include <ftr/reader.h>
#include <ftr/recorder.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace reader_test
{

using Bytes = std::vector<uint8_t>;

// Records into memory.
class Recording
{
  public:
    explicit Recording(ftr_recorder_options options = {});
    ~Recording();
    Recording(const Recording &) = delete;
    Recording &operator=(const Recording &) = delete;

    ftr_recorder *operator()() { return recorder_; }
    Bytes close();

  private:
    static int64_t write(void *user, const void *data, size_t size);
    ftr_sink sink_{};
    Bytes bytes_;
    ftr_recorder *recorder_ = nullptr;
};

// Returns a file with a few transactions of two streams with every attribute type, events and
// relations, in several chunks.
Bytes small_file(ftr_compression compression, ftr_numbering numbering = FTR_NUMBERING_DEPLOYED);

struct Finding {
    unsigned number;
    std::string rule;
    ftr_severity severity;
    uint64_t offset;
    std::string message;
};

// A reader over memory that collects its findings.
class Reading
{
  public:
    explicit Reading(Bytes bytes, ftr_reader_options options = {});
    ~Reading();
    Reading(const Reading &) = delete;
    Reading &operator=(const Reading &) = delete;

    ftr_reader *operator()() { return reader_; }
    ftr_status status() const { return status_; }
    std::vector<Finding> findings;
    bool has(const std::string &rule) const;

  private:
    Bytes bytes_; // borrowed by the reader
    ftr_status status_;
    ftr_reader *reader_ = nullptr;
};

struct Transaction {
    uint64_t id, begin, end;
    std::string stream, generator, attributes;
    bool operator==(const Transaction &other) const;
};

std::string text(ftr_view view);
std::vector<Transaction> transactions(ftr_reader *reader, ftr_query query = {});
std::vector<uint64_t> ids(const std::vector<Transaction> &transactions);
std::vector<uint64_t> ids(ftr_reader *reader, ftr_order order);
std::vector<std::string> relations(ftr_reader *reader);

// CBOR by hand, for files that the recorder never writes: bytes, big-endian lengths and so on.
Bytes operator+(const Bytes &a, const Bytes &b);
Bytes head(unsigned major, uint64_t argument);
Bytes bytes_item(const Bytes &content);
Bytes text_item(const std::string &content);
Bytes chunk(unsigned tag, const Bytes &content);

// Ends a file.
const Bytes BREAK{0xff};
// Returns the first bytes of a file up to and including its info: ps, 1970.
Bytes beginning();
// Return a dictionary of these texts from id `first` on, a directory entry, a transaction chunk.
Bytes dictionary(uint64_t first, const std::vector<std::string> &texts);
Bytes transaction_chunk(uint64_t stream, uint64_t start, uint64_t end, const Bytes &body);
Bytes transaction(uint64_t id, uint64_t generator, uint64_t begin, uint64_t end,
                  const std::vector<Bytes> &attributes = {});
Bytes attribute(unsigned tag, uint64_t name, uint64_t type, const Bytes &value);
Bytes indefinite(const std::vector<Bytes> &items);
// Texts s, k, g; stream 1 "s" of kind "k"; generator 2 "g".
Bytes definitions();

} // namespace reader_test
