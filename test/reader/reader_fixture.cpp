#include "reader_fixture.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

namespace reader_test
{

namespace
{

void check(ftr_status status)
{
    if (status != FTR_OK)
        throw std::runtime_error(ftr_status_text(status));
}

} // namespace

int64_t Recording::write(void *user, const void *data, size_t size)
{
    auto *self = static_cast<Recording *>(user);
    const auto *bytes = static_cast<const uint8_t *>(data);
    self->bytes_.insert(self->bytes_.end(), bytes, bytes + size);
    return static_cast<int64_t>(size);
}

Recording::Recording(ftr_recorder_options options)
{
    sink_.user = this;
    sink_.write = write;
    options.size = sizeof options;
    options.sink = &sink_;
    if (options.epoch_seconds == 0)
        options.epoch_seconds = 1700000000;
    check(ftr_recorder_open(nullptr, &options, &recorder_));
}

Recording::~Recording()
{
    (void)ftr_recorder_close(recorder_);
}

Bytes Recording::close()
{
    check(ftr_recorder_close(recorder_));
    return bytes_;
}

Bytes small_file(ftr_compression compression, ftr_numbering numbering)
{
    ftr_recorder_options options{};
    options.compression = compression;
    options.numbering = numbering;
    Recording r(options);
    ftr_stream bus, cpu;
    check(ftr_stream_define(r(), "top.bus", "[TLM]", &bus));
    check(ftr_stream_define(r(), "top.cpu", "transactor", &cpu));
    const ftr_attribute declared[] = {
        {"addr", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
        {"delta", FTR_TYPE_INTEGER, FTR_CLASS_RECORD},
        {"ok", FTR_TYPE_BOOLEAN, FTR_CLASS_END},
        {"load", FTR_TYPE_FLOATING_POINT, FTR_CLASS_RECORD},
        {"status", FTR_TYPE_STRING, FTR_CLASS_END},
        {"when", FTR_TYPE_TIME, FTR_CLASS_RECORD},
        {"at", FTR_TYPE_POINTER, FTR_CLASS_RECORD},
        {"mode", FTR_TYPE_ENUMERATION, FTR_CLASS_RECORD},
        {"bits", FTR_TYPE_BIT_VECTOR, FTR_CLASS_RECORD},
    };
    // The published text stores bit vectors as integers, so texts are not valid there.
    const size_t count = numbering == FTR_NUMBERING_DEPLOYED ? 9 : 8;
    ftr_generator read, fetch;
    check(ftr_generator_define(r(), bus, "read", declared, count, &read));
    check(ftr_generator_define(r(), cpu, "fetch", declared, count, &fetch));
    ftr_relation follows;
    check(ftr_relation_define(r(), "follows", &follows));
    ftr_tx before{};
    for (uint64_t i = 0; i < 12; i++) {
        ftr_tx tx;
        check(ftr_tx_begin(r(), i % 3 == 0 ? fetch : read, i * 1000, &tx));
        check(ftr_tx_put_number(r(), tx, 0, 0x80000000u + i * 64));
        check(ftr_tx_put_int(r(), tx, 1, -static_cast<int64_t>(i) * 1000));
        check(ftr_tx_put_bool(r(), tx, 2, i % 2 == 0));
        check(ftr_tx_put_real(r(), tx, 3, static_cast<double>(i) * 0.5));
        check(ftr_tx_put_text(r(), tx, 4, i % 4 == 0 ? "ERROR" : "OK", FTR_NUL_TERMINATED));
        check(ftr_tx_put_number(r(), tx, 5, i * 10));
        check(ftr_tx_put_number(r(), tx, 6, 0xdeadbeefu + i));
        check(ftr_tx_put_text(r(), tx, 7, "burst", FTR_NUL_TERMINATED));
        if (count > 8)
            check(ftr_tx_put_text(r(), tx, 8, "1010", FTR_NUL_TERMINATED));
        check(ftr_tx_end(r(), tx, i * 1000 + 2500));
        if (before.id != 0)
            check(ftr_relation_put(r(), follows, before, tx));
        before = tx;
        if (i == 6)
            check(ftr_recorder_flush(r()));
    }
    return r.close();
}

Reading::Reading(Bytes bytes, ftr_reader_options options) : bytes_(std::move(bytes))
{
    options.size = sizeof options;
    options.finding_user = this;
    options.finding = [](void *user, const ftr_finding *f) {
        static_cast<Reading *>(user)->findings.push_back(
            {f->number, f->rule, f->severity, f->offset, f->message});
    };
    status_ = ftr_reader_open_memory(bytes_.data(), bytes_.size(), &options, &reader_);
}

Reading::~Reading()
{
    ftr_reader_close(reader_);
}

bool Reading::has(const std::string &rule) const
{
    for (const Finding &finding : findings)
        if (finding.rule == rule)
            return true;
    return false;
}

bool Transaction::operator==(const Transaction &other) const
{
    return id == other.id && begin == other.begin && end == other.end && stream == other.stream &&
           generator == other.generator && attributes == other.attributes;
}

std::string text(ftr_view view)
{
    return view.data != nullptr ? std::string(view.data, view.size) : "?";
}

namespace
{

std::string value_text(const ftr_attribute_value &a)
{
    switch (a.form) {
    case FTR_FORM_BOOLEAN:
        return a.as.boolean ? "true" : "false";
    case FTR_FORM_INTEGER:
        return std::to_string(a.as.integer);
    case FTR_FORM_NUMBER:
        return std::to_string(a.as.number);
    case FTR_FORM_REAL:
        return std::to_string(a.as.real);
    case FTR_FORM_TEXT:
        return "'" + text(a.as.text) + "'";
    default:
        return "none";
    }
}

} // namespace

std::vector<Transaction> transactions(ftr_reader *reader, ftr_query query)
{
    std::vector<Transaction> result;
    ftr_cursor *cursor;
    query.size = sizeof query;
    check(ftr_cursor_open(reader, &query, &cursor));
    ftr_transaction tx;
    ftr_status status;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK) {
        Transaction t{tx.id, tx.begin, tx.end, text(tx.stream->name), text(tx.generator->name), ""};
        ftr_attribute_value a;
        while (ftr_reader_next_attribute(reader, &tx, &a))
            t.attributes += text(a.name) + ":" + std::to_string(a.type) + "/" +
                            std::to_string(a.class_) + "=" + value_text(a) + " ";
        result.push_back(t);
    }
    ftr_cursor_close(cursor);
    if (status != FTR_ERR_END)
        check(status);
    return result;
}

std::vector<uint64_t> ids(const std::vector<Transaction> &transactions)
{
    std::vector<uint64_t> result;
    for (const Transaction &t : transactions)
        result.push_back(t.id);
    return result;
}

std::vector<uint64_t> ids(ftr_reader *reader, ftr_order order)
{
    ftr_query query{};
    query.order = order;
    return ids(transactions(reader, query));
}

std::vector<std::string> relations(ftr_reader *reader)
{
    std::vector<std::string> result;
    ftr_relation_cursor *cursor;
    check(ftr_relation_cursor_open(reader, false, 0, &cursor));
    ftr_relation_info relation;
    while (ftr_relation_cursor_next(cursor, &relation) == FTR_OK)
        result.push_back(text(relation.name) + " " + std::to_string(relation.from_tx) + " " +
                         std::to_string(relation.to_tx));
    ftr_relation_cursor_close(cursor);
    return result;
}

Bytes operator+(const Bytes &a, const Bytes &b)
{
    Bytes result = a;
    result.insert(result.end(), b.begin(), b.end());
    return result;
}

Bytes head(unsigned major, uint64_t argument)
{
    const auto type = static_cast<uint8_t>(major << 5);
    if (argument < 24)
        return {static_cast<uint8_t>(type | argument)};
    const unsigned width = argument > 0xffffffffu ? 3 : argument > 0xffff ? 2 : argument > 0xff;
    Bytes result{static_cast<uint8_t>(type | (24 + width))};
    for (unsigned i = 1u << width; i-- > 0;)
        result.push_back(static_cast<uint8_t>(argument >> (8 * i)));
    return result;
}

Bytes bytes_item(const Bytes &content)
{
    return head(2, content.size()) + content;
}

Bytes text_item(const std::string &content)
{
    return head(3, content.size()) + Bytes(content.begin(), content.end());
}

Bytes chunk(unsigned tag, const Bytes &content)
{
    return head(6, tag) + bytes_item(content);
}

Bytes beginning()
{
    return Bytes{0xd9, 0xd9, 0xf7, 0x9f} + chunk(6, Bytes{0x82, 0x2b, 0xc1, 0x00});
}

Bytes dictionary(uint64_t first, const std::vector<std::string> &texts)
{
    Bytes map = head(5, texts.size());
    for (const std::string &entry : texts)
        map = map + head(0, first++) + text_item(entry);
    return chunk(8, map);
}

Bytes transaction_chunk(uint64_t stream, uint64_t start, uint64_t end, const Bytes &body)
{
    return head(6, 12) + head(4, 4) + head(0, stream) + head(0, start) + head(0, end) +
           bytes_item(body);
}

Bytes transaction(uint64_t id, uint64_t generator, uint64_t begin, uint64_t end,
                  const std::vector<Bytes> &attributes)
{
    Bytes result = head(4, 1 + attributes.size()) + head(6, 6) + head(4, 4) + head(0, id) +
                   head(0, generator) + head(0, begin) + head(0, end);
    for (const Bytes &a : attributes)
        result = result + a;
    return result;
}

Bytes attribute(unsigned tag, uint64_t name, uint64_t type, const Bytes &value)
{
    return head(6, tag) + head(4, 3) + head(0, name) + head(0, type) + value;
}

Bytes indefinite(const std::vector<Bytes> &items)
{
    Bytes result{0x9f};
    for (const Bytes &item : items)
        result = result + item;
    result.push_back(0xff);
    return result;
}

Bytes definitions()
{
    return dictionary(0, {"s", "k", "g"}) +
           chunk(10, indefinite({head(6, 16) + head(4, 3) + head(0, 1) + head(0, 0) + head(0, 1),
                                 head(6, 17) + head(4, 3) + head(0, 2) + head(0, 2) + head(0, 1)}));
}

} // namespace reader_test
