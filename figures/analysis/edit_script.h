/* Finds a common subsequence of two sequences in linear memory: a longest one, unless the sequences
 * differ very much. */
#ifndef FTR_EDIT_SCRIPT_H
#define FTR_EDIT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTR_NO_PARTNER UINT32_MAX

/* Sets partner[i] to the index in @p b that a[i] is paired with, or to FTR_NO_PARTNER. The result
 * is a longest common subsequence if the sequences have at most 512 differences. With more
 * differences, the sequences are first divided at items that occur once in each of them; a part
 * in which no item occurs once remains unpaired. @return false if out of memory */
bool ftr_edit_script(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count,
                     uint32_t *partner);

#endif
