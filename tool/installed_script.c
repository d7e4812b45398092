/* Owns the path of installed scripts, and passes arguments to them. Does not know the purpose of
 * the scripts. */
#include "installed_script.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the scripts, relative to the folder of this program. */
#define SCRIPTS "../" FTR_LIBEXEC_FOLDER "/ftr/"

int ftr_run_script(int argc, char **argv)
{
    static const char program_link[] = "/proc/self/exe";
    char program[PATH_MAX], script[PATH_MAX + sizeof SCRIPTS + NAME_MAX];
    const ssize_t length = readlink(program_link, program, sizeof program - 1);
    char **arguments = calloc((size_t)argc + 2, sizeof *arguments);
    if (length < 0 || arguments == NULL) {
        ftr_print_error("%s: %s: %s", argv[0], length < 0 ? program_link : "memory",
                        strerror(errno));
        free(arguments);
        return FTR_EXIT_TROUBLE;
    }
    program[length] = '\0';
    const int folder = (int)(strrchr(program, '/') + 1 - program);
    (void)snprintf(script, sizeof script, "%.*s" SCRIPTS "%s.sh", folder, program, argv[0]);
    arguments[0] = script;
    arguments[1] = program;
    memcpy(arguments + 2, argv + 1, (size_t)(argc - 1) * sizeof *arguments);
    (void)execv(script, arguments);
    ftr_print_error("%s: %s", script, strerror(errno));
    free(arguments);
    return FTR_EXIT_TROUBLE;
}
