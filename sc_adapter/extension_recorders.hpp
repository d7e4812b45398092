/* The registered user extensions. */
#ifndef FTR_EXTENSION_RECORDERS_HPP
#define FTR_EXTENSION_RECORDERS_HPP

#include <string>

#include <ftr/tlm_link.hpp>

namespace ftr
{
namespace detail
{

/* True if an extension was registered. */
extern FTR_SC_HIDDEN bool has_extension_recorders;

/* Puts the values of the registered extensions of a payload. @p prefix precedes the names of the
 * attributes */
void put_registered_extensions(ftr_recorder *rec, ftr_tx tx, const tlm::tlm_generic_payload &trans,
                               bool is_response, const std::string &prefix);

/* Returns whether the extension type with the number @p id was registered. */
bool is_registered_extension(unsigned id);

} // namespace detail
} // namespace ftr

#endif
