/* The modes of `ftr report`: an HTML file of a run, of two runs or of the runs of a summary; a
 * server; and text. */
#ifndef FTR_REPORT_MODES_H
#define FTR_REPORT_MODES_H

#include "html_page.h"
#include "output_file.h"
#include "selection_options.h"

typedef struct ftr_report_arguments {
    ftr_input_options input;
    ftr_choice choice;
    const char *output; /* path; NULL: not given */
    bool force;
    bool serve;    /* the report is served over HTTP; no file is written */
    uint16_t port; /* port for `serve`; 0: any free port */
    bool text;     /* a text is printed to stdout; no file is written */
    bool diff;     /* the report compares two traces */
    size_t budget; /* maximum size of the file in bytes; exceeded only if the figures alone, without
                      transactions, are larger */
    ftr_time_value tolerance; /* differences in time up to this are ignored */
    /* of a summary: */
    const char *rules;            /* for the gate; NULL: none */
    const char *const *baselines; /* earlier nights, the last one at the end */
    size_t baseline_count;
    const char *history; /* of nights; NULL: none */
    size_t last;         /* greatest number of nights of the history */
    size_t reports;      /* greatest number of reports of failed runs */
} ftr_report_arguments;

/* Writes a complete page. @return false after an error message */
bool ftr_report_write(const ftr_report_arguments *arguments, const ftr_input_paths *inputs,
                      const ftr_text_buffer *manifest, const ftr_packed_block *blocks,
                      size_t block_count);

/* Writes the report of the run at @p path. @return an exit status */
int ftr_report_run(const ftr_report_arguments *arguments, char *path);

/* Writes the report of the differences between two traces. @return the exit status, as for `ftr
 * diff` */
int ftr_report_diff(const ftr_report_arguments *arguments, char *const paths[2]);

/* Returns whether @p path is the name of a summary (`.fts`). */
bool ftr_report_is_summary(const char *path);

/* Writes the report of the summary at @p path. @return an exit status */
int ftr_report_campaign(const ftr_report_arguments *arguments, char *path);

/* Writes the member `history` of a manifest: nights, figures and their changes.
 * @param summary the night that the report is about; it is the last one, whether or not the history
 * has it
 * @return false after an error message */
bool ftr_report_put_history(ftr_json *json, const ftr_report_arguments *arguments,
                            const char *summary);

/* Prints the run at @p path to stdout, in at most 40 lines. @return an exit status */
int ftr_report_text(const ftr_report_arguments *arguments, const char *path);

/* Serves the report of the run at @p path over HTTP on the loopback interface, until SIGINT or
 * SIGTERM. Details are read from the trace on demand. @return an exit status */
int ftr_report_serve(const ftr_report_arguments *arguments, const char *path);

#endif
