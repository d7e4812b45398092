/** @file
 *  The configuration files of a trace: sections, keys (which may be repeated), blocks, includes,
 *  and the search path. */
#ifndef FTR_INI_FILE_H
#define FTR_INI_FILE_H

#include "command_arena.h"
#include "report.h"

#include <stdbool.h>

/** One occurrence of a key in a file, with its value. */
typedef struct ftr_ini_value {
    const char *key;
    const char *text; /**< without blanks at both ends; for a block, its unchanged lines */
    unsigned line;
    bool block; /**< the value is a block, written as <<<TAG */
    const struct ftr_ini_section *section;
} ftr_ini_value;

typedef struct ftr_ini_section {
    const char *name;
    unsigned line;
    ftr_ini_value *values;
    size_t count;
    const struct ftr_ini_source *source;
} ftr_ini_section;

/** One loaded file. */
typedef struct ftr_ini_source {
    const char *path;
    ftr_ini_section **sections;
    size_t count;
} ftr_ini_source;

/** All loaded files, in the order of loading. */
typedef struct ftr_ini_files {
    ftr_link_arena *arena;
    ftr_link_report *report;
    ftr_name_list search; /**< directories, searched in order */
    ftr_ini_source **sources;
    size_t count;
} ftr_ini_files;

/** Loads a file, and the files that its section `[includes]` names. @p name is a path, which may be
 *  relative to the current directory or to a directory of `search`. Files that are already loaded
 *  are skipped.
 *  @param where the place that names the file, for the error message; NULL: none
 *  @return false after an error message */
bool ftr_ini_files_load(ftr_ini_files *files, const char *where, const char *name);

/** Loads the files that the key `include` of a section names. @return false after an error message
 */
bool ftr_ini_section_load(ftr_ini_files *files, const ftr_ini_section *section);

/** Parses @p text as the content of the file @p path, and loads the files that its section
 * `[includes]` names. @return false after an error message */
bool ftr_ini_files_parse(ftr_ini_files *files, const char *path, const char *text, size_t length);

/** Returns the first section with this name in all files; NULL if there is none. */
const ftr_ini_section *ftr_ini_files_find(const ftr_ini_files *files, const char *section);

/** Return the position of a value or section for messages, for example "file:line: [section]
 * key". */
const char *ftr_ini_value_where(ftr_link_arena *arena, const ftr_ini_value *value);
const char *ftr_ini_section_where(ftr_link_arena *arena, const ftr_ini_section *section);

/** Splits a value at its commas, except for commas within quotes, parentheses or brackets. Removes
 * blanks at both ends of each piece, and then the quotes around the piece, if any. Empty pieces are
 * dropped. A block is one piece.
 * @return false after an error message about a quote that is not closed */
bool ftr_ini_value_split(const ftr_ini_files *files, const ftr_ini_value *value,
                         ftr_name_list *pieces);

/** Returns the whole value as one piece, without the quotes around it, if any. Returns NULL after
 * an error message. */
const char *ftr_ini_value_single(const ftr_ini_files *files, const ftr_ini_value *value);

#endif
