/* Runs scripts that are installed with the command. */
#ifndef FTR_INSTALLED_SCRIPT_H
#define FTR_INSTALLED_SCRIPT_H

#include "command.h"

/* Runs a command that is implemented as a script. Replaces this process by the script with the name
 * of the command, for example build-plugin.sh. The script gets the path of this program and the
 * arguments after argv[0].
 * @return FTR_EXIT_TROUBLE if the script cannot be run */
int ftr_run_script(int argc, char **argv);

#endif
