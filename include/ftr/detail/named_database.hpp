/** @file
 *  Recordings that a model opens by name: the part of <ftr/compat/lwtr/lwtr.h> that is compiled
 *  into the adapter's library. */
#ifndef FTR_NAMED_DATABASE_HPP
#define FTR_NAMED_DATABASE_HPP

#include <cstdint>
#include <string>

#include <ftr/detail/systemc_session.hpp>

namespace ftr
{
namespace detail
{

enum class database_format { none, plain, compressed, text };

/** Selects the format of all databases that are opened after this call. With `none`, the initial
 * format, nothing is recorded. */
FTR_SC_API void select_database_format(database_format format);

/** Opens `NAME.ftr` with the settings of the FTR_ variables. FTR_TRACE has no effect, because the
 * model names the file. Reports a failure on stderr. @return never NULL; off_session if nothing is
 * recorded */
FTR_SC_API session *open_database(const std::string &name);

/** Closes the file. Files that are still open when the program exits are closed automatically. */
FTR_SC_API void close_database(session &opened);

/** Returns a reference to the default database of the process. The code that sets the pointer and
 * the code that reads it agree on its type. */
FTR_SC_API void *&default_database();

/** Returns a number for a fiber or generator: 1, 2, ... */
FTR_SC_API std::uint64_t next_definition_id();

/** Returns an id for a transaction that is not recorded. The id is greater than the ids of all
 * recorded transactions. */
FTR_SC_API std::uint64_t next_unrecorded_id();

} // namespace detail
} // namespace ftr

#endif
