/** @file
 *  Buffers: groups of streams with memory of their own, so that a busy stream neither evicts a
 *  rare one nor makes its writers wait, and with a sink of their own: the recorder's trace, a
 *  file, or a callback. docs/reliability.md, "Buffers", is the guide.
 *
 *  A buffer with a file or a callback as sink is a separate trace: with its own dictionary and
 *  directory, its own journal and writer thread, and transaction ids that no other trace of the
 *  recorder uses. If it fails, the others continue. A relation between transactions of two
 *  traces is not written, but counted.
 *
 *  Any thread may call any function here at any time except during ftr_recorder_close(). */
#ifndef FTR_BUFFER_H
#define FTR_BUFFER_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A buffer of a recorder. 0 is the default buffer, for all streams without a buffer of their
 * own. */
typedef uint32_t ftr_buffer;

typedef enum ftr_buffer_kind {
    FTR_BUFFER_LINEAR = 0, /**< passes its transactions to its sink immediately */
    /** keeps the newest transactions, and passes them to its sink at each trigger
     * (ftr_buffer_trigger(), ftr_recorder_trigger()) */
    FTR_BUFFER_RING = 1
} ftr_buffer_kind;

/** Options of a buffer. Must be zero-initialised before members are set. At most one of path and
 *  sink may be set; with neither of them the sink is the recorder's own trace. */
typedef struct ftr_buffer_options {
    size_t size;      /**< size of this struct; 0: the size in the headers of the program */
    const char *name; /**< letters, digits, `-` and `_`, a letter first, at most 32; copied */
    ftr_buffer_kind kind;
    /** bytes of recorded data, 128 KiB to 2 GiB; 0: 4 MiB. In addition, each recording thread has a
     * block of up to 64 KiB */
    uint64_t memory;
    /** comma-separated patterns: streams with a matching name belong to this buffer, unless an
     * earlier buffer matches; NULL: none; copied */
    const char *streams;
    const char *path; /**< path of the sink, a file; copied */
    /** the sink, a callback; copied. The buffer's writer thread calls it in order, with whole
     * chunks: together they form a valid FTR file once the recorder is closed. An error ends this
     * buffer's trace, like a full disk ends a file; the recorder's own trace reports the loss in
     * `ftr.losses` */
    const ftr_sink *sink;
    ftr_buffer into; /**< must be 0: buffers as sinks of other buffers are not supported */
} ftr_buffer_options;

/** Defines a buffer. Must precede the recorder's first stream, text and relation.
 *  @param[out] buffer untouched on error
 *  @return FTR_OK; FTR_ERR_ARGUMENT (the reason is passed to ftr_recorder_options.report);
 *          FTR_ERR_STATE after the first definition; FTR_ERR_LIMIT for more than 15; FTR_ERR_IO if
 *          the file cannot be opened (reported as well); FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_buffer_define(ftr_recorder *rec,
                                                  const ftr_buffer_options *options,
                                                  ftr_buffer *buffer);

/** Like the function above, for a struct of @p size bytes: see recorder.h, "sizes of structs". */
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

/** Defines buffers from the text of FTR_BUFFERS (README.md, "Environment variables"):
 *  `NAME=KIND,MEMORY[,>SINK],GLOB[,GLOB...]` for each, separated by `;`. KIND is `ring` or
 *  `linear`, SINK is `file` (the trace's name with `-NAME`).
 *  @return like ftr_buffer_define(); buffers before the invalid one are defined */
FTR_API FTR_MUST_USE ftr_status ftr_buffers_define(ftr_recorder *rec, const char *text);

/** Checks @p text; if it is invalid, @p why (not NULL) receives a description of the error. @return
 *  FTR_OK or FTR_ERR_ARGUMENT */
FTR_API FTR_MUST_USE ftr_status ftr_buffers_check(const char *text, char *why, size_t why_size);

/** Like ftr_stream_define(), but the stream belongs to @p buffer, regardless of its name.
 *  @return like ftr_stream_define(); FTR_ERR_UNDEFINED for an unknown buffer */
FTR_API FTR_MUST_USE ftr_status ftr_stream_define_in(ftr_recorder *rec, ftr_buffer buffer,
                                                     const char *name, const char *kind,
                                                     ftr_stream *stream);

/** Passes the content of a ring to its sink, which has received it when the call returns, unless
 *  the time scale is not known yet. Then the ring is empty and continues. An open transaction is
 *  not split: it goes to the sink when it ends. For a buffer that is not a ring: everything that
 *  has ended. For a buffer of a flight recorder (FTR_MODE_FLIGHT): triggers all buffers of its
 *  trace, like ftr_recorder_trigger().
 *  @return FTR_OK; FTR_ERR_UNDEFINED; FTR_ERR_ARGUMENT; or the failure of the buffer's trace */
FTR_API ftr_status ftr_buffer_trigger(ftr_recorder *rec, ftr_buffer buffer);

#ifdef __cplusplus
}
#endif

#endif
