/* The page of tools/report/page/, bundled when the project is built. */
#ifndef FTR_EMBEDDED_PAGE_H
#define FTR_EMBEDDED_PAGE_H

#include <stddef.h>

extern const unsigned char ftr_embedded_page[];
extern const size_t ftr_embedded_page_size;

/* The Content-Security-Policy of the page: its rules, separated by "; ". */
extern const char ftr_embedded_page_policy[];

#endif
