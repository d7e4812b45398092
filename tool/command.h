/* What the subcommands have in common: how they are called and what they answer. */
#ifndef FTR_COMMAND_H
#define FTR_COMMAND_H

#include <ftr/reader.h>

#include <getopt.h>

/* Exit statuses of every subcommand, as of diff(1). */
enum {
    FTR_EXIT_OK = 0,
    FTR_EXIT_FOUND = 1,  /* findings, a difference, a limit exceeded */
    FTR_EXIT_TROUBLE = 2 /* misuse, or a file that cannot be read or written */
};

typedef struct ftr_command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
    const char *usage;   /* its arguments, one line */
    const char *options; /* what they mean */
} ftr_command;

extern const ftr_command ftr_command_attach;
extern const ftr_command ftr_command_cat;
extern const ftr_command ftr_command_check;
extern const ftr_command ftr_command_convert;
extern const ftr_command ftr_command_cut;
extern const ftr_command ftr_command_diff;
extern const ftr_command ftr_command_dump;
extern const ftr_command ftr_command_info;
extern const ftr_command ftr_command_merge;
extern const ftr_command ftr_command_recover;
extern const ftr_command ftr_command_sql;
extern const ftr_command ftr_command_stats;

/* Says on stderr what is wrong with how @p command was called, and where to read on.
 * @return FTR_EXIT_TROUBLE */
__attribute__((format(printf, 2, 3))) int ftr_misuse(const ftr_command *command, const char *format,
                                                     ...);

/* Says on stderr that something went wrong: "ftr: ...". */
__attribute__((format(printf, 1, 2))) void ftr_complain(const char *format, ...);

/* Prints how @p command is called, on stdout. */
void ftr_print_usage(const ftr_command *command);

/* The options of a subcommand, as getopt_long() wants them. 'h' is always for its usage. */
typedef struct ftr_option_set {
    const ftr_command *command;
    const char *letters;
    const struct option *words;
    /* Takes one of the others. @return false when @p argument is not understood */
    bool (*take)(void *options, int option, const char *argument);
} ftr_option_set;

/* Reads all options, says what is wrong with one, and leaves optind at the first argument.
 * @param options for the set's function
 * @param[out] status what to end with, if it is not to go on
 * @return whether to go on */
bool ftr_take_options(const ftr_option_set *set, int argc, char **argv, void *options, int *status);

#endif
