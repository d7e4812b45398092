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
    const char *text; /**< without surrounding blanks; of a block: its lines, verbatim */
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

/** All loaded files, in the order they were loaded. */
typedef struct ftr_ini_files {
    ftr_link_arena *arena;
    ftr_link_report *report;
    ftr_name_list search; /**< directories, searched in order */
    ftr_ini_source **sources;
    size_t count;
} ftr_ini_files;

/** Loads @p name, as given or from the search path, and what its `[includes]` section names. A file
 *  that is loaded already is skipped.
 *  @param where for the message when it cannot be found
 *  @return false when anything was wrong; the report was told */
bool ftr_ini_files_load(ftr_ini_files *files, const char *where, const char *name);

/** Parses @p text as the file @p path. */
bool ftr_ini_files_parse(ftr_ini_files *files, const char *path, const char *text, size_t length);

/** The first section of this name over all files, or NULL. */
const ftr_ini_section *ftr_ini_files_find(const ftr_ini_files *files, const char *section);

/** "file:line: [section] key", for messages. */
const char *ftr_ini_value_where(ftr_link_arena *arena, const ftr_ini_value *value);
const char *ftr_ini_section_where(ftr_link_arena *arena, const ftr_ini_section *section);

/** Splits a value at its commas, except those inside quotes, parentheses or brackets; trims each
 * piece, drops empty ones and takes one pair of quotes off each. A block is one piece.
 *  @return false for a quote that is not closed; the report was told */
bool ftr_ini_value_split(const ftr_ini_files *files, const ftr_ini_value *value,
                         ftr_name_list *pieces);

/** The whole value as one piece, its pair of quotes taken off. NULL after an error. */
const char *ftr_ini_value_single(const ftr_ini_files *files, const ftr_ini_value *value);

#endif
