/* The main function of a program that `ftr` starts for one command (library_programs.c). */
#include "command.h"

#include <signal.h>

int main(int argc, char **argv)
{
    (void)signal(SIGPIPE, SIG_DFL);
    return ftr_run_command(&FTR_COMMAND_OF_PROGRAM, argc, argv);
}
