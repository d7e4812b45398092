/* Registered user extensions. Finds them in a payload; the users' functions record their
 * content. */
#include <ftr/tlm_extensions.hpp>

#include <utility>
#include <vector>

#include "tlm_attributes.hpp"

namespace ftr
{

tlm_extension_sink::tlm_extension_sink(ftr_recorder *rec, ftr_tx tx, std::string prefix)
    : rec_(rec), tx_(tx), prefix_(std::move(prefix))
{
}

void tlm_extension_sink::put(const char *field, const ftr_value &value)
{
    static_cast<void>(
        ftr_tx_put_named(rec_, tx_, FTR_CLASS_RECORD, (prefix_ + field).c_str(), &value));
}

void tlm_extension_sink::put_bool(const char *field, bool boolean)
{
    ftr_value value{};
    value.type = FTR_TYPE_BOOLEAN;
    value.as.boolean = boolean;
    put(field, value);
}

void tlm_extension_sink::put_int(const char *field, std::int64_t integer)
{
    ftr_value value{};
    value.type = FTR_TYPE_INTEGER;
    value.as.integer = integer;
    put(field, value);
}

void tlm_extension_sink::put_number(const char *field, std::uint64_t number)
{
    ftr_value value{};
    value.type = FTR_TYPE_UNSIGNED;
    value.as.number = number;
    put(field, value);
}

void tlm_extension_sink::put_real(const char *field, double real)
{
    ftr_value value{};
    value.type = FTR_TYPE_FLOATING_POINT;
    value.as.real = real;
    put(field, value);
}

void tlm_extension_sink::put_text(const char *field, const std::string &text)
{
    ftr_value value{};
    value.type = FTR_TYPE_STRING;
    value.text_length = text.size();
    value.as.text = text.data();
    put(field, value);
}

namespace detail
{

namespace
{

struct extension_recorder {
    unsigned id;
    std::string prefix;
    tlm_extension_at at;
    std::function<void(const tlm::tlm_extension_base &, tlm_extension_sink &)> put;
};

std::vector<extension_recorder> &extension_recorders()
{
    static auto *const all =
        new std::vector<extension_recorder>; // never destroyed, so usable until the process ends
    return *all;
}

} // namespace

bool has_extension_recorders = false;

void add_extension_recorder(
    unsigned id, const std::string &name, tlm_extension_at at,
    std::function<void(const tlm::tlm_extension_base &, tlm_extension_sink &)> put)
{
    extension_recorders().push_back({id, "trans." + name + ".", at, std::move(put)});
    has_extension_recorders = true;
}

void put_extensions(ftr_recorder *rec, ftr_tx tx, const tlm::tlm_generic_payload &trans,
                    bool is_response)
{
    for (const extension_recorder &known : extension_recorders()) {
        if ((known.at == tlm_extension_at::response) != is_response)
            continue;
        const tlm::tlm_extension_base *extension = trans.get_extension(known.id);
        if (!extension)
            continue;
        tlm_extension_sink sink(rec, tx, known.prefix);
        known.put(*extension, sink);
    }
}

} // namespace detail
} // namespace ftr
