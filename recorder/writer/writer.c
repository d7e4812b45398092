/* The writer thread. It drains four times per second, when several blocks are full, and on request,
 * and it ends the file. This file decides when to drain; drain.c reads the records. */
#define _GNU_SOURCE
#include "writer.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "blocks.h"
#include "flight.h"
#include "held_signals.h"
#include "kept_summary.h"
#include "signal_end.h"
#include "trace_ends.h"

#define WRITER_THREAD_NAME "ftr-writer"

#define NS_PER_SECOND UINT64_C(1000000000)
#define LOOK_EVERY_NS (NS_PER_SECOND / 4)
/* Time until the next pass, in ns, if a thread is waiting and the last pass could not release a
 * block for it. */
#define RETRY_NS UINT64_C(1000000)
/* Number of blocks that a run must have recorded before a helper thread compresses chunks. In a
 * shorter run, the start of the thread takes more time than the thread saves. */
#define HELPED_FROM_BLOCK 512
/* A scheduled thread is started when the first block has more than START_AT_BYTES of records, with
 * the first record after START_AT_NS, and with the first record after EARLY_START_NS if the block
 * has EARLY_START_BYTES. */
#define START_AT_BYTES (FTR_BLOCK_SIZE / 2)
#define START_AT_NS NS_PER_SECOND
#define EARLY_START_BYTES ((size_t)4 << 10)
#define EARLY_START_NS UINT64_C(50000000)
/* Maximum number of blocks of a run that the closing thread can end instead of the writer thread.
 */
#define SHORT_RUN_BLOCKS 4

/* Returns the time in ns. The coarse clock is read in each record call, so it must never need a
 * system call. */
static uint64_t coarse_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

void ftr_writer_drain_locked(ftr_recorder *rec, ftr_drain_extent extent)
{
    if (atomic_load_explicit(&rec->window.scale_known, memory_order_acquire))
        ftr_flight_update(rec);
    ftr_trace_report_cover(rec); /* reported before the drain, which can take a long time */
    ftr_drain_lanes(rec, extent);
    ftr_trace_report_cover(rec);
}

void ftr_writer_drain(ftr_recorder *rec, ftr_drain_extent extent)
{
    ftr_encoding_take(&rec->locks);
    ftr_writer_drain_locked(rec, extent);
    ftr_encoding_release(&rec->locks);
}

void ftr_writer_drain_everything(ftr_recorder *rec)
{
    ftr_writer *writer = &rec->writer;
    if (!ftr_writer_is_running(rec)) {
        ftr_writer_drain(rec, FTR_DRAIN_ALL);
        return;
    }
    ftr_lock_take(&rec->locks);
    uint64_t mine = ++writer->drains_wanted;
    ftr_lock_wake_writer(&rec->locks);
    while (writer->drains_done < mine && !atomic_load(&rec->ending.is_for_signal))
        ftr_lock_await_space(&rec->locks, FTR_CALL_WAIT_NS);
    ftr_lock_release(&rec->locks);
}

void ftr_writer_drain_if_old(ftr_recorder *rec)
{
    uint64_t now = ftr_recorder_now(rec);
    ftr_encoding_take(&rec->locks);
    if (now - rec->writer.last_look >= LOOK_EVERY_NS) {
        rec->writer.last_look = now;
        ftr_writer_drain_locked(rec, FTR_DRAIN_USUAL);
    }
    ftr_encoding_release(&rec->locks);
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* The reason for the next pass (drain). */
typedef struct occasion {
    bool is_first;      /* the thread begins, and there are records to read */
    uint64_t wanted;    /* number of the last requested complete drain */
    uint64_t waits;     /* lanes.waits before the pass */
    uint64_t dropped;   /* number of transactions that were dropped before the pass */
    bool is_waited_for; /* a thread waits for blocks */
    bool needs_help;    /* the run is long, and recording threads wait or drop transactions */
} occasion;

static struct timespec after(uint64_t ns)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    ns += (uint64_t)until.tv_nsec;
    until.tv_sec += (time_t)(ns / NS_PER_SECOND);
    until.tv_nsec = (long)(ns % NS_PER_SECOND);
    return until;
}

