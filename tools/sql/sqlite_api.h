/* SQLite's interface, for code that is compiled twice: linked with SQLite, and as an extension that
 * SQLite loads. */
#ifndef FTR_SQLITE_API_H
#define FTR_SQLITE_API_H

#include <sqlite3ext.h>

#ifdef FTR_SQL_ENTRY_POINT
SQLITE_EXTENSION_INIT1
#else
SQLITE_EXTENSION_INIT3
#endif

#endif
