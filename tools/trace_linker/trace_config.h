/** @file
 *  A configuration of a trace: sections and keys, parsed and checked. */
#ifndef FTR_TRACE_CONFIG_H
#define FTR_TRACE_CONFIG_H

#include "ini_file.h"

/** A signature from the configuration. The first of `types` is the return type; the types of the
 * arguments follow. */
typedef struct ftr_written_signature {
    const char *function;
    const char *where;
    ftr_name_list types;
    const struct ftr_function_section *section;
} ftr_written_signature;

/** A section that the key `functions` names: code that precedes its signatures. */
typedef struct ftr_function_section {
    const char *name;
    ftr_name_list headers;
    ftr_name_list defines;
} ftr_function_section;

/** The point at which a wrapper releases the lock of the generator. */
typedef enum ftr_lock_model {
    FTR_LOCK_ALLOC, /**< the lock is released after the allocation of a record (the default) */
    FTR_LOCK_TRACE  /**< the lock is released after the arguments are recorded */
} ftr_lock_model;

/** The keys of a generator section; NULL for a missing key. */
typedef struct ftr_generator_section {
    const char *name;
    const char *where;
    ftr_name_list headers;
    ftr_name_list defines;
    ftr_name_list code;
    const char *lock_local;
    const char *lock_acquire;
    const char *lock_release;
    ftr_lock_model lock_model;
    const char *buffer_local;
    const char *entry_alloc;
    const char *exit_alloc;
    const char *entry_trace;
    const char *arg_trace;
    const char *exit_trace;
    const char *ret_trace;
    /** a C condition; if it is false, the call is not recorded; an extension of ftr-ld */
    const char *gate;
    /** `errno = self`: the generator's code preserves errno; an extension of ftr-ld */
    bool keeps_errno;
    /** `unlisted = on`: an empty list of enables or triggers means all functions; an extension of
     * ftr-ld */
    bool all_enabled;
    /** `link`: arguments appended to the link command; an extension of ftr-ld */
    ftr_name_list libraries;
} ftr_generator_section;

/** The table of enables or triggers, which has one bit for each function. */
typedef enum ftr_bitmap_mode {
    FTR_BITMAP_LISTED,  /**< the bits of the listed functions are set */
    FTR_BITMAP_OMITTED, /**< the table is omitted, unless the generator needs it */
    FTR_BITMAP_ALL      /**< all bits are set */
} ftr_bitmap_mode;

typedef struct ftr_trace_options {
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
    ftr_bitmap_mode enables;
    ftr_bitmap_mode triggers;
    /** maximum number of bytes that are recorded of a text (char *); 0: its address is recorded */
    unsigned string_limit;
} ftr_trace_options;

/** A function or glob in a list, and its position in the configuration. */
typedef struct ftr_named_function {
    const char *name;
    const char *where;
} ftr_named_function;

/** A list of functions. A function is in the list if it matches one of `items` and none of
 * `excluded`. */
typedef struct ftr_function_list {
    ftr_named_function *items;
    size_t count;
    ftr_named_function *excluded; /**< items with a leading '!', without the '!' */
    size_t excluded_count;
} ftr_function_list;

/** Returns true if one of `items` matches @p function. */
bool ftr_function_list_names(const ftr_function_list *list, const char *function);
/** Returns true if one of `excluded` matches @p function. */
bool ftr_function_list_excludes(const ftr_function_list *list, const char *function);

typedef struct ftr_trace_config {
    const char *name;
    ftr_trace_options options;
    ftr_name_list defines;
    ftr_function_section **functions;
    size_t function_count;
    ftr_written_signature *signatures;
    size_t signature_count;
    ftr_function_list traces;
    ftr_function_list enables;
    ftr_function_list triggers;
    ftr_generator_section generator;
} ftr_trace_config;

/** Reads the section `tracer` and all sections that it refers to.
 *  @param warn_unknown whether to warn of unknown keys
 *  @return false after an error message */
bool ftr_trace_config_read(ftr_ini_files *files, bool warn_unknown, ftr_trace_config *config);

/** Returns the signature of @p function in the configuration; NULL if there is none. */
const ftr_written_signature *ftr_trace_config_signature(const ftr_trace_config *config,
                                                        const char *function);

#endif
