/* ftr farm: passes its arguments on to the script farm.sh, which plans and submits jobs. */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The script, relative to the folder of this program. */
#define SCRIPT "../" FTR_LIBEXEC_FOLDER "/ftr/farm.sh"

static int farm(int argc, char **argv);

const ftr_command ftr_command_farm = {
    .name = "farm",
    .summary = "summarizes traces by jobs of a batch system",
    .run = farm,
    .usage = "summary [OPTION]... -o FILE TRACE..., ftr farm task FOLDER [INDEX], ftr farm reduce "
             "FOLDER",
    .options =
        "  -o, --output FILE       write the summary to this file; the jobs work in "
        "FILE.farm-XXXXXX\n"
        "  --jobs COUNT            number of tasks; default 64\n"
        "  --sbatch OPTION         pass an option to sbatch, as --sbatch=--partition=night; "
        "repeatable\n"
        "  --wait                  wait for the last job and exit with its status\n"
        "  --prepare               submit nothing, print the name of the work folder\n"
        "  --stream GLOBS, --generator GLOBS, --from TIME, --to TIME\n"
        "                          as for ftr summary\n"
        "'ftr farm summary' submits a Slurm job array, in which each task summarizes a part of "
        "the\n"
        "traces, and a job that merges the parts. A TRACE is a file, a folder (all *.ftr in it), "
        "or a\n"
        "quoted pattern, in which ** matches folders of any depth. The result has the same bytes "
        "as\n"
        "that of one 'ftr summary', also if a task is killed, requeued or run twice.\n"
        "For other batch systems, 'ftr farm task' makes part INDEX, counted from 0, of a prepared\n"
        "FOLDER; without INDEX, the index in the job array of Slurm or LSF. 'ftr farm reduce' "
        "merges\n"
        "the parts, makes the missing ones, and removes FOLDER.\n",
};

static int farm(int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        ftr_print_usage(&ftr_command_farm);
        return FTR_EXIT_OK;
    }
    char program[PATH_MAX], script[PATH_MAX + sizeof SCRIPT];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char **arguments = calloc((size_t)argc + 2, sizeof *arguments);
    if (length < 0 || arguments == NULL) {
        ftr_print_error("farm: %s", strerror(errno));
        free(arguments);
        return FTR_EXIT_TROUBLE;
    }
    program[length] = '\0';
    const int folder = (int)(strrchr(program, '/') + 1 - program);
    (void)snprintf(script, sizeof script, "%.*s" SCRIPT, folder, program);
    arguments[0] = script;
    arguments[1] = program;
    memcpy(arguments + 2, argv + 1, (size_t)(argc - 1) * sizeof *arguments);
    (void)execv(script, arguments);
    ftr_print_error("%s: %s", script, strerror(errno));
    free(arguments);
    return FTR_EXIT_TROUBLE;
}
