/* Runs scripts that are installed with the command. */
#ifndef FTR_INSTALLED_SCRIPT_H
#define FTR_INSTALLED_SCRIPT_H

#include "command.h"

/* Replaces this process by the script @p name of the folder of scripts, with the path of this
 * program and the arguments after argv[0]. Prints the usage of @p command for --help. @return
 * FTR_EXIT_OK after the usage; FTR_EXIT_TROUBLE if the script cannot be run */
int ftr_run_script(const ftr_command *command, const char *name, int argc, char **argv);

#endif
