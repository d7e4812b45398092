/* Records with every part of SCV's interface that its back ends see. Compiled for both of SCV's
 * headers: SCV_TR selects scv-tr. The argument selects the test. */
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include <malloc.h>

#include <systemc>

#ifdef SCV_TR
#include <scv-tr.h>
#else
#include <scv.h>
#endif

#include <ftr/scv.h>

#ifdef SCV_TR
using namespace scv_tr;
#endif
using sc_core::SC_NS;
using sc_core::sc_time;

struct access {
    unsigned address;
    bool is_write;
};
enum colour { red, green };
struct fixed {
    double value;
};
struct all_kinds {
    bool boolean;
    colour enumeration;
    int integer;
    std::int64_t integer64;
    sc_dt::sc_int<40> sc_integer;
    sc_dt::sc_bigint<70> wide;
    std::uint8_t byte;
    std::uint64_t unsigned64;
    sc_dt::sc_uint<33> sc_unsigned;
    sc_dt::sc_biguint<65> wide_unsigned;
    double real;
    sc_dt::sc_bv<4> bits;
    sc_dt::sc_lv<4> logic;
    fixed signed_fixed;
    access record;
    access records[2];
    int *null;
    int *pointer;
    std::string text;
};

#ifdef SCV_TR
namespace scv_tr
{
#endif

/* SCV has no extension for fixed-point numbers; a user may write one. */
template <> class scv_extensions<fixed> : public scv_double_object<fixed>
{
  public:
    data_type get_type() const override { return FIXED_POINT_INTEGER; }
    double get_double() const override { return object_->value; }
};

SCV_EXTENSIONS(access)
{
  public:
    scv_extensions<unsigned> address;
    scv_extensions<bool> is_write;
    SCV_EXTENSIONS_CTOR(access)
    {
        SCV_FIELD(address);
        SCV_FIELD(is_write);
    }
};

SCV_ENUM_EXTENSIONS(colour){public : SCV_ENUM_CTOR(colour){SCV_ENUM(red);
SCV_ENUM(green);
}
}
;

SCV_EXTENSIONS(all_kinds)
{
  public:
    scv_extensions<bool> boolean;
    scv_extensions<colour> enumeration;
    scv_extensions<int> integer;
    scv_extensions<std::int64_t> integer64;
    scv_extensions<sc_dt::sc_int<40>> sc_integer;
    scv_extensions<sc_dt::sc_bigint<70>> wide;
    scv_extensions<std::uint8_t> byte;
    scv_extensions<std::uint64_t> unsigned64;
    scv_extensions<sc_dt::sc_uint<33>> sc_unsigned;
    scv_extensions<sc_dt::sc_biguint<65>> wide_unsigned;
    scv_extensions<double> real;
    scv_extensions<sc_dt::sc_bv<4>> bits;
    scv_extensions<sc_dt::sc_lv<4>> logic;
    scv_extensions<fixed> signed_fixed;
    scv_extensions<access> record;
    scv_extensions<access[2]> records;
    scv_extensions<int *> null;
    scv_extensions<int *> pointer;
    scv_extensions<std::string> text;
    SCV_EXTENSIONS_CTOR(all_kinds)
    {
        SCV_FIELD(boolean);
        SCV_FIELD(enumeration);
        SCV_FIELD(integer);
        SCV_FIELD(integer64);
        SCV_FIELD(sc_integer);
        SCV_FIELD(wide);
        SCV_FIELD(byte);
        SCV_FIELD(unsigned64);
        SCV_FIELD(sc_unsigned);
        SCV_FIELD(wide_unsigned);
        SCV_FIELD(real);
        SCV_FIELD(bits);
        SCV_FIELD(logic);
        SCV_FIELD(signed_fixed);
        SCV_FIELD(record);
        SCV_FIELD(records);
        SCV_FIELD(null);
        SCV_FIELD(pointer);
        SCV_FIELD(text);
    }
};

#ifdef SCV_TR
}
#endif

