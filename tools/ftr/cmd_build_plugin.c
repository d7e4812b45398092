/* ftr build-plugin: passes its arguments on to the script build-plugin.sh, which compiles the
 * installed sources. */
#include "installed_program.h"

const ftr_command ftr_command_build_plugin = {
    .name = "build-plugin",
    .summary = "builds the plug-in of ftr attach for your own SystemC",
    .run = ftr_run_script,
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
