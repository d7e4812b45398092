/** @file
 *  The configuration files of a trace: sections, repeated keys, blocks, includes, search path. */
#ifndef FTR_INI_FILE_H
#define FTR_INI_FILE_H

#include "command_arena.h"
#include "name_list.h"
#include "report.h"

#include <stdbool.h>

/** One occurrence of a key. */
typedef struct ftr_ini_value {
    const char *key;
    const char *text; /**< without surrounding blanks; for a block: its lines, verbatim */
    unsigned line;
    bool block; /**< written as <<<TAG */
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

/** Loads @p name, a path or a name in the search path, and the files of its `[includes]` section. A
 *  file that is already loaded is skipped.
 *  @param where position of the reference, for the error message
 *  @return false after an error message */
bool ftr_ini_files_load(ftr_ini_files *files, const char *where, const char *name);

/** Parses @p text as the file @p path. */
bool ftr_ini_files_parse(ftr_ini_files *files, const char *path, const char *text, size_t length);

/** Returns the first section with this name in all files, or NULL. */
const ftr_ini_section *ftr_ini_files_find(const ftr_ini_files *files, const char *section);

/** Returns "file:line: [section] key", for messages. */
const char *ftr_ini_value_where(ftr_link_arena *arena, const ftr_ini_value *value);
const char *ftr_ini_section_where(ftr_link_arena *arena, const ftr_ini_section *section);

/** Splits a value at its commas, except within quotes, parentheses or brackets; trims each piece,
 * drops empty ones and removes one pair of quotes from each. A block is one piece.
 * @return false after an error message about a quote that is not closed */
bool ftr_ini_value_split(const ftr_ini_files *files, const ftr_ini_value *value,
                         ftr_name_list *pieces);

/** Returns the whole value as one piece, without its pair of quotes. NULL after an error
 * message. */
const char *ftr_ini_value_single(const ftr_ini_files *files, const ftr_ini_value *value);

#endif
