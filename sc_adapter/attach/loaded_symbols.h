/* Finds symbols of the libraries that are loaded in this process. */
#ifndef FTR_LOADED_SYMBOLS_H
#define FTR_LOADED_SYMBOLS_H

/* Returns the address of @p symbol in the first library that defines it, even if it was opened with
 * RTLD_LOCAL; otherwise NULL. The library that contains the address @p except is not searched;
 * NULL: all are searched. @param[out] path if not NULL: the path of the library found */
void *ftr_loaded_symbol(const char *symbol, const void *except, const char **path);

#endif
