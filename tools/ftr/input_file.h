/* A file that a subcommand reads, with its messages on stderr. */
#ifndef FTR_INPUT_FILE_H
#define FTR_INPUT_FILE_H

#include <ftr/reader.h>

typedef struct ftr_input {
    const char *path;
    ftr_reader *reader;
    uint64_t errors; /* number of findings of severity ERROR */
    uint64_t warnings;
    unsigned threads;
    size_t memory;    /* limit of memory in bytes */
    unsigned printed; /* number of findings that were printed */
    bool silent;      /* findings are counted, but not printed */
    bool print_all;   /* prints all findings instead of the first few */
    bool viewers;     /* findings that concern only viewers are included */
    bool growing;     /* an incomplete end of the file is no finding */
    bool has_warned;  /* warnings were printed about options that select nothing in this file */
} ftr_input;

/* The default of ftr_reader_options.memory. */
#define FTR_INPUT_MEMORY ((size_t)128 << 20)

/* Options that all reading subcommands share. */
typedef struct ftr_input_options {
    size_t memory;
    ftr_reader_numbering numbering;
    bool spool;
    unsigned threads; /* number of threads that read; 0: one for each processor */
    bool silent;
    bool print_all;
    bool viewers;
    bool growing;       /* the file is being written: an incomplete end is not reported */
    bool names_calls;   /* ftr_input_open() calls ftr_input_report_calls() */
    bool without_index; /* the frames of all chunks are read, even if there is an index */
} ftr_input_options;

/* Stores the path of the journal of the trace at @p path, or an empty text if there is no journal.
 */
void ftr_input_find_journal(const char *path, char *journal, size_t size);

/* Stores the path of the journal of the trace at @p path if the process that recorded the trace
 * crashed, and the trace can be recovered. @return whether the process crashed */
bool ftr_input_find_crash(const char *path, char *journal, size_t size);

/* Prints a message to stderr if the process that recorded the trace at @p path crashed and the
 * trace can be recovered. */
void ftr_input_report_crash(const char *path);

/* Prints a message to stderr if the trace is a recording of TLM calls, which has several
 * transactions for each access. Of several traces, only the first is named. */
void ftr_input_report_calls(const char *path, const ftr_reader *reader);

/* Returns whether @p path is a regular file without any byte. The trace of a run that was killed at
 * its start can be empty. */
bool ftr_input_is_empty(const char *path);

/* Returns the number of threads that read. The default is the number of processors that this
 * process may use. */
unsigned ftr_input_threads(const ftr_input_options *options);

/* Opens @p path. Prints a message to stderr if the process that recorded it crashed and the file
 * can be recovered.
 * @return false after an error message */
bool ftr_input_open(ftr_input *input, const char *path, const ftr_input_options *options);

/* Prints the number of suppressed findings to stderr, and closes the file. */
void ftr_input_close(ftr_input *input);

/* Prints a message if reading ended with an error: FTR_OK and FTR_ERR_END are not errors.
 * @return true if there was no error */
bool ftr_input_check_end(const ftr_input *input, ftr_status status);

/** Prints a message for each loss in the stream `ftr.losses` that is due to data that was neither
 * in the trace nor in its journal, so that a recovered file does not look complete.
 *  @param[out] any whether there are such losses; unchanged on error
 *  @return FTR_ERR_END if the stream was read to its end (success); otherwise an error */
ftr_status ftr_unrecovered_report(ftr_reader *reader, const char *path, bool *any);

/* Values for getopt_long(): options that every reading subcommand has. */
enum { FTR_OPTION_MEMORY = 0x100, FTR_OPTION_TYPES, FTR_OPTION_FIRST_FREE };
#define FTR_INPUT_LONG_OPTIONS                                  \
    {"memory", required_argument, NULL, FTR_OPTION_MEMORY},     \
    {                                                           \
        "read-types", required_argument, NULL, FTR_OPTION_TYPES \
    }
#define FTR_INPUT_OPTIONS_TEXT_WITH(memory)                                        \
    "  --memory SIZE           limit of memory (K, M, G, T); default " memory "\n" \
    "  --read-types NUMBERING  deployed or spec, if the values do not determine it\n"
#define FTR_INPUT_OPTIONS_TEXT FTR_INPUT_OPTIONS_TEXT_WITH("128M")

/* The option for the number of threads that read, for commands that read whole files. */
#define FTR_THREADS_LONG_OPTION              \
    {                                        \
        "jobs", required_argument, NULL, 'j' \
    }
#define FTR_THREADS_OPTION_TEXT \
    "  -j, --jobs N            read with N threads; default: one for each processor\n"

/* Takes one of these options. @return false if @p argument is invalid */
bool ftr_input_parse_option(ftr_input_options *options, int option, const char *argument);

#endif
