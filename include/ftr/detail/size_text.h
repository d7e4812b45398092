/** @file Sizes as text: every option and variable for a size uses this function. */
#ifndef FTR_SIZE_TEXT_H
#define FTR_SIZE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <ftr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Parses "4096", "64K", "8M", "2G", "1T": a decimal number of bytes, which K, M, G or T (either
 * case) multiplies by a power of 1024. Any thread.
 *  @param[out] size bytes; untouched on error
 *  @return false if the text is anything else, or the size exceeds 64 bits */
FTR_API FTR_MUST_USE bool ftr_size_parse(const char *text, uint64_t *size);

#ifdef __cplusplus
}
#endif

#endif
