// Writes a file with properties that other formats support badly: make_awkward_file OUTPUT.ftr
// [COUNT]
#include <ftr/recorder.h>

#include <cstdint>
#include <limits>
#include <string>

namespace
{

struct Maker {
    ftr_recorder *recorder = nullptr;
    bool ok = true;

    ftr_generator generator(const char *stream, const char *kind, const char *name)
    {
        ftr_stream s = 0;
        ftr_generator g = 0;
        ok = ok && ftr_stream_define(recorder, stream, kind, &s) == FTR_OK &&
             ftr_generator_define(recorder, s, name, nullptr, 0, &g) == FTR_OK;
        return g;
    }

    ftr_tx begin(ftr_generator g, uint64_t time)
    {
        ftr_tx tx{};
        ok = ok && ftr_tx_begin(recorder, g, time, &tx) == FTR_OK;
        return tx;
    }

    void end(ftr_tx tx, uint64_t time) { ok = ok && ftr_tx_end(recorder, tx, time) == FTR_OK; }

    void put(ftr_tx tx, ftr_attribute_class class_, const char *name, const ftr_value &value)
    {
        ok = ok && ftr_tx_put_named(recorder, tx, class_, name, &value) == FTR_OK;
    }

    void relate(const char *name, ftr_tx from, ftr_tx to)
    {
        ftr_relation relation = 0;
        ok = ok && ftr_relation_define(recorder, name, &relation) == FTR_OK &&
             ftr_relation_put(recorder, relation, from, to) == FTR_OK;
    }
};

ftr_value text(ftr_type type, const std::string &value)
{
    ftr_value v{};
    v.type = type;
    v.text_length = value.size();
    v.as.text = value.data();
    return v;
}

ftr_value number(ftr_type type, uint64_t value)
{
    ftr_value v{};
    v.type = type;
    v.as.number = value;
    return v;
}

ftr_value integer(int64_t value)
{
    ftr_value v{};
    v.type = FTR_TYPE_INTEGER;
    v.as.integer = value;
    return v;
}

ftr_value real(ftr_type type, double value)
{
    ftr_value v{};
    v.type = type;
    v.as.real = value;
    return v;
}

ftr_value boolean(bool value)
{
    ftr_value v{};
    v.type = FTR_TYPE_BOOLEAN;
    v.as.boolean = value;
    return v;
}

void put_every_type(Maker &m, ftr_tx tx, ftr_attribute_class class_, unsigned n)
{
    m.put(tx, class_, "truth", boolean(n % 2 == 0));
    m.put(tx, class_, "mode", text(FTR_TYPE_ENUMERATION, "IDLE"));
    m.put(tx, class_, "least", integer(std::numeric_limits<int64_t>::min()));
    m.put(tx, class_, "small", integer(-static_cast<int64_t>(n)));
    m.put(tx, class_, "most", number(FTR_TYPE_UNSIGNED, UINT64_MAX - n));
    m.put(tx, class_, "exact", real(FTR_TYPE_FLOATING_POINT, 0.1 + n));
    m.put(tx, class_, "bits", text(FTR_TYPE_BIT_VECTOR, "10100101"));
    m.put(tx, class_, "logic", text(FTR_TYPE_LOGIC_VECTOR, "01XZ"));
    m.put(tx, class_, "fixed", real(FTR_TYPE_FIXED_POINT_INTEGER, -2.5));
    m.put(tx, class_, "ufixed", real(FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER, 2.25));
    m.put(tx, class_, "pointer", number(FTR_TYPE_POINTER, 0xdeadbeefcafe));
    m.put(tx, class_, "trans.response status", text(FTR_TYPE_STRING, "say \"a\\b\", \xc3\xa4 "));
    m.put(tx, class_, "delay", number(FTR_TYPE_TIME, 1500));
    static const unsigned char data[] = {0, 1, 0xff, 0x80, '\n', '"'};
    ftr_value bytes = text(FTR_TYPE_STRING, "");
    bytes.defined = FTR_BYTES;
    bytes.as.bytes = data;
    bytes.text_length = sizeof data;
    m.put(tx, class_, "bytes", bytes);
}

} // namespace

int main(int argc, char **argv)
{
    ftr_recorder_options options{};
    options.floats = FTR_FLOATS_DOUBLE;
    options.epoch_seconds = 1600000000;
    options.chunk_size = 512; // several chunks that overlap in time
    options.journal_directory = "none";
    Maker m;
    const unsigned long count = argc > 2 ? std::stoul(argv[2]) : 40;
    if (argc < 2 || ftr_recorder_open(argv[1], &options, &m.recorder) != FTR_OK)
        return 2;
    const ftr_generator every = m.generator("top.a/b", "kind of \"all\"", "every type");
    const ftr_generator plain = m.generator("metadata", "", "plain");
    const ftr_generator hidden = m.generator(".hidden", "", "x");
    (void)m.generator("no transactions", "", "none");
    ftr_tx previous{};
    for (unsigned n = 0; n < count; n++) {
        const ftr_tx tx = m.begin(every, UINT64_C(100) * n);
        put_every_type(m, tx, FTR_CLASS_BEGIN, n);
        put_every_type(m, tx, FTR_CLASS_RECORD, n + 1);
        if (n % 3 != 0) // transactions with different attributes
            put_every_type(m, tx, FTR_CLASS_END, n + 2);
        const ftr_tx instant = m.begin(plain, UINT64_C(100) * n + 50);
        m.put(instant, FTR_CLASS_BEGIN, "note", text(FTR_TYPE_STRING, "a"));
        m.put(instant, FTR_CLASS_RECORD, "note", text(FTR_TYPE_STRING, ""));
        m.end(instant, UINT64_C(100) * n + 50);
        m.end(tx, UINT64_C(100) * n + 700); // overlaps with the following ones
        m.relate("caused by", instant, tx);
        if (n > 0)
            m.relate("next", previous, tx);
        previous = tx;
    }
    const ftr_tx whole = m.begin(hidden, 0);
    m.end(whole, 5000);
    return ftr_recorder_close(m.recorder) == FTR_OK && m.ok ? 0 : 1;
}
