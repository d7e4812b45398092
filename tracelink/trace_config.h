/** @file
 *  What a configuration asks for: its sections and keys read, checked and followed. */
#ifndef TRACELINK_TRACE_CONFIG_H
#define TRACELINK_TRACE_CONFIG_H

#include "ini_file.h"

/** A signature as written: types[0] is the return type, then the arguments; no argument: none. */
struct written_signature {
    const char *function;
    const char *where;
    struct name_list types;
    const struct function_section *section;
};

struct function_section {
    const char *name;
    struct name_list headers;
    struct name_list defines;
};

/** When the entry's lock is released. */
enum lock_model {
    LOCK_ALLOC, /**< behind the allocation, the default */
    LOCK_TRACE  /**< behind the arguments */
};

/** The templates of a generator section; NULL where a key is absent. */
struct generator {
    const char *name;
    const char *where;
    struct name_list headers;
    struct name_list defines;
    struct name_list code;
    const char *lock_local;
    const char *lock_acquire;
    const char *lock_release;
    enum lock_model lock_model;
    const char *buffer_local;
    const char *entry_alloc;
    const char *exit_alloc;
    const char *entry_trace;
    const char *arg_trace;
    const char *exit_trace;
    const char *ret_trace;
    const char *gate; /**< a condition: when false the call is only passed on; ours */
    bool keeps_errno; /**< `errno = self`: its code does; ours */
    bool all_enabled; /**< `unlisted = on`: empty enable and trigger lists mean all; ours */
    struct name_list libraries; /**< `link`: arguments appended to the link; ours */
};

enum bitmap_mode { BITMAP_LISTED, BITMAP_OMITTED, BITMAP_ALL };

struct trace_options {
    bool dump_on_error;
    int verbose;
    const char *prefix;
    const char *cc;
    const char *ld;
    const char *cflags;
    const char *rtems_path;
    const char *rtems_bsp;
    bool omit_names;
    bool omit_signatures;
    bool omit_errno;
    enum bitmap_mode enables;
    enum bitmap_mode triggers;
    unsigned string_limit; /**< bytes of a char * shown; 0: its address */
};

/** A function or glob that a list names, and where. */
struct named_function {
    const char *name;
    const char *where;
};

/** A function belongs to a list if an item matches it and none of those excluded does. */
struct function_list {
    struct named_function *items;
    size_t count;
    struct named_function *excluded; /**< written with a '!', which is taken off */
    size_t excluded_count;
};

bool function_list_excludes(const struct function_list *list, const char *function);

struct trace_config {
    const char *name;
    struct trace_options options;
    struct name_list defines;
    struct function_section **functions;
    size_t function_count;
    struct written_signature *signatures;
    size_t signature_count;
    struct function_list traces;
    struct function_list enables;
    struct function_list triggers;
    struct generator generator;
};

/** Reads the section `tracer` and all it names.
 *  @param warn_unknown tell of keys that nothing reads
 *  @return false when anything was wrong; the report was told */
bool trace_config_read(struct ini_files *files, bool warn_unknown, struct trace_config *config);

/** The signature written for @p function, or NULL. */
const struct written_signature *trace_config_signature(const struct trace_config *config,
                                                       const char *function);

#endif
