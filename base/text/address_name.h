/* Attributes that hold addresses, recognized by their names. */
#ifndef FTR_ADDRESS_NAME_H
#define FTR_ADDRESS_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the last word of the name is `address`, `addr` or `adr`, in any case. A word
 * begins at the begin of the name, or behind `_` or `.`: `address`, `start_addr`, `trans.ADDRESS`.
 */
bool ftr_is_address_name(const char *name, size_t size);

#endif