typedef enum next_step { NEXT_PASS, NEXT_END, NEXT_LEAVE } next_step;

/* Waits until there is work or the interval has passed. Returns what the writer thread should do.
 * After an idle pass, a recording thread that was already waiting is no reason for another pass at
 * once: either this thread was woken and has not run yet, or the blocks that it needs cannot be
 * released yet.
 * @param[in,out] now  the occasion of the last pass; set to the occasion of the next pass */
static next_step wait_for_work(ftr_recorder *rec, occasion *now, bool was_idle)
{
    ftr_writer *writer = &rec->writer;
    ftr_lock_take(&rec->locks);
    bool is_waited_for = rec->lanes.waiting || rec->lanes.pausing;
    bool are_few = ftr_ready_blocks_are_few(rec);
    bool is_urgent = is_waited_for && !(was_idle && rec->lanes.waits == now->waits);
    if (!writer->must_stop && !now->is_first && !is_urgent && !are_few &&
        writer->drains_wanted == writer->drains_done) {
        struct timespec until = after(is_waited_for ? RETRY_NS : LOOK_EVERY_NS);
        ftr_lock_await_work(&rec->locks, &until);
    }
    const next_step next = writer->must_leave  ? NEXT_LEAVE
                           : writer->must_stop ? NEXT_END
                                               : NEXT_PASS;
    const uint64_t dropped = atomic_load(&rec->counts.dropped);
    const bool is_too_slow = rec->lanes.waiting || rec->lanes.pausing || dropped > now->dropped;
    *now = (occasion){.wanted = writer->drains_wanted,
                      .waits = rec->lanes.waits,
                      .dropped = dropped,
                      .is_waited_for = rec->lanes.waiting || rec->lanes.pausing,
                      .needs_help = is_too_slow && !rec->encoder.lacks_trace &&
                                    rec->lanes.next_sequence >= HELPED_FROM_BLOCK};
    ftr_lock_release(&rec->locks);
    return next;
}

/* Returns false if the recorder was closed before this thread got a processor. */
static bool begin(ftr_recorder *rec)
{
    ftr_lock_take(&rec->locks);
    rec->writer.has_begun = !rec->writer.must_leave;
    const bool has_begun = rec->writer.has_begun;
    ftr_lock_release(&rec->locks);
    return has_begun;
}

/* Ends the writer thread without ending the file. After this, only exit handlers can record, and
 * they run when the last thread ends. */
static void leave_to_exit(ftr_recorder *rec)
{
    pthread_detach(pthread_self());
    ftr_lock_take(&rec->locks);
    atomic_store(&rec->writer.stage, FTR_WRITER_ABSENT);
    ftr_lock_wake_recording(&rec->locks);
    ftr_lock_release(&rec->locks);
    ftr_signals_unblock_all();
}

/* Informs other threads that the file has ended. Returns the function with which the writer thread
 * must close the trace. NULL: the writer thread must not close it. With a sink, the closing thread
 * does this; after a signal, no thread does. */
static void (*show_end(ftr_recorder *rec))(ftr_recorder *rec)
{
    ftr_lock_take(&rec->locks);
    rec->writer.has_ended = true;
    void (*close)(ftr_recorder * rec) = rec->writer.close;
    ftr_lock_wake_recording(&rec->locks);
    ftr_lock_release(&rec->locks);
    return close;
}

/* Ends the file. Also closes the trace, if the closing thread asks for it: on that thread, closing
 * would take longer than the rest of a short run. */
static void end_and_close(ftr_recorder *rec)
{
    ftr_lock_take(&rec->locks);
    const bool is_awaited = rec->writer.close != NULL;
    ftr_lock_release(&rec->locks);
    ftr_messages_hold(is_awaited ? &rec->writer.messages : NULL);
    ftr_trace_write_end(rec);
    ftr_output_trim(&rec->output);
    void (*close)(ftr_recorder * rec) = show_end(rec);
    if (close != NULL)
        close(rec);
    ftr_messages_hold(NULL);
    rec->writer.has_closed = close != NULL;
    atomic_store(&rec->ending.is_awaited_by_signal, false);
}

