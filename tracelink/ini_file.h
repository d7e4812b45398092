/** @file
 *  The configuration files of a trace: sections, repeated keys, blocks, includes, search path. */
#ifndef TRACELINK_INI_FILE_H
#define TRACELINK_INI_FILE_H

#include "command_arena.h"
#include "name_list.h"
#include "report.h"

#include <stdbool.h>

/** One occurrence of a key. */
struct ini_value {
    const char *key;
    const char *text; /**< without surrounding blanks; of a block: its lines, verbatim */
    unsigned line;
    bool block; /**< written as <<<TAG */
    const struct ini_section *section;
};

struct ini_section {
    const char *name;
    unsigned line;
    struct ini_value *values;
    size_t count;
    const struct ini_source *source;
};

/** One loaded file. */
struct ini_source {
    const char *path;
    struct ini_section **sections;
    size_t count;
};

/** All loaded files, in the order they were loaded. */
struct ini_files {
    struct arena *arena;
    struct report *report;
    struct name_list search; /**< directories, searched in order */
    struct ini_source **sources;
    size_t count;
};

/** Loads @p name, as given or from the search path, and what its `[includes]` section names. A file
 *  that is loaded already is skipped.
 *  @param where for the message when it cannot be found
 *  @return false when anything was wrong; the report was told */
bool ini_files_load(struct ini_files *files, const char *where, const char *name);

/** Parses @p text as the file @p path. */
bool ini_files_parse(struct ini_files *files, const char *path, const char *text, size_t length);

/** The first section of this name over all files, or NULL. */
const struct ini_section *ini_files_find(const struct ini_files *files, const char *section);

/** "file:line: [section] key", for messages. */
const char *ini_value_where(struct arena *arena, const struct ini_value *value);
const char *ini_section_where(struct arena *arena, const struct ini_section *section);

/** Splits a value at its commas, except those inside quotes, parentheses or brackets; trims each
 * piece, drops empty ones and takes one pair of quotes off each. A block is one piece.
 *  @return false for a quote that is not closed; the report was told */
bool ini_value_split(const struct ini_files *files, const struct ini_value *value,
                     struct name_list *pieces);

/** The whole value as one piece, its pair of quotes taken off. NULL after an error. */
const char *ini_value_single(const struct ini_files *files, const struct ini_value *value);

#endif
