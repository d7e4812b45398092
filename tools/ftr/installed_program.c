/* Commands that are scripts, and the programs that do the work of a command. They are installed
 * together with `ftr`, in the folder ftr of libexec. */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the scripts and programs, relative to the folder of this program. */
#define FOLDER "../" FTR_LIBEXEC_FOLDER "/ftr/"

typedef struct installed_paths {
    char self[PATH_MAX]; /* this program */
    char found[PATH_MAX + sizeof FOLDER + NAME_MAX];
} installed_paths;

/* @return false after an error message */
static bool find(installed_paths *paths, const char *name, const char *suffix)
{
    static const char program_link[] = "/proc/self/exe";
    const ssize_t length = readlink(program_link, paths->self, sizeof paths->self - 1);
    if (length < 0) {
        ftr_print_error("%s: %s: %s", name, program_link, strerror(errno));
        return false;
    }
    paths->self[length] = '\0';
    const int folder = (int)(strrchr(paths->self, '/') + 1 - paths->self);
    (void)snprintf(paths->found, sizeof paths->found, "%.*s" FOLDER "%s%s", folder, paths->self,
                   name, suffix);
    return true;
}

static int run(const char *path, char **arguments)
{
    (void)execv(path, arguments);
    ftr_print_error("%s: %s", path, strerror(errno));
    return FTR_EXIT_TROUBLE;
}

/* Runs a command that is implemented as a script. Replaces this process by the script with the name
 * of the command, for example build-plugin.sh. The script gets the path of this program and the
 * arguments after argv[0].
 * @return FTR_EXIT_TROUBLE if the script cannot be run */
static int run_script(int argc, char **argv)
{
    installed_paths paths;
    if (!find(&paths, argv[0], ".sh"))
        return FTR_EXIT_TROUBLE;
    char **arguments = calloc((size_t)argc + 2, sizeof *arguments);
    if (arguments == NULL) {
        ftr_print_error("%s: %s", argv[0], strerror(errno));
        return FTR_EXIT_TROUBLE;
    }
    arguments[0] = paths.found;
    arguments[1] = paths.self;
    memcpy(arguments + 2, argv + 1, (size_t)(argc - 1) * sizeof *arguments);
    const int status = run(paths.found, arguments);
    free(arguments);
    return status;
}

bool ftr_installed_path(const char *name, char *path, size_t size)
{
    installed_paths paths;
    if (!find(&paths, name, ""))
        return false;
    if ((size_t)snprintf(path, size, "%s", paths.found) < size)
        return true;
    ftr_print_error("%s: %s", paths.found, strerror(ENAMETOOLONG));
    return false;
}

int ftr_run_installed(const char *name)
{
    installed_paths paths;
    return find(&paths, name, "") ? run(paths.found, ftr_command_arguments()) : FTR_EXIT_TROUBLE;
}

/* ---- commands that are scripts --------------------------------------------------------------- */

/* build-plugin.sh compiles the installed sources. */
const ftr_command ftr_command_build_plugin = {
    .name = "build-plugin",
    .summary = "builds the plug-in of ftr attach for your own SystemC",
    .run = run_script,
    .usage = "[OPTION]... [--systemc DIR]",
    .options =
        "  --systemc DIR           folder that SystemC was installed in (default: the variable\n"
        "                          SYSTEMC_HOME)\n"
        "  -o, --output DIR        folder to write the plug-in to\n"
        "  --archive               also write an archive, for prototypes that are linked with the\n"
        "                          plug-in\n"
        "  --cxx COMPILER          C++ compiler (default: the variable CXX, or c++)\n"
        "  --jobs COUNT            number of files compiled at the same time (default: number of\n"
        "                          processors)\n"
        "Without --output, the plug-in is written to a folder in which 'ftr attach' finds it: the\n"
        "folder of libftr_attach.so, or, if that cannot be written, ~/.local/share/ftr/VERSION. "
        "The\n"
        "variable CXXFLAGS may contain further options of the compiler, which change the ABI, for\n"
        "example -stdlib=libc++.\n",
};

/* farm.sh plans and submits jobs. */
const ftr_command ftr_command_farm = {
    .name = "farm",
    .summary = "summarizes traces by jobs of a batch system",
    .run = run_script,
    .usage = "summary [OPTION]... -o FILE INPUT..., ftr farm task FOLDER [INDEX], ftr farm reduce "
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
        "inputs, and a job that merges the parts. An INPUT is a trace, a summary, a folder (all\n"
        "*.ftr and *.fts in it), or a quoted pattern, in which ** matches folders of any depth. "
        "The\n"
        "result has the same bytes as that of one 'ftr summary', also if a task is killed, "
        "requeued\n"
        "or run twice. If sbatch refuses a job, nothing is left behind.\n"
        "For other batch systems, 'ftr farm task' makes part INDEX, counted from 0, of a prepared\n"
        "FOLDER; without INDEX, the index in the job array of Slurm or LSF. 'ftr farm reduce' "
        "merges\n"
        "the parts, makes the missing ones, and removes FOLDER.\n",
};
