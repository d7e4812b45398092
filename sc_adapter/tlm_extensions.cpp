/* The extensions of payloads. This file finds them in a payload; functions of the user record the
 * content of registered ones. Of other extensions, the name of their type is recorded. */
#include <ftr/tlm_extensions.hpp>

#include <algorithm>
#include <typeinfo>
#include <utility>
#include <vector>

#include "extension_access.hpp"
#include "extension_recorders.hpp"
#include "tlm_calls.hpp"
#include "tlm_names.hpp"

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

void add_extension_recorder(
    unsigned id, const std::string &name, tlm_extension_at at,
    std::function<void(const tlm::tlm_extension_base &, tlm_extension_sink &)> put)
{
    extension_recorders().push_back({id, name + ".", at, std::move(put)});
    has_extension_recorders = true;
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
using namespace detail;

namespace
{

/* Types of extensions with greater numbers share a bit of tlm_link::named_extensions_. */
constexpr unsigned named_types = 64;

constexpr std::uint64_t bit_of(unsigned id)
{
    return std::uint64_t{1} << std::min(id, named_types - 1);
}

/* Calls visit(id, extension) for each extension of a payload. */
template <class Visit> void visit_extensions(const tlm::tlm_generic_payload &trans, Visit visit)
{
    const auto &extensions = extensions_in(trans);
    for (unsigned id = 0; id < extensions.size(); ++id) {
        if (extensions[id])
            visit(id, *extensions[id]);
    }
}

} // namespace

/* Returns whether an access has an extension of a type whose name is to be recorded on this link.
 * Only the first accesses are searched. */
FTR_SC_COLD bool tlm_link::finds_new_extension(const tlm::tlm_generic_payload &trans)
{
    std::uint64_t bits = 0;
    if (to_search_ == 0)
        return false;
    if (--to_search_ == 0)
        calls_->choose_paths(*this);
    visit_extensions(trans,
                     [&bits](unsigned id, const tlm::tlm_extension_base &) { bits |= bit_of(id); });
    return (bits & ~named_extensions_) != 0;
}

/* Puts the values of registered extensions, and the names of the types of others: each of these
 * once on this link. */
void tlm_link::put_extensions(ftr_tx tx, const tlm::tlm_generic_payload &trans, bool is_response)
{
    put_registered_extensions(session_->recorder, tx, trans, is_response, "");
    visit_extensions(trans, [&](unsigned id, const tlm::tlm_extension_base &extension) {
        if (named_extensions_ & bit_of(id))
            return;
        named_extensions_ |= bit_of(id);
        if (is_registered_extension(id))
            return;
        const std::string type = type_name(typeid(extension));
        ftr_value value{};
        value.type = FTR_TYPE_STRING;
        value.text_length = type.size();
        value.as.text = type.data();
        static_cast<void>(
            ftr_tx_put_named(session_->recorder, tx, FTR_CLASS_BEGIN, "extension", &value));
    });
}

} // namespace ftr
