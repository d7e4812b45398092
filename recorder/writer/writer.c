/* The writer thread. It drains four times per second, when several blocks are full, and on request,
 * and it ends the file. This file decides when to drain; drain.c reads the records. */
#define _GNU_SOURCE
#include "writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "blocks.h"
#include "flight.h"
#include "kept_summary.h"
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
/* Time, in ns, in which running calls can complete before the file is ended for a signal. */
#define GRACE_NS 20000000

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
    if (!writer->is_running) {
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

/* ---- end of the file for a signal ------------------------------------------------------------ */

/* Closes the file. Keeps the journal if closing fails, or if records are missing in the file
 * because a call of another thread did not complete in time. */
static void finish_for_signal(ftr_recorder *rec)
{
    ftr_trace_finish(rec);
    if (rec->journal.path != NULL && rec->ending.failure.status == FTR_OK &&
        !ftr_kept_summary_needs_journal(rec) && ftr_drain_is_complete(rec))
        unlink(rec->journal.path);
}

/* Ends the file of a trace, on its writer thread if there is one. */
static void end_trace(ftr_recorder *rec)
{
    ftr_lock_take(&rec->locks);
    rec->writer.must_stop = true;
    ftr_lock_wake_writer(&rec->locks);
    while (rec->writer.is_running && !rec->writer.has_ended)
        ftr_lock_await_end(&rec->locks);
    const bool has_ended = rec->writer.has_ended;
    ftr_lock_release(&rec->locks);
    if (!has_ended)
        ftr_trace_write_end(rec);
}

/* Ends all files, because a signal will end the program. The other threads may be in any state. The
 * writer thread does nothing afterwards. Returns false if a thread has already begun to close the
 * recorder: all files are then ended because of this thread. */
static bool end_for_signal(ftr_recorder *rec)
{
    if (ftr_trace_close_valve(rec, true) & FTR_VALVE_CLOSED)
        return false;
    uint32_t count = ftr_recorder_trace_count(rec);
    for (uint32_t i = 1; i < count; i++)
        (void)ftr_trace_close_valve(rec->traces[i], true);
    /* Every running call completes in this time, unless it waits for this thread. */
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = GRACE_NS}, NULL);
    for (uint32_t i = 1; i < count; i++) {
        end_trace(rec->traces[i]);
        finish_for_signal(rec->traces[i]);
    }
    ftr_trace_write_end(rec);
    finish_for_signal(rec);
    atomic_store(&rec->ending.is_awaited_by_signal, false);
    return true;
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* The reason for the next pass (drain). */
typedef struct occasion {
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

/* Waits until there is work or the interval has passed. Returns whether the writer thread should
 * continue. After an idle pass, a recording thread that was already waiting is no reason for
 * another pass at once: either this thread was woken and has not run yet, or the blocks that it
 * needs cannot be released yet.
 * @param[in,out] now  the occasion of the last pass; set to the occasion of the next pass */
static bool wait_for_work(ftr_recorder *rec, occasion *now, bool was_idle)
{
    ftr_writer *writer = &rec->writer;
    ftr_lock_take(&rec->locks);
    bool is_waited_for = rec->lanes.waiting || rec->lanes.pausing;
    bool are_few = ftr_ready_blocks_are_few(rec);
    bool is_urgent = is_waited_for && !(was_idle && rec->lanes.waits == now->waits);
    if (!writer->must_stop && !is_urgent && !are_few &&
        writer->drains_wanted == writer->drains_done) {
        struct timespec until = after(is_waited_for ? RETRY_NS : LOOK_EVERY_NS);
        ftr_lock_await_work(&rec->locks, &until);
    }
    bool go_on = !writer->must_stop;
    const uint64_t dropped = atomic_load(&rec->counts.dropped);
    const bool is_too_slow = rec->lanes.waiting || rec->lanes.pausing || dropped > now->dropped;
    *now = (occasion){.wanted = writer->drains_wanted,
                      .waits = rec->lanes.waits,
                      .dropped = dropped,
                      .is_waited_for = rec->lanes.waiting || rec->lanes.pausing,
                      .needs_help = is_too_slow && !rec->encoder.lacks_trace &&
                                    rec->lanes.next_sequence >= HELPED_FROM_BLOCK};
    ftr_lock_release(&rec->locks);
    return go_on;
}

/* Ends the writer thread without ending the file. After this, only exit handlers can record, and
 * they run when the last thread ends. */
static void leave_to_exit(ftr_recorder *rec)
{
    sigset_t none;
    pthread_detach(pthread_self());
    ftr_lock_take(&rec->locks);
    atomic_store(&rec->writer.is_running, false);
    ftr_lock_wake_recording(&rec->locks);
    ftr_lock_release(&rec->locks);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
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

/* The data for the opening of a trace by its writer thread. */
typedef struct trace_opening {
    ftr_writer_open *open;
    void *data;
    ftr_recorder *rec;
    ftr_status status;
    ftr_held_messages messages;
    pthread_t thread;
    sem_t end;
} trace_opening;

/* Opens the trace for the thread that waits in ftr_writer_start(). Returns the recorder, or NULL if
 * the trace could not be opened. */
static ftr_recorder *open_trace(trace_opening *opening)
{
    ftr_recorder *rec;
    ftr_messages_hold(&opening->messages);
    const ftr_status status = opening->open(opening->data, &rec);
    ftr_messages_hold(NULL);
    opening->rec = rec;
    opening->status = status;
    sem_post(&opening->end);
    return status == FTR_OK ? rec : NULL;
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
    ftr_recorder *rec = open_trace(data);
    occasion now = {0};
    uint64_t before = 0;
    bool is_idle = true;
    if (rec == NULL)
        return NULL;
    /* ten times faster than if the parent thread sets the name */
    prctl(PR_SET_NAME, WRITER_THREAD_NAME);
    while (wait_for_work(rec, &now, is_idle)) {
        if (atomic_load_explicit(&rec->ending.is_awaited_by_signal, memory_order_relaxed) &&
            end_for_signal(rec)) {
            (void)show_end(rec);
            return NULL;
        }
        ftr_ready_blocks_provide(rec);
        bool is_wanted = now.wanted != rec->writer.drains_done;
        ftr_encoding_take(&rec->locks);
        if (now.needs_help)
            ftr_chunk_writer_start_helper(&rec->encoder.chunks);
        ftr_writer_drain_locked(rec, is_wanted ? FTR_DRAIN_ALL : FTR_DRAIN_USUAL);
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
    end_and_close(rec);
    return NULL;
}

static bool start_thread(trace_opening *opening)
{
    /* The signals of the program must be delivered to its own threads. */
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&opening->thread, NULL, writer_main, opening);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

void ftr_writer_attach(ftr_recorder *rec, bool is_on_writer)
{
    rec->writer.is_running = is_on_writer;
}

bool ftr_writer_start(ftr_writer_open *open, void *data, ftr_status *status)
{
    trace_opening opening = {.open = open, .data = data};
    sem_init(&opening.end, 0, 0);
    const bool is_started = start_thread(&opening);
    while (is_started && sem_wait(&opening.end) != 0 && errno == EINTR)
        continue;
    sem_destroy(&opening.end);
    if (!is_started)
        return false;
    *status = opening.status;
    ftr_recorder *rec = opening.rec;
    if (*status != FTR_OK)
        pthread_join(opening.thread, NULL);
    if (rec == NULL)
        return true;
    if (*status != FTR_OK)
        rec->writer.is_running = false;
    rec->writer.thread = opening.thread;
    ftr_messages_pass_on(&opening.messages, &rec->options);
    return true;
}

void ftr_writer_close(ftr_recorder *rec, void (*close)(ftr_recorder *rec))
{
    if (!rec->writer.is_running) {
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
    rec->writer.is_running = false;
    ftr_messages_pass_on(&rec->writer.messages, &rec->options);
    if (!rec->writer.has_closed)
        close(rec);
}
