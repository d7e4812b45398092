/* Attributes that hold addresses, recognized by their names. */
#ifndef FTR_ADDRESS_NAME_H
#define FTR_ADDRESS_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether an attribute of this name holds addresses: `address`, `start_addr`,
 * `trans.address`. */
bool ftr_is_address_name(const char *name, size_t size);

#endif