/* Reads the first @p size - 1 bytes of a /proc file of a thread of this process into @p text.
 * Returns false if nothing could be read, for example because the thread has ended. */
static bool read_of_thread(const char *thread, const char *name, char *text, size_t size)
{
    char path[64];
    if ((size_t)snprintf(path, sizeof path, "/proc/self/task/%s/%s", thread, name) >= sizeof path)
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, text, size - 1);
    close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* Returns whether the main thread has ended. The kernel keeps the main thread as a zombie until all
 * other threads have ended. */
static bool main_has_ended(const char *main_thread)
{
    char text[128];
    if (!read_of_thread(main_thread, "stat", text, sizeof text))
        return false;
    /* the name of the thread, which precedes the state, may contain ")" */
    const char *state = strrchr(text, ')');
    return state != NULL && strncmp(state, ") Z", 3) == 0;
}

/* Returns whether the main thread has ended and all remaining threads are writer threads. A program
 * may end its main thread with pthread_exit(), and the process then ends with its last thread.
 * Writer threads must not keep such a process alive. */
static bool only_writers_are_left(void)
{
    char main_thread[16];
    char name[32];
    snprintf(main_thread, sizeof main_thread, "%ld", (long)getpid());
    if (!main_has_ended(main_thread))
        return false;
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL)
        return false;
    bool only_writers = true;
    for (const struct dirent *entry; only_writers && (entry = readdir(threads)) != NULL;) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, main_thread) == 0)
            continue;
        only_writers = read_of_thread(entry->d_name, "comm", name, sizeof name) &&
                       strcmp(name, WRITER_THREAD_NAME "\n") == 0;
    }
    closedir(threads);
    return only_writers;
}

static void *writer_main(void *data)
{
    ftr_recorder *rec = data;
    occasion now = {.is_first = true};
    next_step next;
    uint64_t before = 0;
    bool is_idle = true;
    if (!begin(rec))
        return NULL;
    /* If the thread was started late, the first records are old enough to be written at once. */
    bool is_late = coarse_time() - rec->writer.scheduled_at >= START_AT_NS;
    /* ten times faster than if the parent thread sets the name */
    prctl(PR_SET_NAME, WRITER_THREAD_NAME);
    ftr_signals_are_blocked();
    ftr_ready_blocks_provide_first(rec);
    while ((next = wait_for_work(rec, &now, is_idle)) == NEXT_PASS) {
        if (atomic_load_explicit(&rec->ending.is_awaited_by_signal, memory_order_relaxed) &&
            ftr_signal_end(rec)) {
            (void)show_end(rec);
            return NULL;
        }
        ftr_ready_blocks_provide(rec);
        bool is_wanted = now.wanted != rec->writer.drains_done;
        ftr_encoding_take(&rec->locks);
        if (now.needs_help)
            ftr_chunk_writer_start_helper(&rec->encoder.chunks);
        ftr_writer_drain_locked(rec, is_wanted || is_late ? FTR_DRAIN_ALL : FTR_DRAIN_USUAL);
        is_late = false;
        uint64_t progress = rec->encoder.transactions + rec->encoder.ticket;
        is_idle = progress == before;
        before = progress;
        ftr_kept_summary_look(rec);
        if (is_idle)
            ftr_chunk_writer_end_helper(&rec->encoder.chunks);
        ftr_encoding_release(&rec->locks);
        if (is_idle && !is_wanted && !now.is_waited_for && only_writers_are_left()) {
            leave_to_exit(rec);
            return NULL;
        }
        if (!is_wanted)
            continue;
        ftr_lock_take(&rec->locks);
        rec->writer.drains_done = now.wanted;
        ftr_lock_wake_recording(&rec->locks);
        ftr_lock_release(&rec->locks);
    }
    if (next == NEXT_END)
        end_and_close(rec);
    return NULL;
}

