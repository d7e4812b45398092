/* Names in options, and warnings about options that are probably wrong: a stream or generator that
 * is not in the file, an attribute that none of the read transactions has, and a time without a
 * unit. Warnings about names contain the nearest name that was found. */
#ifndef FTR_NAME_WARNINGS_H
#define FTR_NAME_WARNINGS_H

#include "filter_expression.h"
#include "input_file.h"

/* The arguments of a repeated option, each a comma-separated list of patterns. */
#define FTR_PATTERNS_MAX 64
typedef struct ftr_patterns {
    const char *pattern[FTR_PATTERNS_MAX];
    size_t count;
} ftr_patterns;

/* @return false if there are already FTR_PATTERNS_MAX patterns */
bool ftr_patterns_add(ftr_patterns *patterns, const char *pattern);

/* Warns of each pattern of --stream and --generator that matches nothing. */
void ftr_warn_of_names(const ftr_input *input, const ftr_patterns *streams,
                       const ftr_patterns *generators);

/* Warns that a time without a unit was taken as ticks. */
void ftr_warn_of_ticks(const char *path, int time_scale, const char *option, bool negative,
                       uint64_t ticks);

/* Like ftr_warn_of_ticks(), for an option that applies to a trace. */
void ftr_warn_of_bare_option(const ftr_input *input, const char *option, uint64_t ticks);

/* Warns that no transaction of @p query has an attribute with this name. To suggest the nearest
 * name, reads the first transactions again. */
void ftr_warn_of_attribute(const ftr_input *input, const ftr_query *query, const char *option,
                           ftr_view name);

/* The first function warns of a time without a unit in --where. It is called before the
 * transactions are read. The second function warns of each attribute that no transaction had. It is
 * called after the transactions were read. @p filter may be NULL. */
void ftr_warn_of_bare_time(const ftr_input *input, const ftr_filter *filter);
void ftr_warn_of_filter(const ftr_input *input, const ftr_query *query, const ftr_filter *filter);

#endif
