/* ftr farm: passes its arguments on to the script farm.sh, which plans and submits jobs. */
#include "installed_program.h"

const ftr_command ftr_command_farm = {
    .name = "farm",
    .summary = "summarizes traces by jobs of a batch system",
    .run = ftr_run_script,
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
