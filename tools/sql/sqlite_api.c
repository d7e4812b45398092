/* Owns the table of SQLite's functions, through which the loadable extension calls SQLite. This
 * file has no content if SQLite is linked. */
#define FTR_SQL_ENTRY_POINT
#include "sqlite_api.h"
