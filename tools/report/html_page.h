/* The HTML file of a report: the page, which is embedded in the program, with the data inside
 * (docs/report-format.md, "Elements"). */
#ifndef FTR_HTML_PAGE_H
#define FTR_HTML_PAGE_H

#include "data_block.h"
#include "printer.h"

/* Receives the bytes of the file in order. @return false if they cannot be written */
typedef bool ftr_html_sink(void *user, const char *bytes, size_t size);

/* Returns the size of a page without data, in bytes. */
size_t ftr_html_page_size(void);

/* Returns the Content-Security-Policy of the page: its rules, separated by "; ". */
const char *ftr_html_page_policy(void);

/* Writes the page with its data. @return false if @p sink failed */
bool ftr_html_page_write(const ftr_text_buffer *manifest, const ftr_packed_block *blocks,
                         size_t block_count, ftr_html_sink *sink, void *user);

#endif
