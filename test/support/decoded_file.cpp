#include "decoded_file.hpp"

#include <cstdio>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace
{
using json = nlohmann::json;

std::string command(const std::string &verb, const std::vector<std::string> &paths,
                    const std::string &options)
{
    std::string line = FTR_DECODER " " + verb + " " + options;
    for (const std::string &path : paths)
        line += " '" + path + "'";
    // Messages about damage are suppressed: tests of damage use `check`.
    return verb == "check" ? line : line + " 2>/dev/null";
}

// Returns the standard output of the decoder by lines. Its exit status is ignored, because findings
// are in the lines.
std::vector<std::string> lines_of(const std::string &line)
{
    FILE *pipe = popen(line.c_str(), "r");
    if (!pipe)
        throw std::runtime_error("cannot run " + line);
    std::string output;
    char buffer[65536];
    for (std::size_t size; (size = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        output.append(buffer, size);
    const int status = pclose(pipe);
    std::vector<std::string> lines;
    std::istringstream stream(output);
    for (std::string one; std::getline(stream, one);)
        lines.push_back(one);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1 ||
        (WEXITSTATUS(status) == 1 && lines.empty()))
        throw std::runtime_error("failed: " + line);
    return lines;
}

decoded_transaction transaction_of(const json &record)
{
    decoded_transaction tx{record.at("id"),    record.at("stream"), record.at("generator"),
                           record.at("begin"), record.at("end"),    {}};
    for (const json &attribute : record.at("attributes"))
        tx.attributes.push_back(
            {attribute.at(0), attribute.at(1), attribute.at(2), attribute.at(3)});
    return tx;
}

void take(decoded_file &file, const json &record)
{
    const std::string kind = record.at("record");
    if (kind == "info") {
        file.time_scale = record.at("time_scale").is_null() ? 0 : int(record.at("time_scale"));
        file.epoch = record.at("epoch").is_null() ? 0 : record.at("epoch").get<std::int64_t>();
    } else if (kind == "stream") {
        file.streams.push_back({record.at("id"), record.at("name"), record.at("kind")});
    } else if (kind == "generator") {
        file.generators.push_back({record.at("id"), record.at("name"), record.at("stream")});
    } else if (kind == "transaction") {
        file.transactions.push_back(transaction_of(record));
    } else {
        file.relations.push_back({record.at("name"), record.at("from"), record.at("to"),
                                  record.at("from_stream"), record.at("to_stream")});
    }
}
} // namespace

const json &decoded_transaction::value(const std::string &name) const
{
    const json *found = nullptr;
    for (const decoded_attribute &attribute : attributes) {
        if (attribute.name != name)
            continue;
        if (found)
            throw std::runtime_error("two attributes " + name);
        found = &attribute.value;
    }
    if (!found)
        throw std::runtime_error("no attribute " + name);
    return *found;
}

bool operator==(const decoded_attribute &a, const decoded_attribute &b)
{
    return a.class_ == b.class_ && a.name == b.name && a.type == b.type && a.value == b.value;
}

bool operator==(const decoded_transaction &a, const decoded_transaction &b)
{
    return a.id == b.id && a.stream == b.stream && a.generator == b.generator &&
           a.begin == b.begin && a.end == b.end && a.attributes == b.attributes;
}

std::ostream &operator<<(std::ostream &out, const decoded_attribute &attribute)
{
    return out << attribute.class_ << " " << attribute.name << " " << attribute.type << " "
               << attribute.value.dump().substr(0, 200);
}

std::ostream &operator<<(std::ostream &out, const decoded_transaction &transaction)
{
    out << transaction.id << " " << transaction.stream << " " << transaction.generator << " "
        << transaction.begin << ".." << transaction.end;
    for (const decoded_attribute &attribute : transaction.attributes)
        out << "; " << attribute;
    return out;
}

std::vector<std::string> decoded_file::stream_names() const
{
    std::vector<std::string> names;
    for (const decoded_stream &stream : streams)
        names.push_back(stream.name);
    return names;
}

std::vector<std::uint64_t> decoded_file::ids() const
{
    std::vector<std::uint64_t> all;
    for (const decoded_transaction &tx : transactions)
        all.push_back(tx.id);
    return all;
}

bool decoded_file::has_transaction(std::uint64_t id) const
{
    for (const decoded_transaction &tx : transactions) {
        if (tx.id == id)
            return true;
    }
    return false;
}

const decoded_transaction &decoded_file::transaction(std::uint64_t id) const
{
    for (const decoded_transaction &tx : transactions) {
        if (tx.id == id)
            return tx;
    }
    throw std::runtime_error("no transaction " + std::to_string(id));
}

decoded_file decode(const std::string &path, const std::string &options)
{
    decoded_file file;
    for (const std::string &line : lines_of(command("json", {path}, options)))
        take(file, json::parse(line));
    return file;
}

std::map<std::string, decoded_file> decode_all(const std::vector<std::string> &paths,
                                               const std::string &options)
{
    std::map<std::string, decoded_file> files;
    if (paths.size() == 1)
        return {{paths[0], decode(paths[0], options)}};
    decoded_file *current = nullptr;
    for (const std::string &line : lines_of(command("json", paths, options))) {
        const json record = json::parse(line);
        if (record.at("record") == "file")
            current = &files[record.at("path")];
        else
            take(*current, record);
    }
    return files;
}

std::vector<std::string> findings(const std::vector<std::string> &paths, const std::string &options)
{
    return lines_of(command("check", paths, options));
}

std::vector<std::string> findings(const std::string &path, const std::string &options)
{
    return findings(std::vector<std::string>{path}, options);
}

std::vector<std::string> index_findings(const std::vector<std::string> &paths)
{
    std::string line = FTR_INDEX_DECODER;
    for (const std::string &path : paths)
        line += " '" + path + "'";
    return lines_of(line);
}

json summary_of(const std::string &path)
{
    json summary;
    for (const std::string &line : lines_of(command("summary", {path}, ""))) {
        const std::size_t blank = line.find(' ');
        summary[line.substr(0, blank)] = json::parse(line.substr(blank + 1));
    }
    return summary;
}
