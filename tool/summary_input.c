/* Owns the reading of summaries, also of those that killed runs left. Does not know the content of
 * journals. */
#include "summary_input.h"

#include "command.h"
#include "input_file.h"

#include <ftr/recovery.h>

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

bool ftr_summary_input_add_file(ftr_summary_index *index, const char *path)
{
    ftr_summary_problem problem;
    errno = 0;
    const ftr_status status = ftr_summary_index_add_file(index, path, &problem);
    if (status == FTR_OK)
        return true;
    if (status == FTR_ERR_FORMAT)
        ftr_print_error("%s: byte %" PRIu64 ": %s", path, problem.offset, problem.message);
    else
        ftr_print_error("%s: %s", path,
                        status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status));
    return false;
}

/* ---- the journal of a killed run ------------------------------------------------------------- */

/* Copies the runs of a temporary file into the index. The caller can then remove the file. */
static ftr_status add_copies(ftr_summary_index *index, const char *path)
{
    ftr_summary_index *from;
    ftr_summary_problem problem;
    ftr_status status = ftr_summary_index_create(&from);
    if (status != FTR_OK)
        return status;
    status = ftr_summary_index_add_file(from, path, &problem);
    const size_t count = status == FTR_OK ? ftr_summary_index_settle(from) : 0;
    for (size_t i = 0; i < count && status == FTR_OK; i++) {
        ftr_run_record run;
        const char *ignored_path;
        uint64_t ignored_offset;
        status = ftr_summary_index_read(from, i, &run, &ignored_path, &ignored_offset);
        if (status != FTR_OK)
            break;
        status = ftr_summary_index_add_run(index, &run);
        ftr_run_record_release(&run);
    }
    ftr_summary_index_destroy(from);
    return status;
}

/* Writes the summary in the journal to a temporary file, and adds the runs of this file. */
static int add_journal(ftr_summary_index *index, const char *path, const char *journal)
{
    const char *temporary = secure_getenv("TMPDIR");
    char directory[4096], file[4096 + 16];
    ftr_recovery found = {0};
    if (temporary == NULL || *temporary == '\0')
        temporary = "/tmp";
    (void)snprintf(directory, sizeof directory, "%.4000s/ftr-XXXXXX", temporary);
    if (mkdtemp(directory) == NULL) {
        ftr_print_error("%s: %s", directory, strerror(errno));
        return FTR_EXIT_TROUBLE;
    }
    (void)snprintf(file, sizeof file, "%s/run.fts", directory);
    ftr_status status = ftr_recovery_summarize(journal, file, &found);
    const bool is_recovered = status == FTR_OK;
    if (is_recovered)
        status = add_copies(index, file);
    (void)unlink(file);
    (void)rmdir(directory);
    if (status == FTR_ERR_STATE && !is_recovered)
        return FTR_EXIT_OK; /* the run is still in progress */
    if (status != FTR_OK) {
        ftr_print_error("%s", found.message[0] != '\0' ? found.message : ftr_status_text(status));
        return FTR_EXIT_TROUBLE;
    }
    ftr_print_error("%s: the run was killed: %" PRIu64 " transactions, %" PRIu64
                    " of them still open, are added from '%s'",
                    path, found.transactions, found.unfinished, journal);
    return FTR_EXIT_OK;
}

/* Gets the path of the trace that the run may have written: the path of the summary with the suffix
 * .ftr. */
static bool trace_name(const char *path, char *name, size_t size)
{
    static const char end[] = ".fts";
    const size_t length = strlen(path);
    if (length < sizeof end || strcmp(path + length - (sizeof end - 1), end) != 0 || length >= size)
        return false;
    memcpy(name, path, length - 1);
    memcpy(name + length - 1, "r", 2);
    return true;
}

int ftr_summary_input_add(ftr_summary_index *index, const char *path)
{
    char journal[4096], trace[4096];
    if (!ftr_summary_input_add_file(index, path))
        return FTR_EXIT_TROUBLE;
    ftr_input_find_journal(path, journal, sizeof journal);
    if (journal[0] != '\0')
        return add_journal(index, path, journal);
    if (trace_name(path, trace, sizeof trace))
        ftr_input_find_journal(trace, journal, sizeof journal);
    return journal[0] != '\0' ? add_journal(index, path, journal) : FTR_EXIT_OK;
}
