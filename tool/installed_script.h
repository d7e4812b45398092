/* Runs scripts that are installed with the command. */
#ifndef FTR_INSTALLED_SCRIPT_H
#define FTR_INSTALLED_SCRIPT_H

#include "command.h"

/* The function of commands that are scripts: replaces this process by the script that is named
 * after the command, as in build-plugin.sh, with the path of this program and the arguments after
 * argv[0].
 * @return FTR_EXIT_TROUBLE if the script cannot be run */
int ftr_run_script(int argc, char **argv);

#endif
