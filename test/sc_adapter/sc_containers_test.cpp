/* Records containers of C++17, payloads and signals, declared and undeclared, and with the fields
 * of a TLM extension. With UNSUPPORTED_..., one value has a type that cannot be recorded. */
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <ftr/systemc.hpp>
#include <ftr/tlm.hpp>

namespace
{

struct unsupported {
};

struct lanes {
    int count = 1;
    std::array<int, 2> width{{2, 3}};
};
template <class Visitor> void ftr_fields(Visitor &visit, const lanes &from)
{
    visit("count", from.count);
    visit("width", from.width);
}

using bytes = std::vector<std::uint8_t>;
using mixed =
    std::variant<std::monostate, int, unsigned, double, std::string, sc_core::sc_time, bool>;
using numbers = std::variant<int, long>;

#ifdef UNSUPPORTED_DECLARED
[[maybe_unused]] void refuse()
{
    ftr::generator<ftr::at_begin<unsupported>> generator{ftr::stream{"s"}, "g", "value"};
    generator.begin(unsupported());
}
#endif
#ifdef UNSUPPORTED_PUT
[[maybe_unused]] void refuse(ftr::transaction &tx)
{
    tx.put("value", unsupported());
}
#endif
#ifdef UNSUPPORTED_FIELD
struct outer {
    unsupported value;
};
template <class Visitor> void ftr_fields(Visitor &visit, const outer &from)
{
    visit("value", from.value);
}
[[maybe_unused]] void refuse(ftr::transaction &tx)
{
    tx.put("value", outer());
}
#endif
#ifdef UNSUPPORTED_EXTENSION
[[maybe_unused]] void refuse(ftr::tlm_extension_sink &sink)
{
    sink.put("value", unsupported());
}
#endif
#ifdef UNSUPPORTED_OPTIONAL
[[maybe_unused]] void refuse(ftr::transaction &tx)
{
    tx.put("value", std::optional<unsupported>());
}
#endif

unsigned char data[] = {1, 2, 255, 4, 5, 6, 7, 8, 9};

void prepare(tlm::tlm_generic_payload &trans)
{
    trans.set_write();
    trans.set_address(16);
    trans.set_data_ptr(data);
    trans.set_data_length(9);
}

void record_declared(const ftr::stream &stream, const sc_core::sc_signal<int> &signal)
{
    using text = std::optional<std::string>;
    ftr::generator<ftr::at_begin<tlm::tlm_generic_payload>, ftr::at_begin<std::optional<int>>,
                   ftr::at_begin<bytes>, std::array<std::uint8_t, 3>, std::array<std::string, 2>,
                   mixed, numbers, lanes, ftr::at_end<text>, ftr::at_end<int>>
        declared{stream,  "declared", "trans",   "maybe", "bytes",  "three",
                 "texts", "mixed",    "numbers", "lanes", "answer", "last"};
    tlm::tlm_generic_payload trans;
    prepare(trans);
    auto first = declared.begin(trans, 5, bytes{0, 255});
    first.put<3>(std::array<std::uint8_t, 3>{{1, 2, 3}});
    first.put<4>(std::array<std::string, 2>{{"a", "b"}});
    first.put<5>(mixed(0.1));
    first.put<6>(numbers(7L));
    first.put<7>(lanes());
    first.end(text("yes"), 8);
    trans.set_read();
    auto second = declared.begin(trans, std::nullopt, bytes());
    second.put<5>(mixed(sc_core::sc_time(1234567, sc_core::SC_PS)));
    second.put<6>(signal);
    second.end(text(), signal);
}

} // namespace

int sc_main(int, char **)
{
    sc_core::sc_signal<int> signal("signal");
    sc_core::sc_buffer<bool> flag("flag");
    sc_core::sc_signal<sc_dt::sc_uint<9>> wide("wide");
    const ftr::stream stream{"s"};
    record_declared(stream, signal);

    ftr::generator<> plain{stream, "plain"};
    auto tx = plain.begin();
    tlm::tlm_generic_payload trans;
    prepare(trans);
    tx.put("trans", trans);
    tx.put("none", std::optional<int>());
    tx.put("some", std::optional<double>(1.5));
    tx.put("bytes", bytes(200, 0xa5));
    tx.put("std::byte", std::vector<std::byte>{std::byte{0}, std::byte{0xff}});
    tx.put("two", std::array<std::byte, 2>{{std::byte{1}, std::byte{0x80}}});
#ifdef __cpp_lib_span
    tx.put("span", std::span<const unsigned char>(data));
    tx.put("span of std::byte", std::as_bytes(std::span<unsigned char>(data)));
    tx.put("fixed span", std::span<unsigned char, 2>(data, 2));
#endif
    tx.put("flags", std::array<bool, 2>{{true, false}});
    for (const mixed &each : {mixed(), mixed(-1), mixed(1u), mixed(2.5), mixed("x"),
                              mixed(sc_core::sc_time(3, sc_core::SC_NS)), mixed(true)})
        tx.put("mixed", each);
    tx.put("signal", signal);
    tx.put("flag", flag);
    tx.put("wide", wide);
    tx.put("lanes", lanes());
    ftr::tlm_extension_sink sink(ftr::recorder::standard().handle(), tx, "trans.burst.");
    sink.put("beats", 4);
    sink.put("name", "incr");
    sink.put("kind", std::optional<std::string>("wrap"));
    sink.put("lanes", lanes());
    sink.put("command", tlm::TLM_READ_COMMAND);
    return 0;
}
