/* Which items of two sequences belong together, in order: a longest common subsequence, found in
 * linear memory. */
#ifndef FTR_EDIT_SCRIPT_H
#define FTR_EDIT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTR_NO_PARTNER UINT32_MAX

/* Sets partner[i] to the index in @p b of the item that a[i] belongs to, or to FTR_NO_PARTNER. The
 * result is a longest common subsequence while the sequences differ in at most 512 places; beyond
 * that, items that occur once in each sequence divide it first, and a part without such items stays
 * without partners. @return false without memory */
bool ftr_edit_script(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count,
                     uint32_t *partner);

#endif
