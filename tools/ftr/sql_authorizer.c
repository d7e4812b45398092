/* Owns the decision which parts of a statement are allowed. The tables of a session are temporary
 * and in memory, so that changes of them are allowed: only files and code outside of the connection
 * are protected. */
#include "sql_authorizer.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static bool is_in(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Pragmas with an argument that only return information, or that only change comparisons. A pragma
 * without argument returns a setting. */
static bool is_harmless_pragma(const char *name, const char *argument)
{
    static const char *const NAMES[] = {
        "case_sensitive_like", "foreign_key_check", "foreign_key_list",
        "index_info",          "index_list",        "index_xinfo",
        "integrity_check",     "quick_check",       "reverse_unordered_selects",
        "table_info",          "table_list",        "table_xinfo",
    };
    return argument == NULL || is_in(name, NAMES, sizeof NAMES / sizeof NAMES[0]);
}

/* The functions of the SQLite library that load code. readfile(), writefile(), edit(), fsdir and
 * zipfile are not in this list: they are parts of the program sqlite3 and of extensions, and do not
 * exist in the library. */
static bool is_harmless_function(const char *name)
{
    static const char *const NAMES[] = {"fts3_tokenizer", "load_extension"};
    return !is_in(name, NAMES, sizeof NAMES / sizeof NAMES[0]);
}

/* A database in memory, or one in a temporary file that SQLite deletes. @p path is NULL if the
 * statement computes it. */
static bool is_without_file(const char *path)
{
    return path != NULL && (*path == '\0' || strcmp(path, ":memory:") == 0);
}

static int deny(ftr_sql_authorizer *authorizer, const char *what, const char *name)
{
    (void)sqlite3_snprintf(sizeof authorizer->denied, authorizer->denied, "%s%s", what, name);
    return SQLITE_DENY;
}

static int authorize(void *user, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    (void)database;
    (void)trigger;
    ftr_sql_authorizer *authorizer = user;
    switch (action) {
    case SQLITE_ATTACH: /* also for VACUUM INTO */
        return is_without_file(first) ? SQLITE_OK
                                      : deny(authorizer, "ATTACH or VACUUM INTO a file", "");
    case SQLITE_PRAGMA:
        return is_harmless_pragma(first, second) ? SQLITE_OK
                                                 : deny(authorizer, "setting the pragma ", first);
    case SQLITE_FUNCTION:
        return is_harmless_function(second) ? SQLITE_OK : deny(authorizer, "the function ", second);
    default:
        return SQLITE_OK;
    }
}

void ftr_sql_authorizer_install(ftr_sql_authorizer *authorizer, sqlite3 *db)
{
    authorizer->denied[0] = '\0';
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    (void)sqlite3_set_authorizer(db, authorize, authorizer);
}
