/* Ends the files for a signal, on the writer thread or in a child process.
 *
 * A recorder whose writer thread is not started yet has no thread that could end the file, and the
 * handler of a signal must not do it: the interrupted thread may be in malloc(), and its stack may
 * be that of a coroutine. The handler therefore creates a child process, which has a copy of the
 * memory, its own stack, and the same descriptors. If the copy of the heap cannot be used, only the
 * child fails, and the data is in the journal. */
#define _GNU_SOURCE
#include "signal_end.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "drain.h"
#include "kept_summary.h"
#include "trace_ends.h"

/* Time, in ns, in which running calls can complete before the file is ended. */
#define GRACE_NS 20000000
#define STACK_SIZE ((size_t)1 << 20)
/* The handler looks for the end of the child this often, and not more often than this number. */
#define POLL_NS 1000000
#define POLLS_MAX 3000

/* Closes the file. Keeps the journal if closing fails, or if records are missing in the file
 * because a call of another thread did not complete in time. */
static void finish(ftr_recorder *rec)
{
    ftr_trace_finish(rec);
    if (rec->journal.path != NULL && rec->ending.failure.status == FTR_OK &&
        !ftr_kept_summary_needs_journal(rec) && ftr_drain_is_complete(rec))
        unlink(rec->journal.path);
}

static void sleep_for(long ns)
{
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = ns}, NULL);
}

/* Ends the file of a trace, on its writer thread if there is one. */
static void end_trace(ftr_recorder *rec)
{
    ftr_lock_take(&rec->locks);
    rec->writer.must_stop = true;
    ftr_lock_wake_writer(&rec->locks);
    while (ftr_writer_is_running(rec) && !rec->writer.has_ended)
        ftr_lock_await_end(&rec->locks);
    const bool has_ended = rec->writer.has_ended;
    ftr_lock_release(&rec->locks);
    if (!has_ended)
        ftr_trace_write_end(rec);
}

bool ftr_signal_end(ftr_recorder *rec)
{
    if (ftr_trace_close_valve(rec, true) & FTR_VALVE_CLOSED)
        return false;
    uint32_t count = ftr_recorder_trace_count(rec);
    for (uint32_t i = 1; i < count; i++)
        (void)ftr_trace_close_valve(rec->traces[i], true);
    /* Every running call completes in this time, unless it waits for this thread. */
    sleep_for(GRACE_NS);
    for (uint32_t i = 1; i < count; i++) {
        end_trace(rec->traces[i]);
        finish(rec->traces[i]);
    }
    ftr_trace_write_end(rec);
    finish(rec);
    atomic_store(&rec->ending.is_awaited_by_signal, false);
    return true;
}

/* ---- in a child process ---------------------------------------------------------------------- */

/* Ends the file. The handler holds both locks of the recorder, so no other thread of the parent has
 * left the data that they protect in between two states. */
static int end_in_child(void *data)
{
    ftr_recorder *rec = data;
    ftr_lock_release(&rec->locks);
    ftr_encoding_release(&rec->locks);
    ftr_trace_write_end(rec);
    finish(rec);
    return rec->ending.failure.status == FTR_OK ? 0 : 1;
}

/* Waits for the child. Returns whether it has ended the file. */
static bool await(pid_t child)
{
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < POLLS_MAX && ended == 0; i++) {
        ended = waitpid(child, &status, __WCLONE | WNOHANG);
        if (ended == 0)
            sleep_for(POLL_NS);
    }
    if (ended == 0) {
        kill(child, SIGKILL);
        (void)waitpid(child, &status, __WCLONE);
    }
    return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool ftr_signal_end_in_child(ftr_recorder *rec)
{
    if (!ftr_trace_close_in_handler(rec))
        return false;
    sleep_for(GRACE_NS);
    if (!ftr_locks_take_in_handler(rec))
        return false;
    uint8_t *stack =
        mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pid_t child = -1;
    if (stack != MAP_FAILED) {
        ftr_journal_share(&rec->journal, &rec->arena.blocks, true);
        /* No signal reports the end of the child, and wait() of the program does not see it. */
        child = clone(end_in_child, stack + STACK_SIZE, 0, rec);
        ftr_journal_share(&rec->journal, &rec->arena.blocks, false);
    }
    ftr_lock_release(&rec->locks);
    ftr_encoding_release(&rec->locks);
    return child > 0 && await(child);
}
