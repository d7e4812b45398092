/* Owns the path of installed scripts and programs, and passes arguments to them. Does not know
 * their purpose. */
#include "installed_program.h"

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

int ftr_run_script(int argc, char **argv)
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

int ftr_run_installed(const char *name)
{
    installed_paths paths;
    return find(&paths, name, "") ? run(paths.found, ftr_command_arguments()) : FTR_EXIT_TROUBLE;
}
