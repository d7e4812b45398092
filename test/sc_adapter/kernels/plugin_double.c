/* A plug-in that accepts every kernel and says so, or, with DOUBLE_REFUSES, accepts none. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <ftr/detail/process.h>

#ifndef DOUBLE_REFUSES
static const int in_this_library;
#endif

/* A function of the kernel that a static link has dropped, because the model does not use it. */
void dropped_function(void);

__attribute__((constructor)) static void attach(void)
{
    if (getenv("FTR_NEVER_SET") != NULL)
        dropped_function();
#ifdef DOUBLE_REFUSES
    fputs("refused\n", stderr);
#else
    ftr_process *process = dlsym(RTLD_DEFAULT, FTR_PROCESS_SYMBOL);
    Dl_info about;
    const char *mark = getenv("FTR_ATTACH_MARK"); /* as the plug-in */
    FILE *file = mark != NULL ? fopen(mark, "a") : NULL;
    if (file != NULL) {
        putc('1', file);
        fclose(file);
    }
    process->attached = 1;
    dladdr(&in_this_library, &about);
    fprintf(stderr, "loaded %s\n", about.dli_fname);
#endif
}