namespace
{

int pointed = 1;

all_kinds values()
{
    return {true,
            green,
            -1,
            INT64_MIN,
            -(INT64_C(1) << 39),
            -1,
            255,
            UINT64_MAX,
            (UINT64_C(1) << 33) - 1,
            1,
            2.5,
            "0110",
            "01XZ",
            {-1.25},
            {16, true},
            {{1, false}, {2, true}},
            nullptr,
            &pointed,
            "a text"};
}

void record_values(scv_tr_stream &stream)
{
    scv_tr_generator<all_kinds> kinds("kinds", stream, "all");
    scv_tr_handle tx = kinds.begin_transaction(values());
    tx.record_attribute("late", access{3, false});
    tx.record_attribute("number", 7);
    tx.record_attribute(access{4, true});
    kinds.end_transaction(tx);
    tx.record_attribute("too late", 1);
}

void record_generators(scv_tr_stream &stream)
{
    scv_tr_generator<access, std::string> both("both", stream, nullptr, "answer");
    scv_tr_generator<> none("none", stream);
    scv_tr_generator<int, access> unnamed("unnamed", stream);

    scv_tr_handle first = both.begin_transaction(access{1, true}, sc_time(2, SC_NS));
    scv_tr_handle copy = first;
    scv_tr_handle second = none.begin_transaction();
    second.add_relation("follows", first);
    scv_tr_handle third = unnamed.begin_transaction(5, "follows", second);
    both.end_transaction(copy, "yes", sc_time(9, SC_NS));
    both.end_transaction(first, "a second end");
    second.end_transaction();
    unnamed.end_transaction(third, access{6, false}, sc_time(1, SC_NS));
    scv_tr_handle undefined = both.begin_transaction();
    both.end_transaction(undefined);
    both.begin_transaction(access{8, false}); // destroyed while it is open
    third.add_relation("other kind", undefined);
    scv_tr_handle invalid;
    invalid.end_transaction();
}

void record_switched(const scv_tr_db &database, scv_tr_stream &stream)
{
    scv_tr_generator<int> generator("switched", stream, "n");
    scv_tr_handle open = generator.begin_transaction(1);
    database.set_recording(false);
    scv_tr_handle unrecorded = generator.begin_transaction(2);
    unrecorded.record_attribute("of nothing", 1);
    unrecorded.end_transaction();
    open.record_attribute("while off", 1);
    open.end_transaction();
    unrecorded.add_relation("follows", open);
    database.set_recording(true);
}

/* Two databases. Their transactions have the same numbers. */
void record_two()
{
    scv_tr_db first("first.ftr");
    scv_tr_db second("second");
    scv_tr_stream one("one", "kind", &first);
    scv_tr_stream two("two", nullptr, &second);
    scv_tr_generator<int> of_one("g", one, "n");
    scv_tr_generator<int> of_two("g", two, "n");
    scv_tr_handle mine = of_one.begin_transaction(1);
    {
        scv_tr_handle other = of_two.begin_transaction(2);
        other.add_relation("between databases", mine);
    }
    mine.record_attribute("still", 3);
    mine.end_transaction();
}

/* Prints how much memory more transactions take than a few. */
void record_many(scv_tr_stream &stream)
{
    scv_tr_generator<int> generator("many", stream, "n");
    std::size_t few = 0;
    for (int i = 0; i < 5000; ++i) {
        if (i == 1000)
            few = mallinfo2().uordblks;
        scv_tr_handle tx = generator.begin_transaction(i);
        tx.end_transaction();
    }
    const std::size_t all = mallinfo2().uordblks;
    std::cout << "bytes=" << (all > few ? all - few : 0) << '\n';
}

} // namespace

int sc_main(int, char **argv)
{
    const std::string way = argv[1];
    if (way != "uninitialised")
        scv_tr_ftr_init(way != "plain");
    if (way == "again")
        scv_tr_ftr_init();
    if (way == "two") {
        record_two();
        return 0;
    }
    scv_tr_db database("my_db");
    scv_tr_stream stream("top.values", "transactor");
    if (way == "many") {
        record_many(stream);
        return 0;
    }
    scv_tr_stream more("top.more", "transactor");
    record_values(stream);
    record_generators(more);
    record_switched(database, more);
    if (way == "exit")
        std::exit(3);
    return 0;
}
