// Records random transactions, to a trace with a summary beside it, or to a summary alone:
//
//     record_random TRACE SUMMARY SEED
//
// A TRACE of "-" is no trace. Streams, attributes, calls, relations and the time window depend only
// on the seed.
#include <ftr/recorder.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace
{

constexpr const char *kinds[] = {
    "", "TLM", "TLM debug", "irq", "[TLM][base-protocol][b]", "[TLM][base-protocol][nb]"};
constexpr const char *names[] = {"response", "data_length", "trans.length", "x.size",
                                 "bytes",    "count",       "request_time", "response_time",
                                 "delay",    "lowered_by",  "a_time",       "trans.status",
                                 "returned", "phase",       "len",          "value"};
constexpr const char *texts[] = {"OK",
                                 "ADDRESS_ERROR",
                                 "INCOMPLETE",
                                 "tlm::TLM_OK_RESPONSE",
                                 "tlm::TLM_BURST_ERROR_RESPONSE",
                                 "tlm::TLM_INCOMPLETE_RESPONSE",
                                 "",
                                 "ERROR",
                                 "E",
                                 "\xce\xbc",
                                 "BYTE_ENABLE_ERROR"};

template <typename T, std::size_t N> constexpr std::size_t size_of(T (&)[N])
{
    return N;
}

void must(ftr_status status)
{
    if (status != FTR_OK) {
        std::fprintf(stderr, "record_random: %s\n", ftr_status_text(status));
        std::exit(1);
    }
}

struct generator {
    ftr_generator handle = 0, events = 0;
    std::vector<ftr_attribute> attributes;
};

class run
{
  public:
    run(ftr_recorder *recorder, unsigned seed) : recorder_(recorder), random_(seed)
    {
        must(ftr_relation_define(recorder_, "parent_of", &parent_of_));
        for (const char *text : texts) {
            ftr_text made;
            must(ftr_text_define(recorder_, text, FTR_NUL_TERMINATED, &made));
            defined_.push_back(made);
        }
        longest_ = UINT64_C(1) << below(20);
        step_ = UINT64_C(1) << below(14);
        const std::size_t streams = 1 + (below(3) == 0 ? below(300) : below(6));
        for (std::size_t i = 0; i < streams; ++i)
            define_stream(i);
    }

    void record(std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i) {
            now_ += below(step_) + (below(1000) == 0 ? step_ * 500 : 0);
            const generator &of = all_[below(all_.size())];
            if (below(4) == 0)
                end_one();
            if (below(3) == 0)
                begin(of);
            else
                record_at_once(of);
        }
        for (std::size_t left = open_.size() / 2; left > 0; --left)
            end_one();
    }

  private:
    struct open_tx {
        ftr_tx tx;
        const generator *of;
        std::uint64_t begin;
    };

    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

    void define_stream(std::size_t number)
    {
        const std::string name = "top.s" + std::to_string(number);
        ftr_stream stream;
        must(ftr_stream_define(recorder_, name.c_str(), kinds[below(size_of(kinds))], &stream));
        for (std::size_t i = 0, count = 1 + below(3); i < count; ++i)
            define_generator(stream, i);
    }

    void define_generator(ftr_stream stream, std::size_t number)
    {
        generator made;
        const std::string name = "g" + std::to_string(number);
        // Sets of attributes are kept for the first 64 attributes of a generator.
        const std::size_t count = below(20) == 0 ? 60 + below(20) : below(7);
        for (std::size_t i = 0; i < count; ++i)
            made.attributes.push_back(attribute());
        must(ftr_generator_define(recorder_, stream, name.c_str(), made.attributes.data(), count,
                                  &made.handle));
        if (below(3) == 0)
            must(ftr_events_define(recorder_, made.handle, nullptr, 0, &made.events));
        all_.push_back(made);
    }

    ftr_attribute attribute()
    {
        const char *name = names[below(size_of(names))];
        const bool is_time = std::strstr(name, "time") != nullptr || name[0] == 'd';
        const ftr_type types[] = {FTR_TYPE_UNSIGNED, FTR_TYPE_INTEGER, FTR_TYPE_STRING,
                                  FTR_TYPE_BOOLEAN,  FTR_TYPE_TIME,    FTR_TYPE_FLOATING_POINT,
                                  FTR_TYPE_POINTER,  FTR_TYPE_STRING};
        ftr_attribute made{name, types[below(size_of(types))],
                           static_cast<ftr_attribute_class>(below(3))};
        if (is_time && below(2) == 0)
            made.type = FTR_TYPE_TIME;
        return made;
    }

    ftr_value value(ftr_type type)
    {
        ftr_value made{};
        made.type = type;
        if (type == FTR_TYPE_BOOLEAN) {
            made.as.boolean = below(2) == 0;
        } else if (type == FTR_TYPE_INTEGER) {
            made.as.integer = static_cast<std::int64_t>(below(200)) - 100;
        } else if (type == FTR_TYPE_FLOATING_POINT) {
            made.as.real = static_cast<double>(below(100)) / 4;
        } else if (type != FTR_TYPE_STRING) {
            const std::uint64_t limits[] = {24, 256, 65536, UINT64_C(1) << 40};
            made.as.number = below(limits[below(4)]);
        } else if (below(8) == 0) {
            made.defined = FTR_BYTES;
            made.as.bytes = texts;
            made.text_length = below(40);
        } else {
            const std::size_t number = below(size_of(texts));
            made.defined = below(2) == 0 ? defined_[number] : 0;
            made.as.text = texts[number];
            made.text_length = FTR_NUL_TERMINATED;
        }
        return made;
    }

    void record_at_once(const generator &of)
    {
        std::vector<ftr_value> values;
        const std::size_t count = below(of.attributes.size() + 1);
        for (std::size_t i = 0; i < count; ++i)
            values.push_back(value(of.attributes[i].type));
        ftr_tx tx;
        must(ftr_tx_record(recorder_, of.handle, now_, now_ + below(longest_), values.data(), count,
                           &tx));
        if (below(4) == 0 && last_.id != 0)
            must(ftr_relation_put(recorder_, parent_of_, last_, tx));
        last_ = tx;
    }

    void begin(const generator &of)
    {
        open_tx added{{}, &of, now_};
        must(ftr_tx_begin(recorder_, of.handle, now_, &added.tx));
        open_.push_back(added);
        if (of.events != 0 && below(2) == 0) {
            const ftr_value name = value(FTR_TYPE_STRING);
            must(ftr_tx_event(recorder_, added.tx, of.events, now_, &name, 1, nullptr));
        }
    }

    void put(const open_tx &to, unsigned attribute)
    {
        const ftr_type type = to.of->attributes[attribute].type;
        const ftr_value made = value(type);
        if (type == FTR_TYPE_BOOLEAN)
            must(ftr_tx_put_bool(recorder_, to.tx, attribute, made.as.boolean));
        else if (type == FTR_TYPE_INTEGER)
            must(ftr_tx_put_int(recorder_, to.tx, attribute, made.as.integer));
        else if (type == FTR_TYPE_FLOATING_POINT)
            must(ftr_tx_put_real(recorder_, to.tx, attribute, made.as.real));
        else if (type != FTR_TYPE_STRING)
            must(ftr_tx_put_number(recorder_, to.tx, attribute, made.as.number));
        else if (made.defined == FTR_BYTES)
            must(ftr_tx_put_bytes(recorder_, to.tx, attribute, made.as.bytes, made.text_length));
        else if (made.defined != 0)
            must(ftr_tx_put_defined(recorder_, to.tx, attribute, made.defined));
        else
            must(ftr_tx_put_text(recorder_, to.tx, attribute, made.as.text, made.text_length));
    }

    void end_one()
    {
        if (open_.empty())
            return;
        std::swap(open_[below(open_.size())], open_.back());
        const open_tx ending = open_.back();
        open_.pop_back();
        for (unsigned i = 0; i < ending.of->attributes.size(); ++i)
            if (below(3) != 0)
                put(ending, i);
        for (std::size_t left = below(3); left > 0; --left) {
            const ftr_attribute named = attribute();
            const ftr_value made = value(named.type);
            must(ftr_tx_put_named(recorder_, ending.tx, named.class_, named.name, &made));
        }
        must(ftr_tx_end(recorder_, ending.tx, now_));
    }

    ftr_recorder *recorder_;
    std::mt19937_64 random_;
    ftr_relation parent_of_ = 0;
    std::vector<ftr_text> defined_;
    std::vector<generator> all_;
    std::vector<open_tx> open_;
    ftr_tx last_{};
    std::uint64_t now_ = 0, longest_ = 1, step_ = 1;
};

} // namespace

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const unsigned seed = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
    const bool has_trace = std::strcmp(argv[1], "-") != 0;
    const ftr_sink no_trace = {nullptr, nullptr, nullptr};
    ftr_recorder_options options{};
    options.summary = argv[2];
    options.threads = seed % 3 == 0 ? 0 : 1;
    options.sink = has_trace ? nullptr : &no_trace;
    options.exclude = seed % 5 == 1 ? "top.s1*" : nullptr;
    options.start = seed % 4 == 1 ? "1 us" : nullptr;
    options.stop = seed % 4 > 1 ? "20 us" : nullptr;
    ftr_recorder *recorder;
    must(ftr_recorder_open(has_trace ? argv[1] : argv[2], &options, &recorder));
    {
        run random(recorder, seed);
        random.record(seed % 7 == 0 ? 30000 : 3000);
    }
    must(ftr_recorder_close(recorder));
    return 0;
}
