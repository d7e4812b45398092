// Records a value of every type in docs/format.md, declared and undeclared; sc_adapter_test.py has
// the expected values. An attribute has the name of its type: `NAME` undeclared and `NAME.declared`
// declared.
#define SC_INCLUDE_FX
#include <ftr/systemc.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace
{

enum class colour : std::uint8_t { red, green };

const char *ftr_enum_name(colour value)
{
    switch (value) {
    case colour::red:
        return "red";
    case colour::green:
        return "green";
    }
    return nullptr;
}

enum nameless { minus_two = -2, five = 5 };
enum class huge : std::uint64_t { most = std::numeric_limits<std::uint64_t>::max() };

struct register_access {
    std::uint32_t address;
    unsigned width : 4; // a bit field, which a member pointer cannot name
    bool is_write;
};

template <class V> void ftr_fields(V &visit, const register_access &access)
{
    visit("address", access.address);
    visit("width", access.width);
    visit("is_write", access.is_write);
}

class request // nested, with private members
{
  public:
    request() = default;
    request(std::string from, register_access access) : from_(std::move(from)), access_(access) {}

    template <class V> friend void ftr_fields(V &visit, const request &of)
    {
        visit("from", of.from_);
        visit("access", of.access_);
        visit("colour", colour::green);
    }

  private:
    std::string from_;
    register_access access_{};
};

TLM_DECLARE_EXTENDED_PHASE(BEGIN_DATA);

ftr::stream *values;

/** Records @p value in a transaction of its own, in three ways that must agree. */
template <class T> void record(const char *name, const T &value)
{
    const ftr::generator<> undeclared(*values, name);
    auto first = undeclared.begin();
    first.put(name, value);
    first.end();

    const std::string declared_name = std::string(name) + ".declared";
    const ftr::generator<T> declared(*values, declared_name, declared_name);
    auto second = declared.begin();
    second.template put<0>(value);
    second.end();
    declared.record(sc_core::SC_ZERO_TIME, sc_core::SC_ZERO_TIME, value);
}

template <class T> void record_limits(const std::string &name)
{
    record((name + ".min").c_str(), std::numeric_limits<T>::min());
    record((name + ".max").c_str(), std::numeric_limits<T>::max());
}

void record_cxx()
{
    record("bool", true);
    record_limits<signed char>("signed char");
    record_limits<unsigned char>("unsigned char");
    record_limits<short>("short");
    record_limits<unsigned short>("unsigned short");
    record_limits<int>("int");
    record_limits<unsigned>("unsigned");
    record_limits<long>("long");
    record_limits<unsigned long>("unsigned long");
    record_limits<long long>("long long");
    record_limits<unsigned long long>("unsigned long long");
    record("wchar_t", L'x');
    record("char16_t", u'x');
    __extension__ typedef __int128 int128;
    __extension__ typedef unsigned __int128 uint128;
    record("int128", static_cast<int128>(-2));
    record("uint128", static_cast<uint128>(1) << 100 | 1);
    record("float", 0.1F);
    record("double", -2.5);
    record("long double", 1024.0L);
    record("char", 'x');
    record("char.newline", '\n');
    record("char.high", static_cast<char>(0xe9));
    record("literal", "text");
    const char *const c_string = "C string";
    record("const char *", c_string);
    char written[] = "own";
    char *const c_buffer = written;
    record("char *", c_buffer);
    struct {
        char full[4] = {'f', 'u', 'l', 'l'};
        char part[6] = {'p', 'a', 'r', 't', '\0', '?'};
    } arrays;
    record("char[4]", arrays.full);
    record("char[6]", arrays.part);
    record("std::string", std::string("nul\0inside", 10));
    record("std::string.empty", std::string());
#if __cplusplus >= 201703L
    record("std::string_view", std::string_view("a view of it", 6));
    record("std::string_view.empty", std::string_view());
#endif
    record("enum", colour::green);
    record("enum.unknown", static_cast<colour>(7));
    record("enum.nameless", minus_two);
    record("enum.huge", huge::most);
    record("pointer", reinterpret_cast<const int *>(0x1234));
    record("void *", reinterpret_cast<void *>(0xfffffffffffffff0));
    record("nullptr", nullptr);
}

void record_systemc()
{
    using namespace sc_dt;
    record("sc_time", sc_core::sc_time(1500, sc_core::SC_NS));
    record("sc_bit", sc_bit(true));
    record("sc_logic.Z", SC_LOGIC_Z);
    record("sc_logic.X", SC_LOGIC_X);
    record("sc_bv", sc_bv<10>("0110010101"));
    record("sc_lv", sc_lv<8>("01XZ10ZX"));
    sc_bv<200> wide;
    wide[199] = true;
    wide[0] = true;
    record("sc_bv.wide", wide);
    const sc_lv<8> source("1100ZX10");
    const ftr::generator<> parts(*values, "sc_lv.range");
    parts.begin().put("sc_lv.range", source.range(5, 2));
    record("sc_int", sc_int<12>(-5));
    record("sc_int.64", sc_int<64>(std::numeric_limits<std::int64_t>::min()));
    record("sc_uint", sc_uint<12>(4095));
    record("sc_uint.64", sc_uint<64>(std::numeric_limits<std::uint64_t>::max()));
    record("sc_bigint.64", sc_bigint<64>(-6));
    record("sc_bigint.70", sc_bigint<70>(-6));
    record("sc_biguint.64", sc_biguint<64>("0xffffffffffffffff"));
    record("sc_biguint.65", sc_biguint<65>("0x1000000000000000a"));
    record("sc_signed", sc_bigint<4>(-1) + sc_bigint<4>(-1));
    const sc_uint<8> bits(0xa5);
    const ftr::generator<> selections(*values, "sc_uint.selected");
    auto tx = selections.begin();
    tx.put("sc_uint.range", bits.range(7, 4));
    tx.put("sc_uint.bit", bits[5]);
}

void record_fixed_point()
{
    using namespace sc_dt;
    record("sc_fixed", sc_fixed<24, 4>(-1.0009765625));
    record("sc_fixed.wide", sc_fixed<40, 4>(-0.7));
    record("sc_fixed.far", sc_fixed<8, 200>(std::ldexp(1.0, 198)));
    record("sc_ufixed", sc_ufixed<8, 4>(15.9375));
    record("sc_ufixed.wide", sc_ufixed<64, 2>(0.1));
    record("sc_fixed_fast", sc_fixed_fast<12, 4>(2.5));
    record("sc_fixed_fast.wide", sc_fixed_fast<48, 4>(-0.7));
    record("sc_ufixed_fast", sc_ufixed_fast<12, 4>(2.5));
    record("sc_fix.narrow", sc_fix(1.25, 8, 4));
    record("sc_fix.wide", sc_fix(1.25, 40, 20));
    record("sc_ufix.narrow", sc_ufix(1.5, 8, 4));
    record("sc_fix_fast.narrow", sc_fix_fast(-1.5, 8, 4));
    record("sc_ufix_fast.wide", sc_ufix_fast(1.5, 30, 4));
}

void record_tlm()
{
    record("tlm_command", tlm::TLM_WRITE_COMMAND);
    record("tlm_response_status", tlm::TLM_ADDRESS_ERROR_RESPONSE);
    record("tlm_response_status.unknown", static_cast<tlm::tlm_response_status>(-7));
    record("tlm_gp_option", tlm::TLM_FULL_PAYLOAD);
    record("tlm_sync_enum", tlm::TLM_UPDATED);
    record("tlm_phase_enum", tlm::BEGIN_REQ);
    record("tlm_phase", tlm::tlm_phase(tlm::END_RESP));
    record("tlm_phase.extended", tlm::tlm_phase(BEGIN_DATA));
}

void record_structs()
{
    const request sent("cpu", {0x1000, 4, true});
    record("struct", sent);
    const ftr::generator<ftr::at_begin<request>, int, ftr::at_end<register_access>> mixed(
        *values, "struct.mixed", "", "count", "last");
    auto tx = mixed.begin(sent);
    tx.put<1>(3);
    tx.end(register_access{0x2000, 8, false});
    mixed.event(tx, sent, 4, register_access{0x3000, 2, true});
}

void record_classes()
{
    const ftr::generator<ftr::at_end<int>, ftr::at_begin<int>, int> classes(*values, "classes",
                                                                            "last", "first", "mid");
    auto tx = classes.begin(1);
    tx.put_begin("first.undeclared", 2);
    tx.put("mid.undeclared", 3);
    tx.put<2>(4);
    tx.put_end("last.undeclared", 5);
    tx.end(6);
    const ftr::generator<unsigned long> converted(*values, "converted", "number");
    converted.begin().put<0>(7); // an int for an unsigned long
    const ftr::known_text known("known");
    const ftr::generator<std::string, const char *> texts(*values, "texts", "a", "b");
    texts.record(sc_core::SC_ZERO_TIME, sc_core::SC_ZERO_TIME, known, std::string("any text"));
    auto with_known = texts.begin();
    with_known.put<1>(known);
}

} // namespace

int sc_main(int, char **)
{
    ftr::stream stream("values", "every type");
    values = &stream;
    record_cxx();
    record_systemc();
    record_fixed_point();
    record_tlm();
    record_structs();
    record_classes();
    return 0;
}
