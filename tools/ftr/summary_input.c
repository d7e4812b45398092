/* Owns the reading of summaries. A file that cannot be read becomes a run with a state, so that the
 * night shows it. */
#include "summary_input.h"

#include "command.h"
#include "killed_run_input.h"
#include "run_record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool ftr_is_summary(const char *path)
{
    static const unsigned char start[] = {0xd9, 0xd9, 0xf7, 0x83};
    unsigned char head[sizeof start];
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    /* A pipe cannot be read twice. On a pipe, pread() fails and consumes no bytes. */
    const ssize_t got = pread(fd, head, sizeof head, 0);
    (void)close(fd);
    return got == sizeof head && memcmp(head, start, sizeof head) == 0;
}

static ftr_status add_file(ftr_summary_index *index, const char *path, ftr_summary_problem *problem)
{
    errno = 0;
    const ftr_status status = ftr_summary_index_add_file(index, path, problem);
    if (status == FTR_ERR_FORMAT)
        ftr_print_error("%s: byte %" PRIu64 ": %s", path, problem->offset, problem->message);
    else if (status != FTR_OK)
        ftr_print_error("%s: %s", path,
                        status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status));
    return status;
}

bool ftr_summary_input_add_file(ftr_summary_index *index, const char *path)
{
    ftr_summary_problem problem;
    return add_file(index, path, &problem) == FTR_OK;
}

/* Adds a run for a file that is not a readable summary. @return exit status */
static int add_unreadable(ftr_summary_index *index, const char *path, ftr_run_state state,
                          const char *problem)
{
    ftr_run_record run;
    ftr_status status = ftr_run_record_of_missing(path, state, problem, &run);
    if (status == FTR_OK) {
        status = ftr_summary_index_add_run(index, &run);
        ftr_run_record_release(&run);
    }
    if (status == FTR_OK)
        return FTR_EXIT_FOUND;
    ftr_print_error("%s: %s", path, ftr_status_text(status));
    return FTR_EXIT_TROUBLE;
}

/* Adds a run for a file that could not be read, for the reason @p status. */
static int add_failed(ftr_summary_index *index, const char *path, ftr_status status, int error,
                      const ftr_summary_problem *problem)
{
    char text[sizeof problem->message + 32];
    if (status == FTR_ERR_IO)
        return add_unreadable(index, path, error == ENOENT ? FTR_RUN_ABSENT : FTR_RUN_UNREADABLE,
                              strerror(error));
    if (status != FTR_ERR_FORMAT)
        return FTR_EXIT_TROUBLE;
    (void)snprintf(text, sizeof text, "byte %" PRIu64 ": %s", problem->offset, problem->message);
    return add_unreadable(index, path, problem->offset > 0 ? FTR_RUN_TORN : FTR_RUN_UNREADABLE,
                          text);
}

int ftr_summary_input_add(ftr_summary_index *index, const char *path)
{
    ftr_summary_problem problem = {0};
    const size_t before = ftr_summary_index_count(index);
    const ftr_status status = add_file(index, path, &problem);
    const int error = errno;
    if (status == FTR_OK && ftr_summary_index_count(index) > before)
        return ftr_killed_runs_complete(index, before, path);
    /* A summary without a run, or that was damaged when the machine stopped, may have a journal. */
    int completed;
    if (ftr_killed_run_find(index, path, &completed))
        return completed;
    if (status != FTR_OK)
        return add_failed(index, path, status, error, &problem);
    ftr_print_error("%s: the summary contains no run", path);
    return add_unreadable(index, path, FTR_RUN_UNFINISHED, "the summary contains no run");
}
