/* The table of subcommands and the search in the table. */
#include "command.h"

#include <ftr/version.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const ftr_command *const COMMANDS[] = {
    &ftr_command_attach,   &ftr_command_info,         &ftr_command_dump,    &ftr_command_check,
    &ftr_command_recover,  &ftr_command_stats,        &ftr_command_summary, &ftr_command_gate,
    &ftr_command_history,  &ftr_command_farm,         &ftr_command_diff,    &ftr_command_cut,
    &ftr_command_merge,    &ftr_command_cat,          &ftr_command_index,   &ftr_command_convert,
    &ftr_command_accesses, &ftr_command_build_plugin,
#ifdef FTR_HAS_REPORT
    &ftr_command_report,
#endif
#ifdef FTR_HAS_SQL
    &ftr_command_sql,
#endif
};
#define COMMAND_COUNT (sizeof COMMANDS / sizeof COMMANDS[0])

static const ftr_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(COMMANDS[i]->name, name) == 0)
            return COMMANDS[i];
    return NULL;
}

static void print_overview(FILE *to)
{
    (void)fputs("ftr COMMAND ARGUMENT...\n"
                "Reads, compares and converts FTR (Fast Transaction Recording) files.\n"
                "\n",
                to);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        (void)fprintf(to, "  %-12s %s\n", COMMANDS[i]->name, COMMANDS[i]->summary);
    (void)fputs("  help         shows the usage of a command\n"
                "\n"
                "A file named - is stdin. Data goes to stdout, messages go to stderr.\n"
                "Exit status: 0 success, 1 findings or differences, 2 error.\n",
                to);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int help(int argc, char **argv)
{
    if (argc < 3) {
        print_overview(stdout);
        return FTR_EXIT_OK;
    }
    const ftr_command *command = find_command(argv[2]);
    if (command == NULL) {
        ftr_print_error("unknown command '%s'; 'ftr help' lists the commands", argv[2]);
        return FTR_EXIT_TROUBLE;
    }
    ftr_print_usage(command);
    return FTR_EXIT_OK;
}

int main(int argc, char **argv)
{
    /* If the program that reads stdout exits (`ftr dump | head`), the command ends silently, like
     * other filters. */
    (void)signal(SIGPIPE, SIG_DFL);
    if (argc < 2) {
        print_overview(stderr);
        return FTR_EXIT_TROUBLE;
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || is_help(name))
        return help(argc, argv);
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        (void)printf("ftr %s\n", FTR_VERSION_TEXT);
        return FTR_EXIT_OK;
    }
    const ftr_command *command = find_command(name);
    if (command == NULL) {
        ftr_print_error("unknown command '%s'; 'ftr help' lists the commands", name);
        return FTR_EXIT_TROUBLE;
    }
    /* Help is handled here, because the scripts that implement some commands do not contain their
     * help text. */
    if (argc > 2 && is_help(argv[2])) {
        ftr_print_usage(command);
        return FTR_EXIT_OK;
    }
    return ftr_run_command(command, argc - 1, argv + 1);
}
