/* A file that a subcommand reads, and what it says on stderr about it. */
#ifndef FTR_INPUT_FILE_H
#define FTR_INPUT_FILE_H

#include <ftr/reader.h>

typedef struct ftr_input {
    const char *path;
    ftr_reader *reader;
    uint64_t errors; /* findings of severity ERROR */
    uint64_t warnings;
    unsigned told;   /* how many were printed */
    bool silent;     /* counts only */
    bool say_all;    /* prints every one, not only the first few */
    bool viewers;    /* also those that only concern viewers */
    bool has_warned; /* of the options that choose from it */
} ftr_input;

/* The options all reading subcommands share. */
typedef struct ftr_input_options {
    size_t memory;
    ftr_reader_numbering numbering;
    bool spool;
    bool silent;
    bool say_all;
    bool viewers;
} ftr_input_options;

/* The journal that a recorder of the trace at @p path has, or left behind; empty: there is none. */
void ftr_input_find_journal(const char *path, char *journal, size_t size);

/* Says on stderr if a recording of the trace at @p path crashed and can be recovered. */
void ftr_input_tell_of_crash(const char *path);

/* Opens @p path. Says on stderr if a recording of it crashed and can be recovered.
 * @return false after saying why on stderr */
bool ftr_input_open(ftr_input *input, const char *path, const ftr_input_options *options);

/* Says on stderr how many findings were not printed. */
void ftr_input_close(ftr_input *input);

/* What a read that ended for @p status says; nothing for FTR_OK and FTR_ERR_END.
 * @return whether it was one of these */
bool ftr_input_ended_well(const ftr_input *input, ftr_status status);

/* For getopt_long's val: options that every reading subcommand takes. */
enum { FTR_OPTION_MEMORY = 0x100, FTR_OPTION_TYPES, FTR_OPTION_FIRST_FREE };
#define FTR_INPUT_LONG_OPTIONS                                  \
    {"memory", required_argument, NULL, FTR_OPTION_MEMORY},     \
    {                                                           \
        "read-types", required_argument, NULL, FTR_OPTION_TYPES \
    }
#define FTR_INPUT_OPTIONS_TEXT                                                   \
    "  --memory SIZE           hold at most this much (K, M, G); default 128M\n" \
    "  --read-types NUMBERING  deployed or text, where it is not to be told from the values\n"

/* Takes one of the two. @return false when @p argument is not understood */
bool ftr_input_take_option(ftr_input_options *options, int option, const char *argument);

/* "64M" as bytes. */
bool ftr_size_parse(const char *text, size_t *size);

#endif
