/** @file
 *  Buffers: streams that are kept apart from others, each buffer with memory of its own, so that a
 *  chatty stream neither evicts a rare one nor makes its writers wait, and with a sink of its own:
 *  the recorder's trace, a file, or a callback. docs/reliability.md, "Buffers", is the guide.
 *
 *  A buffer whose sink is a file or a callback is a trace of its own: with its own dictionary and
 *  directory, its own journal and writer thread, and transaction ids that no other trace of the
 *  recorder has. When it fails, the others go on. A relation between transactions of two traces is
 *  left out, and counted.
 *
 *  Any thread may call any function here at any time but during ftr_recorder_close(). */
#ifndef FTR_BUFFER_H
#define FTR_BUFFER_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A buffer of a recorder. 0 is the one that streams are in which were given to no other. */
typedef uint32_t ftr_buffer;

typedef enum ftr_buffer_kind {
    FTR_BUFFER_LINEAR = 0, /**< passes its transactions to its sink immediately */
    FTR_BUFFER_RING = 1    /**< it keeps the newest, and its sink gets what it holds at each trigger
                              (ftr_buffer_trigger(), ftr_recorder_trigger()) */
} ftr_buffer_kind;

/** What a buffer is. Zero-initialise it, then set what differs. At most one of path and sink is
 *  set; with neither of them the sink is the recorder's own trace. */
typedef struct ftr_buffer_options {
    size_t size;      /**< bytes of this struct; 0: as the program was compiled */
    const char *name; /**< letters, digits, `-` and `_`, a letter first, at most 32; copied */
    ftr_buffer_kind kind;
    uint64_t memory;     /**< bytes of recorded data, 128 KiB to 2 GiB; 0: 4 MiB. Each thread that
                            records into the buffer has up to 64 KiB more */
    const char *streams; /**< comma-separated globs: the streams that are given to it by their name,
                            unless an earlier buffer takes them; NULL: none; copied */
    const char *path;    /**< its sink is this file; copied */
    const ftr_sink *sink; /**< its sink is this callback; copied. It is called by the buffer's
                             writer thread, in order, with whole chunks: all it is given, one after
                             the other, is a sound FTR document when the recorder has closed. What
                             it cannot take ends this buffer's trace, as a full disk ends a file's,
                             and what that lost is in `ftr.losses` of the recorder's own */
    ftr_buffer into;      /**< must be 0: buffers as sinks of other buffers are not supported */
} ftr_buffer_options;

/** Defines a buffer, before the recorder's first stream, text and relation.
 *  @param[out] buffer untouched on error
 *  @return FTR_OK; FTR_ERR_ARGUMENT (ftr_recorder_options.report is told why); FTR_ERR_STATE after
 *          the first definition; FTR_ERR_LIMIT for more than 15; FTR_ERR_IO when the file cannot
 *          be opened (report is told); FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_buffer_define(ftr_recorder *rec,
                                                  const ftr_buffer_options *options,
                                                  ftr_buffer *buffer);

/** As above for a struct of @p size bytes: see recorder.h, "sizes of structs". */
FTR_API FTR_MUST_USE ftr_status ftr_buffer_define_sized(ftr_recorder *rec,
                                                        const ftr_buffer_options *options,
                                                        size_t size, ftr_buffer *buffer);

#ifndef FTR_BUILDING_LIBRARY
FTR_MUST_USE static inline ftr_status
ftr_buffer_define_inline(ftr_recorder *rec, const ftr_buffer_options *options, ftr_buffer *buffer)
{
    return ftr_buffer_define_sized(rec, options, sizeof *options, buffer);
}
#define ftr_buffer_define ftr_buffer_define_inline
#endif

/** Defines buffers as FTR_BUFFERS has them (README.md, "Environment variables"):
 *  `NAME=KIND,MEMORY[,>SINK],GLOB[,GLOB...]` for each, separated by `;`. KIND is `ring` or
 *  `linear`, SINK is `file` (the trace's name with `-NAME`).
 *  @return as of ftr_buffer_define(); those before the wrong one are defined */
FTR_API FTR_MUST_USE ftr_status ftr_buffers_define(ftr_recorder *rec, const char *text);

/** Whether @p text can be understood; if not, @p why (not NULL) becomes a sentence that says what
 *  is wrong with it. @return FTR_OK or FTR_ERR_ARGUMENT */
FTR_API FTR_MUST_USE ftr_status ftr_buffers_check(const char *text, char *why, size_t why_size);

/** As ftr_stream_define(), for a stream of @p buffer whatever its name matches.
 *  @return as of ftr_stream_define(); FTR_ERR_UNDEFINED for an unknown buffer */
FTR_API FTR_MUST_USE ftr_status ftr_stream_define_in(ftr_recorder *rec, ftr_buffer buffer,
                                                     const char *name, const char *kind,
                                                     ftr_stream *stream);

/** Brings what a ring holds to its sink, which has it when the call returns, unless the time scale
 *  is not known yet. The ring is empty then and goes on. A transaction that is open is not cut: it
 *  goes to the sink when it ends. Of a buffer that is not a ring: everything that had ended. Of a
 *  flight recorder (FTR_MODE_FLIGHT) it triggers all buffers of its trace, as
 *  ftr_recorder_trigger() does.
 *  @return FTR_OK; FTR_ERR_UNDEFINED; FTR_ERR_ARGUMENT; or the failure of the buffer's trace */
FTR_API ftr_status ftr_buffer_trigger(ftr_recorder *rec, ftr_buffer buffer);

#ifdef __cplusplus
}
#endif

#endif
