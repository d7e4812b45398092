/* Owns messages, arguments and option parsing of subcommands. Does not know any subcommand. */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>

static char **command_arguments;

int ftr_run_command(const ftr_command *command, int argc, char **argv)
{
    command_arguments = argv;
    int status = command->run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        ftr_print_error("stdout could not be written");
        status = FTR_EXIT_TROUBLE;
    }
    return status;
}

char **ftr_command_arguments(void)
{
    return command_arguments;
}

void ftr_print_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("ftr: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
}

int ftr_misuse(const ftr_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "ftr %s: ", command->name);
    (void)vfprintf(stderr, format, arguments);
    (void)fprintf(stderr, "\nTry 'ftr help %s'.\n", command->name);
    va_end(arguments);
    return FTR_EXIT_TROUBLE;
}

void ftr_print_usage(const ftr_command *command)
{
    (void)printf("ftr %s %s\n%s\n%s", command->name, command->usage, command->summary,
                 command->options);
}

bool ftr_parse_options(const ftr_option_set *set, int argc, char **argv, void *options, int *status)
{
    int option;
    int word = -1;
    *status = FTR_EXIT_TROUBLE;
    opterr = 0;
    while ((option = getopt_long(argc, argv, set->letters, set->words, &word)) != -1) {
        if (option == 'h') {
            ftr_print_usage(set->command);
            *status = FTR_EXIT_OK;
            return false;
        }
        if (option == '?' || option == ':') {
            (void)ftr_misuse(set->command, "option '%s' %s", argv[optind - 1],
                             option == ':' ? "needs an argument" : "is unknown");
            return false;
        }
        if (!set->take(options, option, optarg)) {
            const char letter[] = {(char)option, '\0'};
            (void)ftr_misuse(set->command, "option '%s%s': invalid value '%s'",
                             word < 0 ? "-" : "--", word < 0 ? letter : set->words[word].name,
                             optarg);
            return false;
        }
        word = -1;
    }
    return true;
}
