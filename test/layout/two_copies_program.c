/* two_copies_program.c ONE OTHER FILE: loads two copies of libftr with different layouts. The first
 * opens the default recorder; the second one must refuse it with one message. This program takes
 * the role of libftr_attach.so: both copies look up its variable. */
#define _GNU_SOURCE
#include <ftr/environment.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ftr/detail/process.h>

__attribute__((visibility("default"))) ftr_process ftr_process_shared;

typedef ftr_recorder *
open_default(int time_scale, void (*report)(void *user, ftr_severity severity, const char *message),
             void *user);
typedef ftr_status close_recorder(ftr_recorder *rec);

static char last_message[512];
static int messages;

static void report(void *user, ftr_severity severity, const char *message)
{
    (void)user;
    (void)severity;
    messages++;
    snprintf(last_message, sizeof last_message, "%s", message);
}

static void *function_of(const char *library, const char *name)
{
    void *copy = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (copy == NULL)
        fprintf(stderr, "%s\n", dlerror());
    return copy != NULL ? dlsym(copy, name) : NULL;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    setenv("FTR_TRACE", argv[3], 1);
    open_default *open_one, *open_other;
    close_recorder *close_one;
    *(void **)&open_one = function_of(argv[1], "ftr_default_recorder");
    *(void **)&close_one = function_of(argv[1], "ftr_recorder_close");
    *(void **)&open_other = function_of(argv[2], "ftr_default_recorder");
    if (open_one == NULL || close_one == NULL || open_other == NULL)
        return 2;
    ftr_recorder *const rec = open_one(0, report, NULL);
    if (rec == NULL || messages != 0) {
        fprintf(stderr, "the first copy does not record: %s\n", last_message);
        return 1;
    }
    if (open_other(0, report, NULL) != NULL || messages != 1 ||
        strstr(last_message, "layout") == NULL) {
        fprintf(stderr, "the other copy did not notice (%d messages): %s\n", messages,
                last_message);
        return 1;
    }
    puts(last_message);
    return close_one(rec) == FTR_OK ? 0 : 1;
}
