/* Names in traces of TLM calls (FTR_TLM=calls, and traces of version 0.1), and the names that
 * accesses have instead. A link N has the streams `N_bl`, `N_bl_timed`, `N_nb`, `N_nb_timed`,
 * `N_dmi` and `N_dbg` of calls, but the streams `N`, `N.dmi` and `N.debug` of accesses. Messages
 * about a name that matches nothing suggest the new name. */
#ifndef FTR_ACCESS_NAMES_H
#define FTR_ACCESS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Size of a text that has room for names of usual length. */
#define FTR_ACCESS_NAME_SIZE 512u

/* Writes the pattern for accesses that replaces a comma-separated list of patterns for streams of
 * calls, for example `dma.s.*` for `dma.s_nb_timed.request`. With @p is_time, also writes the
 * attribute that has the duration of the calls: `dma.s.* request_time`.
 * @return false if the list has no name of calls, or if @p text is too small */
bool ftr_access_pattern(const char *pattern, bool is_time, char *text, size_t size);

/* Returns the attribute of accesses that replaces an attribute of calls, for example `length` for
 * `trans.data_length`. Returns NULL if the name is not one of calls, or if nothing replaces it. */
const char *ftr_access_attribute(const char *name, size_t size);

#endif
