/* File names with placeholders: %p %h %e %t %q{VAR} %%. */
#ifndef FTR_PATH_PATTERN_H
#define FTR_PATH_PATTERN_H

#include <stddef.h>

#include <ftr/status.h>

/* Expands @p pattern into @p path. Dots and slashes of an expansion become '-', so that one dot
 * before `ftr` stays the only one. On error @p path holds a sentence that says what is wrong.
 * FTR_ERR_ARGUMENT: an unknown placeholder, or the result is too long. */
FTR_MUST_USE ftr_status ftr_path_pattern_expand(const char *pattern, char *path, size_t size);

#endif
