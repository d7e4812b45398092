/* The interface of subcommands: options, usage, exit statuses, messages. */
#ifndef FTR_COMMAND_H
#define FTR_COMMAND_H

#include "printer.h"

#include <ftr/reader.h>

#include <getopt.h>

/* Exit statuses of the subcommands, like those of diff(1). There are two exceptions: `ftr attach`
 * exits with the status of the prototype or with one of those in cmd_attach.c, and a script
 * (installed_program.c) exits with a status of its own. */
enum {
    FTR_EXIT_OK = 0,
    FTR_EXIT_FOUND = 1,  /* findings, a difference, or an exceeded limit */
    FTR_EXIT_TROUBLE = 2 /* invalid arguments, or a file that cannot be read or written */
};

typedef struct ftr_command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
    const char *usage;   /* the arguments, in one line */
    const char *options; /* description of the options */
} ftr_command;

extern const ftr_command ftr_command_accesses;
extern const ftr_command ftr_command_attach;
extern const ftr_command ftr_command_cat;
extern const ftr_command ftr_command_check;
extern const ftr_command ftr_command_convert;
extern const ftr_command ftr_command_cut;
extern const ftr_command ftr_command_diff;
extern const ftr_command ftr_command_dump;
extern const ftr_command ftr_command_build_plugin;
extern const ftr_command ftr_command_farm;
extern const ftr_command ftr_command_gate;
extern const ftr_command ftr_command_history;
extern const ftr_command ftr_command_index;
extern const ftr_command ftr_command_info;
extern const ftr_command ftr_command_merge;
extern const ftr_command ftr_command_recover;
extern const ftr_command ftr_command_report;
extern const ftr_command ftr_command_sql;
extern const ftr_command ftr_command_stats;
extern const ftr_command ftr_command_summary;

/* Runs a command and flushes stdout.
 * @param argv the name of the command and its arguments; must stay valid
 * @return an exit status */
int ftr_run_command(const ftr_command *command, int argc, char **argv);

/* Returns the name and the arguments of the command that ftr_run_command() runs, ended by NULL. */
char **ftr_command_arguments(void);

/* Gets the path of the installed program @p name. @return false after an error message */
bool ftr_installed_path(const char *name, char *path, size_t size);

/* Replaces this process by the installed program @p name, with the arguments of the command.
 * @return FTR_EXIT_TROUBLE if the program cannot be run */
int ftr_run_installed(const char *name);

/* Prints a message about invalid arguments of @p command to stderr, and how to get its help.
 * @return FTR_EXIT_TROUBLE */
__attribute__((format(printf, 2, 3))) int ftr_misuse(const ftr_command *command, const char *format,
                                                     ...);

/* Prints an error message to stderr: "ftr: ...". */
__attribute__((format(printf, 1, 2))) void ftr_print_error(const char *format, ...);

/* Writes the text that is still buffered in @p out to stdout. @return false after an error
 * message */
bool ftr_stdout_finish(ftr_printer *out);

/* Prints the usage of @p command to stdout. */
void ftr_print_usage(const ftr_command *command);

/* The options of a subcommand, for getopt_long(). 'h' always prints the usage. */
typedef struct ftr_option_set {
    const ftr_command *command;
    const char *letters;
    const struct option *words;
    /* Takes every option except 'h'. @return false if @p argument is invalid */
    bool (*take)(void *options, int option, const char *argument);
} ftr_option_set;

/* Parses all options. Afterwards, `optind` is the index of the first argument that is not an
 * option. Prints a message if an option is invalid.
 * @param options passed to set->take()
 * @param[out] status exit status; only set if the subcommand should end
 * @return true if the subcommand should continue */
bool ftr_parse_options(const ftr_option_set *set, int argc, char **argv, void *options,
                       int *status);

#endif
