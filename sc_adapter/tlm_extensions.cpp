/* Registered user extensions. This file finds them in a payload; functions of the user record their
 * content. */
#include <ftr/tlm_extensions.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "extension_access.hpp"
#include "extension_recorders.hpp"

namespace ftr
{

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
bool may_capture_more = false;

void add_extension_recorder(
    unsigned id, const std::string &name, tlm_extension_at at,
    std::function<void(const tlm::tlm_extension_base &, tlm_extension_sink &)> put)
{
    extension_recorders().push_back({id, name + ".", at, std::move(put)});
    has_extension_recorders = true;
    may_capture_more = true;
}

bool is_registered_extension(unsigned id)
{
    const auto &all = extension_recorders();
    return std::any_of(all.begin(), all.end(),
                       [id](const extension_recorder &known) { return known.id == id; });
}

void put_registered_extensions(ftr_recorder *rec, ftr_tx tx, const tlm::tlm_generic_payload &trans,
                               bool is_response, const std::string &prefix)
{
    for (const extension_recorder &known : extension_recorders()) {
        if ((known.at == tlm_extension_at::response) != is_response)
            continue;
        /* The payload may have been made before the type was registered. */
        if (known.id >= extensions_in(trans).size())
            continue;
        const tlm::tlm_extension_base *extension = extensions_in(trans)[known.id];
        if (!extension)
            continue;
        tlm_extension_sink sink(rec, tx, prefix + known.prefix);
        known.put(*extension, sink);
    }
}

} // namespace detail
} // namespace ftr
