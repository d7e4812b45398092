/* The HTML file that `ftr report` writes. */
#ifndef FTR_REPORT_FILE_H
#define FTR_REPORT_FILE_H

#include "html_page.h"
#include "output_file.h"
#include "selection_options.h"

typedef struct ftr_report_arguments {
    ftr_input_options input;
    ftr_choice choice;
    const char *output; /* NULL: none was given */
    bool force;
    bool serve;                   /* over HTTP instead of a file */
    uint16_t port;                /* 0: any free one */
    bool text;                    /* text on stdout instead of HTML */
    bool diff;                    /* two traces are compared */
    size_t budget;                /* bytes of the file */
    ftr_time_value tolerance;     /* of a difference */
    const char *rules, *baseline; /* of a campaign; NULL: none */
} ftr_report_arguments;

/* Writes a complete page. @return false after an error message */
bool ftr_report_write(const ftr_report_arguments *arguments, const ftr_input_paths *inputs,
                      const ftr_text_buffer *manifest, const ftr_packed_block *blocks,
                      size_t block_count);

/* Writes the report of the run at @p path. @return an exit status */
int ftr_report_run(const ftr_report_arguments *arguments, char *path);

#endif
