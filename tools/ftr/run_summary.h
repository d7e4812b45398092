/* The information in the stream ftr.run of a file. Only attached prototypes record the number of
 * transactions in it (docs/attach.md). */
#ifndef FTR_RUN_SUMMARY_H
#define FTR_RUN_SUMMARY_H

#include "json_writer.h"

#include <ftr/reader.h>

typedef struct ftr_run_summary {
    bool present;          /* the file has the stream, with transactions */
    bool counted;          /* the run ended normally, so its number of transactions is known */
    uint64_t transactions; /* number of transactions in the whole run, including those of ftr.run */
} ftr_run_summary;

/** Reads the stream. @return FTR_ERR_END if the stream was read to its end (success); otherwise an
 *  error */
ftr_status ftr_run_summarize(ftr_reader *reader, ftr_run_summary *summary);

/** Prints the attributes of the stream, one per line, except those that concern a single stream and
 *  those that describe a link of the base protocol. */
ftr_status ftr_run_print_plain(ftr_printer *out, ftr_reader *reader, int time_scale);

/** Writes a member with an object that has the attributes of the stream as members. */
ftr_status ftr_run_put_json(ftr_json *json, const char *name, ftr_reader *reader);

#endif
