// The content of a file, read by the independent decoder (ftr_decode.py).
#ifndef FTR_TEST_DECODED_FILE_HPP
#define FTR_TEST_DECODED_FILE_HPP

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

struct decoded_stream {
    std::uint64_t id;
    std::string name;
    std::string kind;
};

struct decoded_generator {
    std::uint64_t id;
    std::string name;
    std::uint64_t stream;
};

struct decoded_attribute {
    std::string class_; // "begin", "record", "end"
    std::string name;
    std::string type;
    nlohmann::json value; // strings resolved
};

struct decoded_transaction {
    std::uint64_t id;
    std::string stream;
    std::string generator;
    std::uint64_t begin;
    std::uint64_t end;
    std::vector<decoded_attribute> attributes;

    // Returns the value of the only attribute with this name; throws if there is none or more than
    // one.
    const nlohmann::json &value(const std::string &name) const;
};

struct decoded_relation {
    std::string name;
    std::uint64_t from;
    std::uint64_t to;
    std::uint64_t from_stream;
    std::uint64_t to_stream;
};

bool operator==(const decoded_attribute &a, const decoded_attribute &b);
bool operator==(const decoded_transaction &a, const decoded_transaction &b);
std::ostream &operator<<(std::ostream &out, const decoded_attribute &attribute);
std::ostream &operator<<(std::ostream &out, const decoded_transaction &transaction);

struct decoded_file {
    int time_scale = 0;
    std::int64_t epoch = 0;
    std::vector<decoded_stream> streams;
    std::vector<decoded_generator> generators;
    std::vector<decoded_transaction> transactions; // in file order
    std::vector<decoded_relation> relations;

    std::vector<std::string> stream_names() const;
    std::vector<std::uint64_t> ids() const; // of the transactions
    const decoded_transaction &transaction(std::uint64_t id) const;
    bool has_transaction(std::uint64_t id) const;
};

// Decodes a file, complete or truncated. @p options are those of the decoder, for example
// "--numbering text".
decoded_file decode(const std::string &path, const std::string &options = "");

// Decodes many files with one start of the decoder.
std::map<std::string, decoded_file> decode_all(const std::vector<std::string> &paths,
                                               const std::string &options = "");

// Returns the decoder's findings in files, one per line, including warnings.
std::vector<std::string> findings(const std::vector<std::string> &paths,
                                  const std::string &options = "");
std::vector<std::string> findings(const std::string &path, const std::string &options = "");

// Returns how the indexes beside the files differ from the files (index_decode.py), one per line.
std::vector<std::string> index_findings(const std::vector<std::string> &paths);

// Returns the decoder's summary, by key.
nlohmann::json summary_of(const std::string &path);

#endif
