/* Uses the whole interface of LWTR4SC. The first argument selects the case. */
#include "lwtr/lwtr.h"

#include <cstdint>
#include <cstring>
#include <iostream>
#include <map>
#include <set>
#include <vector>

namespace
{

using sc_core::SC_NS;
using sc_core::sc_time;

struct burst {
    unsigned address;
    std::vector<int> lengths;
    bool is_write;
};

const burst small{16, {1, 2}, true};

/* A free function, with an object inside an object. */
struct nested {
    burst first;
    const char *label;
};

/* A member function. */
struct with_member {
    double level;
    template <class Archive> void record(Archive &archive) const
    {
        archive &lwtr::field("level", level);
    }
};

/* Fields that are not the same in each object: `form` selects them. */
struct shape {
    int form;
};

/* A function for one kind of Archive only. */
struct only_values {
    int number;
};

/* A conversion of the user's own. */
struct colour {
    int value;
};

} // namespace

namespace lwtr
{

template <class Archive> void record(Archive &archive, const burst &from)
{
    archive &field("address", from.address) & field("count", from.lengths.size()) &
        field("is_write", from.is_write);
}
template <class Archive> void record(Archive &archive, const nested &from)
{
    archive &field("first", from.first) & field("label", from.label);
}
template <class Archive> void record(Archive &archive, const shape &from)
{
    const char *const name = "b";
    switch (from.form) {
    case 0: /* the first one: all fields */
        archive &field("a", 1) & field("left", small) & field("right", small) & field(name, 2);
        break;
    case 1:
        archive &field("b", 3);
        break;
    case 2:
        archive &field(std::string("b"), 4) & field("a", 5);
        break;
    case 3: /* the fields of `right` have the names of those of `left` */
        archive &field("right", small) & field("b", 6);
        break;
    case 4: /* another type, other fields, and an object in the place of a number */
        archive &field("a", "text") & field("c", 7) & field("b", small) &
            field(std::string(300, 'x'), 8);
        break;
    default:
        break;
    }
}
inline void record(access &archive, const only_values &from)
{
    archive &field("number", from.number);
}
template <> struct value_converter<colour> {
    static value to_value(const colour &from) { return value(from.value ? "red" : "green"); }
};

} // namespace lwtr

