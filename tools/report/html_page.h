/* The HTML file of a report: the page, which is embedded in the program, with the data inside
 * (docs/report-format.md, "Elements"). */
#ifndef FTR_HTML_PAGE_H
#define FTR_HTML_PAGE_H

#include "data_block.h"
#include "printer.h"

/* Receives the bytes of the file in order. @return false if they cannot be written */
typedef bool ftr_html_sink(void *user, const char *bytes, size_t size);

/* The page of tools/report/page/ without data, bundled when the project is built. */
extern const unsigned char ftr_embedded_page[];
extern const size_t ftr_embedded_page_size;

/* The Content-Security-Policy of the page: its rules, separated by "; ". */
extern const char ftr_embedded_page_policy[];

/* Writes the page with its data. @return false if @p sink failed */
bool ftr_html_page_write(const ftr_text_buffer *manifest, const ftr_packed_block *blocks,
                         size_t block_count, ftr_html_sink *sink, void *user);

#endif
