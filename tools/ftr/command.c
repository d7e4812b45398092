/* Messages, arguments and option parsing of subcommands. */
#include "command.h"

#include "plain_message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char **command_arguments;

static const char UNWRITTEN[] = "stdout could not be written";

bool ftr_stdout_finish(ftr_printer *out)
{
    const bool ok = ftr_printer_flush(out);
    if (!ok)
        ftr_print_error("%s", UNWRITTEN);
    return ok;
}

int ftr_run_command(const ftr_command *command, int argc, char **argv)
{
    command_arguments = argv;
    int status = command->run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        ftr_print_error("%s", UNWRITTEN);
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
    ftr_vprint_message(stderr, "ftr: ", format, arguments, "\n");
    va_end(arguments);
}

int ftr_misuse(const ftr_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "ftr %s: ", command->name);
    ftr_vprint_message(stderr, "", format, arguments, "\n");
    (void)fprintf(stderr, "Try 'ftr help %s'.\n", command->name);
    va_end(arguments);
    return FTR_EXIT_TROUBLE;
}

void ftr_print_usage(const ftr_command *command)
{
    (void)printf("ftr %s %s\n%s\n%s", command->name, command->usage, command->summary,
                 command->options);
}

/* The accepted form of the values of options; options with the same name have the same form. */
static const char *form_of(const char *name)
{
    static const char *const forms[][2] = {
        {"budget", "a size such as 64M or 1G, at least 500000"},
        {"columns", "a list such as id,begin,duration"},
        {"compress", "lz4, lz4hc, lz4hc:LEVEL, none or meta"},
        {"count-effect", "a number such as 1"},
        {"depth", "a number from 0 to 32"},
        {"effect", "a percentage such as 1 or 0.5"},
        {"fail-if", "at most 64 rules"},
        {"floats", "single, double or text"},
        {"for", "scviewer, surfer, surfer-web, spec or all"},
        {"from", "a time such as 10us or 1.5 ms, or a number of ticks"},
        {"jobs", "a number of threads"},
        {"key", "a list of tags such as test,seed"},
        {"limit", "a number"},
        {"map", "OLD=NEW, for example top.a.*=top.b.*"},
        {"memory", "a size such as 64M or 1G"},
        {"offset", "FILE=TIME, for example run.ftr=-10ns"},
        {"order", "begin, end or stored"},
        {"percentiles", "a list such as 50,95,99.9"},
        {"port", "a number from 0 to 65535"},
        {"prefix", "FILE=TEXT, for example run.ftr=first."},
        {"rate", "a rate from 0 to 1, such as 0.01"},
        {"read-types", "deployed or spec"},
        {"rule", "at most 64 rules"},
        {"time", "relative, absolute or ignore"},
        {"time-tolerance", "a time such as 10us or 1.5 ms, or a number of ticks"},
        {"to", "a time such as 10us or 1.5 ms, or a number of ticks"},
        {"tolerance", "a time such as 10us or 1.5 ms, or a number of ticks"},
        {"top", "a number"},
        {"types", "deployed or spec"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i][0], name) == 0)
            return forms[i][1];
    return NULL;
}

/* Returns the long name of the option with the letter @p letter; "" if the option has no long
 * name. */
static const char *word_of(const ftr_option_set *set, int letter)
{
    for (const struct option *word = set->words; word->name != NULL; word++)
        if (word->val == letter)
            return word->name;
    return "";
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
                             option == '?'   ? "is unknown"
                             : optopt == 'o' ? "needs an argument: the file to write"
                                             : "needs an argument");
            return false;
        }
        if (!set->take(options, option, optarg)) {
            const char letter[] = {(char)option, '\0'};
            const char *form = form_of(word < 0 ? word_of(set, option) : set->words[word].name);
            (void)ftr_misuse(set->command, "option '%s%s': invalid value '%s'%s%s",
                             word < 0 ? "-" : "--", word < 0 ? letter : set->words[word].name,
                             optarg, form != NULL ? "; expected is " : "",
                             form != NULL ? form : "");
            return false;
        }
        word = -1;
    }
    return true;
}
