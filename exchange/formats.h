/* The conversions between FTR and other formats, and dumps: files in other formats as text. Each
 * folder of this room implements its own format. */
#ifndef FTR_FORMATS_H
#define FTR_FORMATS_H

#include "import_target.h"
#include "printer.h"

#include <ftr/reader.h>

typedef struct ftr_named_reader {
    const char *name; /* name of the trace in the output */
    ftr_reader *reader;
    unsigned threads; /* number of threads of the reader */
} ftr_named_reader;

/* ---- Common Trace Format (ctf/) -------------------------------------------------------------- */

typedef struct ftr_ctf_input {
    const char *path; /* name of the input in messages */
    const char *name; /* name of the trace in the output, if there are several inputs */
    ftr_reader *reader;
    int64_t offset_s; /* `offset_s` and `offset_ns` are added to the clock of the trace */
    int64_t offset_ns;
    unsigned threads; /* number of threads of the reader */
} ftr_ctf_input;

typedef struct ftr_ctf_options {
    const char *begin, *end; /* window of simulated time; NULL: no limit */
} ftr_ctf_options;

/* Writes one trace of version 1.8 for each input. A single trace is written to @p directory itself.
 * Several traces are written to subdirectories. @p directory must not exist; it appears when all
 * traces are complete.
 * @return false after an error message */
bool ftr_ctf_write(const ftr_ctf_input *inputs, size_t count, const char *directory,
                   const ftr_ctf_options *options, const ftr_exchange_report *report);

/* ---- flux (flux/) ---------------------------------------------------------------------------- */

/* Writes a trace of version 4 for each input to @p fd, with the emitter that is also used on
 * targets (ftr/flux.h). The caller must close @p fd. @p path is the name of the output, for
 * messages.
 * @param packed writes everything except the heads in LZ4 blocks
 * @return false after an error message */
bool ftr_flux_write(const ftr_named_reader *inputs, size_t count, int fd, const char *path,
                    bool packed, const ftr_exchange_report *report);

/* Converts the file @p path, of version 4 or 6, to @p output. The file may be compressed with gzip,
 * and may be a pipe, which is copied to a temporary file, because the input is read twice. The
 * finest unit of positions (domain base) of the input becomes the tick of the output.
 * @return false after an error message if nothing could be read, or if writing failed */
bool ftr_flux_read(const char *path, const char *output, const ftr_recorder_options *options,
                   const ftr_exchange_report *report, ftr_import_result *result);

/* Returns true if a file with these first bytes is a flux file. */
bool ftr_flux_is_flux(const unsigned char *bytes, size_t size);

/* Prints a flux file, one line for each entry. @param[out] errors number of errors that were
 * reported
 * @return false after an error message if nothing could be read */
bool ftr_flux_dump(const char *path, ftr_printer *out, const ftr_exchange_report *report,
                   uint64_t *errors);

/* ---- QNX kernel event logs (kev/) ------------------------------------------------------------ */

/* Converts the log @p path to the FTR file @p output. @return false after an error message if
 * nothing could be read, or if writing failed */
bool ftr_kev_read(const char *path, const char *output, const ftr_recorder_options *options,
                  const ftr_exchange_report *report, ftr_import_result *result);

#define FTR_KEV_FORMAT_DEFAULT "t:0x%08c CPU:%02C %-16Z:%-18z"

/* Returns NULL if the format of the beginning of a line is valid, otherwise its first invalid part.
 */
const char *ftr_kev_format_check(const char *format);

/* Prints the keys of the head of a log, then one line per event.
 * @param format the format of the beginning of a line, as for traceprinter's option -p; must be
 *               valid
 * @param[out] errors number of errors that were reported
 * @return false after an error message if nothing could be read */
bool ftr_kev_dump(const char *path, const char *format, ftr_printer *out,
                  const ftr_exchange_report *report, uint64_t *errors);

/* ---- SCV transaction text (scv/) ------------------------------------------------------------- */

/* Writes the transactions of @p reader to @p fd, in the form of the text back-end of Accellera's
 * SCV. The caller must close @p fd. @p path is the name of the output, for messages. If @p path
 * ends with ".gz", the output is compressed.
 * @param threads number of threads of @p reader
 * @return false after an error message */
bool ftr_scv_write(ftr_reader *reader, unsigned threads, int fd, const char *path,
                   const ftr_exchange_report *report);

/* Converts the file @p path to @p output. The file may be compressed with gzip, and may be a pipe,
 * which is copied to a temporary file, because the input is read twice. A tick of the output is a
 * picosecond, or shorter if the finest time requires it. @p options are options of the recorder
 * that writes @p output.
 * @return false after an error message if nothing could be read, or if writing failed */
bool ftr_scv_read(const char *path, const char *output, const ftr_recorder_options *options,
                  const ftr_exchange_report *report, ftr_import_result *result);

/* ---- trace-event JSON, for ui.perfetto.dev and chrome://tracing (trace_event/) --------------- */

/* Writes to @p fd, which the caller must close. @p path is the name of the output, for messages. If
 * @p path ends with ".gz", the output is compressed.
 * @return false after an error message */
bool ftr_trace_event_write(const ftr_named_reader *inputs, size_t count, int fd, const char *path,
                           const ftr_exchange_report *report);

#endif
