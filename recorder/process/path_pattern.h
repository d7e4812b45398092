/* File names with placeholders: %p %h %e %t %q{VAR} %%. */
#ifndef FTR_PATH_PATTERN_H
#define FTR_PATH_PATTERN_H

#include <stddef.h>

#include <ftr/status.h>

/* Copies @p pattern to @p path and replaces the placeholders. Dots and slashes in the text that
 * replaces a placeholder become '-', so that the only dot is the one before `ftr`.
 * FTR_ERR_ARGUMENT: unknown placeholder, or the result is too long; then @p path contains a
 * description of the error. */
FTR_MUST_USE ftr_status ftr_path_pattern_expand(const char *pattern, char *path, size_t size);

#endif
