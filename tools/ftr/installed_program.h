/* Runs scripts and programs that are installed with the command, in its folder of libexec. */
#ifndef FTR_INSTALLED_PROGRAM_H
#define FTR_INSTALLED_PROGRAM_H

#include "command.h"

/* Runs a command that is implemented as a script. Replaces this process by the script with the name
 * of the command, for example build-plugin.sh. The script gets the path of this program and the
 * arguments after argv[0].
 * @return FTR_EXIT_TROUBLE if the script cannot be run */
int ftr_run_script(int argc, char **argv);

/* Replaces this process by the program @p name, with the arguments of the command.
 * @return FTR_EXIT_TROUBLE if the program cannot be run */
int ftr_run_installed(const char *name);

#endif