static bool start_thread(ftr_recorder *rec)
{
    /* The signals of the program must be delivered to its own threads. */
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&rec->writer.thread, NULL, writer_main, rec);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

void ftr_writer_schedule(ftr_recorder *rec)
{
    rec->writer.scheduled_at = coarse_time();
    atomic_store(&rec->writer.stage, FTR_WRITER_SCHEDULED);
}

bool ftr_writer_is_due(const ftr_recorder *rec, size_t used)
{
    const uint64_t age = coarse_time() - rec->writer.scheduled_at;
    return used > START_AT_BYTES || age >= START_AT_NS ||
           (used >= EARLY_START_BYTES && age >= EARLY_START_NS);
}

void ftr_writer_start(ftr_recorder *rec)
{
    bool has_failed = false;
    ftr_lock_take(&rec->locks);
    if (ftr_writer_is_scheduled(rec) && !ftr_recorder_dead_valve(rec)) {
        /* The recording threads may use all blocks when the thread runs. */
        ftr_arena_make_whole(&rec->arena);
        /* before the thread exists, because the thread may wake this one at once */
        atomic_store(&rec->writer.stage, FTR_WRITER_RUNS);
        has_failed = !start_thread(rec);
        if (has_failed)
            atomic_store(&rec->writer.stage, FTR_WRITER_ABSENT);
    }
    ftr_lock_release(&rec->locks);
    if (has_failed)
        ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                            "the writer thread could not be started: the recording threads write");
}

void ftr_writer_start_if_grown(ftr_recorder *rec)
{
    if (!ftr_writer_is_scheduled(rec) || rec->journal.header == NULL)
        return;
    ftr_lock_take(&rec->locks);
    const bool has_grown =
        rec->arena.is_complete ||
        atomic_load_explicit(&rec->journal.header->part_count, memory_order_relaxed) > 2;
    ftr_lock_release(&rec->locks);
    if (has_grown)
        ftr_writer_start(rec);
}

/* Keeps the code of this library in memory, because a thread that still has to end executes it. */
static void stay_loaded(void)
{
    static _Atomic bool is_pinned;
    Dl_info here;
    if (!atomic_exchange(&is_pinned, true) && dladdr((const void *)&is_pinned, &here) != 0 &&
        here.dli_fname != NULL)
        (void)dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* If the run is short, and the writer thread sleeps or has not got a processor yet, makes this
 * thread end without doing anything. On a busy machine, the calling thread would wait longer for it
 * than the rest of the work takes. */
static bool replace_writer(ftr_recorder *rec)
{
    ftr_writer *writer = &rec->writer;
    ftr_lock_take(&rec->locks);
    const bool is_at_rest = !writer->has_begun || rec->locks.writer_sleeps;
    const bool is_replaced = is_at_rest && rec->lanes.next_sequence <= SHORT_RUN_BLOCKS;
    if (is_replaced) {
        writer->must_leave = true;
        atomic_store(&writer->stage, FTR_WRITER_ABSENT);
    }
    ftr_lock_release(&rec->locks);
    if (!is_replaced)
        return false;
    stay_loaded();
    pthread_detach(writer->thread);
    ftr_lock_wake_writer(&rec->locks);
    return true;
}

void ftr_writer_close(ftr_recorder *rec, void (*close)(ftr_recorder *rec))
{
    if (!ftr_writer_is_running(rec) || replace_writer(rec)) {
        ftr_trace_write_end(rec);
        close(rec);
        return;
    }
    ftr_lock_take(&rec->locks);
    rec->writer.close = rec->output.has_sink ? NULL : close; /* the calling thread closes a sink */
    rec->writer.must_stop = true;
    ftr_lock_release(&rec->locks);
    ftr_lock_wake_writer(&rec->locks);
    pthread_join(rec->writer.thread, NULL);
    atomic_store(&rec->writer.stage, FTR_WRITER_ABSENT);
    ftr_messages_pass_on(&rec->writer.messages, &rec->options);
    if (!rec->writer.has_closed)
        close(rec);
}