namespace
{

void record_values(lwtr::tx_fiber &fiber)
{
    lwtr::tx_generator<> values("values", fiber);
    lwtr::tx_handle tx = values.begin_tx();
    tx.record_attribute("string", std::string("text"));
    tx.record_attribute(std::string("literal"), "literal");
    const char *null = nullptr;
    tx.record_attribute("null", null);
    tx.record_attribute("double", 2.5);
    tx.record_attribute("bool", true);
    tx.record_attribute("uint64", UINT64_MAX);
    tx.record_attribute("int64", INT64_MIN);
    tx.record_attribute("uint8", std::uint8_t(255));
    tx.record_attribute("int16", std::int16_t(-3));
    tx.record_attribute("size", sizeof(std::uint64_t));
    tx.record_attribute("sc_uint", sc_dt::sc_uint<8>(200));
    tx.record_attribute("sc_int", sc_dt::sc_int<8>(-7));
    tx.record_attribute("sc_biguint", sc_dt::sc_biguint<40>(9));
    tx.record_attribute("wide", sc_dt::sc_biguint<65>(1));
    tx.record_attribute("sc_bv", sc_dt::sc_bv<4>("0110"));
    tx.record_attribute("sc_lv", sc_dt::sc_lv<4>("01XZ"));
    tx.record_attribute("sc_logic", sc_dt::sc_logic('Z'));
    tx.record_attribute("sc_time", sc_time(3, SC_NS));
    tx.record_attribute("object", nested{small, "inner"});
    tx.record_attribute(small);
    tx.record_attribute("member", with_member{0.5});
    tx.record_attribute("colour", colour{1});
    tx.record_attribute("nothing", lwtr::no_data());
    tx.record_attribute(42);
    tx.end_tx();
}

void record_generators(lwtr::tx_fiber &fiber)
{
    lwtr::tx_generator<unsigned, std::string> plain("plain", fiber, "in", "out");
    lwtr::tx_generator<burst> object("object", fiber, "request");
    lwtr::tx_generator<lwtr::no_data, bool> only_end("only_end", fiber, nullptr, "done");
    lwtr::tx_generator<lwtr::no_data, int> end_name("end_name", fiber, "result");
    lwtr::tx_generator<int, int> no_names("no_names", fiber);
    lwtr::tx_generator_base untyped("untyped", fiber);

    lwtr::tx_handle first = plain.begin_tx(7);
    lwtr::tx_handle copy = first;
    lwtr::tx_handle second = object.begin_tx_delayed(sc_time(5, SC_NS), small, "follows", first);
    const lwtr::tx_db *const database = fiber.get_tx_db();
    lwtr::tx_handle third =
        only_end.begin_tx(database ? database->create_relation("follows") : 0, second);
    plain.end_tx(copy, "ended by a copy");
    first.end_tx("no second end");
    second.end_tx_delayed(sc_time(2, SC_NS)); // before its begin
    only_end.end_tx(third, true);
    lwtr::tx_handle fourth = end_name.begin_tx_delayed(sc_time(9, SC_NS), "follows", third);
    fourth.end_tx_delayed(sc_time(11, SC_NS), -1);
    lwtr::tx_handle fifth = no_names.begin_tx(1, "other kind", fourth);
    no_names.end_tx_delayed(fifth, sc_time(1, SC_NS), 2);
    lwtr::tx_handle of_another_type = plain.begin_tx();
    of_another_type.end_tx(3.5);
    std::cout << first.is_active() << second.is_valid() << lwtr::tx_handle().is_valid() << ' '
              << second.get_begin_sc_time() << ' ' << second.get_end_sc_time() << ' '
              << second.get_tx_generator_base().get_name() << ' '
              << second.get_tx_fiber().get_fiber_kind() << ' ' << plain.get_begin_attribute_name()
              << plain.get_end_attribute_name() << '\n';
}

void record_events(lwtr::tx_fiber &fiber)
{
    lwtr::tx_generator<const char *> with_events("op", fiber, "kind", true);
    lwtr::tx_generator<> without("without", fiber, false);
    lwtr::tx_handle tx = with_events.begin_tx("load");
    tx.record_event("issue");
    tx.record_event_at_time(std::string("grant"), sc_time(4, SC_NS), "slot", 3, "tag", small);
    tx.end_tx_delayed(sc_time(6, SC_NS));
    lwtr::tx_handle none = without.begin_tx();
    none.record_event("not recorded");
    none.end_tx();
}

/* Handles that outlive their generator, their fiber and their database. */
void record_lifetimes()
{
    lwtr::tx_handle handle;
    handle.record_attribute("ignored", 1);
    handle.end_tx();
    {
        lwtr::tx_db database("short");
        lwtr::tx_fiber fiber("top", "kind");
        {
            lwtr::tx_generator<> generator("gone", fiber);
            handle = generator.begin_tx();
        }
        handle.record_attribute("late", 1);
        handle.end_tx_delayed(sc_time(1, SC_NS));
        {
            lwtr::tx_generator<> generator("open", fiber);
            handle = generator.begin_tx();
        }
    }
    handle.end_tx();
    std::cout << (lwtr::tx_db::get_default_db() == nullptr) << handle.is_active() << '\n';
}

/* More open transactions than the recorder accepts: the last ones are not recorded. */
void record_too_many()
{
    constexpr std::size_t limit = 1u << 18;
    lwtr::tx_db database("many");
    lwtr::tx_fiber fiber("top", "kind");
    lwtr::tx_generator<> generator("g", fiber, true);
    std::vector<lwtr::tx_handle> open;
    while (open.size() < limit + 4)
        open.push_back(generator.begin_tx());
    std::set<std::uint64_t> ids;
    for (const lwtr::tx_handle &handle : open)
        ids.insert(handle.get_id());
    open.back().record_event("on a transaction that is not recorded");
    std::cout << ids.size() - limit << ' ' << ids.count(0) << '\n';
}

void record_switched()
{
    lwtr::tx_db database("switched");
    lwtr::tx_fiber fiber("top", "kind");
    lwtr::tx_generator<> generator("g", fiber);
    lwtr::tx_handle open = generator.begin_tx();
    database.set_recording(false);
    lwtr::tx_handle unrecorded = generator.begin_tx();
    unrecorded.end_tx();
    open.record_attribute("while off", 1);
    open.end_tx();
    database.set_recording(true);
    generator.begin_tx().end_tx();
    std::cout << (unrecorded.get_id() > open.get_id()) << unrecorded.is_valid() << '\n';
}

/* Counts the calls of the callbacks. */
void record_with_callbacks()
{
    std::map<std::string, int> calls;
    const auto count = [&calls](const char *what) { ++calls[what]; };
    const std::uint64_t of_db =
        lwtr::tx_db::register_class_cb([&](const lwtr::tx_db &, lwtr::callback_reason reason) {
            count(reason == lwtr::CREATE ? "db created" : "db deleted");
        });
    const std::uint64_t of_fiber = lwtr::tx_fiber::register_class_cb(
        [&](const lwtr::tx_fiber &, lwtr::callback_reason) { count("fiber"); });
    const std::uint64_t of_generator = lwtr::tx_generator_base::register_class_cb(
        [&](const lwtr::tx_generator_base &, lwtr::callback_reason) { count("generator"); });
    const std::uint64_t of_handle = lwtr::tx_handle::register_class_cb(
        [&](const lwtr::tx_handle &, lwtr::callback_reason reason, const lwtr::value &value) {
            count(reason == lwtr::BEGIN ? "begin" : "end");
            if (value.has_data())
                count("value");
        });
    const std::uint64_t of_attribute = lwtr::tx_handle::register_record_attribute_cb(
        [&](const lwtr::tx_handle &, const char *name, const lwtr::value &) { count(name); });
    const std::uint64_t of_relation =
        lwtr::tx_handle::register_relation_cb([&](const lwtr::tx_handle &, const lwtr::tx_handle &,
                                                  lwtr::tx_relation_handle) { count("relation"); });
    {
        lwtr::tx_db database("callbacks");
        lwtr::tx_fiber fiber("top", "kind");
        lwtr::tx_generator<int> generator("g", fiber, "n");
        lwtr::tx_handle first = generator.begin_tx(1);
        lwtr::tx_handle second = generator.begin_tx(2, "follows", first);
        second.record_attribute("attribute", 3);
        second.end_tx();
        first.end_tx();
    }
    lwtr::tx_db::unregister_class_cb(of_db);
    lwtr::tx_fiber::unregister_class_cb(of_fiber);
    lwtr::tx_generator_base::unregister_class_cb(of_generator);
    lwtr::tx_handle::unregister_class_cb(of_handle);
    lwtr::tx_handle::unregister_record_attribute_cb(of_attribute);
    lwtr::tx_handle::unregister_relation_cb(of_relation);
    lwtr::tx_db unseen("unseen");
    for (const auto &call : calls)
        std::cout << call.first << '=' << call.second << ' ';
    std::cout << '\n';
}

/* Objects at the begin of transactions: the first one declares the fields. */
void record_objects()
{
    lwtr::tx_db database("my_db");
    lwtr::tx_fiber fiber("top.objects", "transactor");
    lwtr::tx_generator<shape, shape> shapes("shapes", fiber, "in", "out");
    for (const int form : {0, 1, 2, 3, 4, 5, 0}) {
        lwtr::tx_handle tx = shapes.begin_tx(shape{form});
        shapes.end_tx(tx, shape{form == 1 ? 0 : 5});
    }
    lwtr::tx_generator<burst, int> unnamed("unnamed", fiber, "", "result");
    lwtr::tx_handle tx = unnamed.begin_tx(small);
    unnamed.end_tx(tx, -2);
    lwtr::tx_generator<burst> late("late", fiber, "in", true);
    late.begin_tx().end_tx(); // before the fields are known
    tx = late.begin_tx(small);
    tx.record_event("issue");
    late.end_tx(tx);
    lwtr::tx_generator<colour> colours("colours", fiber, "in");
    colours.begin_tx(colour{1}).end_tx();
    lwtr::tx_generator<only_values> values("values", fiber, "in");
    values.begin_tx(only_values{9}).end_tx();
    lwtr::tx_generator<shape> unused("unused", fiber, "in");
}

} // namespace

int sc_main(int, char **argv)
{
    const std::string way = argv[1];
    if (way == "text")
        lwtr::tx_text_init();
    else if (way != "uninitialised")
        lwtr::tx_ftr_init(way != "plain");
    if (way == "too_many") {
        record_too_many();
    } else if (way == "objects") {
        record_objects();
    } else if (way == "lifetimes") {
        record_lifetimes();
    } else if (way == "switched") {
        record_switched();
    } else if (way == "callbacks") {
        record_with_callbacks();
    } else {
        lwtr::tx_db database("my_db");
        if (way == "no_default")
            lwtr::tx_db::set_default_db(nullptr);
        lwtr::tx_fiber fiber("top.values", "transactor");
        lwtr::tx_fiber events("top.events", "transactor");
        record_values(fiber);
        record_generators(fiber);
        record_events(events);
        if (way == "exit")
            std::exit(3);
    }
    return 0;
}
