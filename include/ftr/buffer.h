/** @file
 *  Buffers: a buffer is a group of streams with separate memory, so that a busy stream neither
 *  evicts the transactions of a rare stream nor delays the threads that record to the rare stream.
 *  Each buffer has a sink: the trace of the recorder, a file, or a callback. docs/reliability.md,
 *  "Buffers", is the guide.
 *
 *  A buffer with a file or a callback as sink is a separate trace: it has its own dictionary,
 *  directory, journal and writer thread, and transaction ids that no other trace of the recorder
 *  uses. If one trace fails, the others continue. A relation between transactions of two traces is
 *  not written, but counted.
 *
 *  Any thread may call any function here at any time except during ftr_recorder_close(). */
#ifndef FTR_BUFFER_H
#define FTR_BUFFER_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A buffer of a recorder. 0 is the main buffer, for all streams that belong to no other buffer. */
typedef uint32_t ftr_buffer;

typedef enum ftr_buffer_kind {
    FTR_BUFFER_LINEAR = 0, /**< passes its transactions to its sink immediately */
    /** keeps the newest transactions; at each trigger, passes them to its sink
     * (ftr_buffer_trigger(), ftr_recorder_trigger()) */
    FTR_BUFFER_RING = 1
} ftr_buffer_kind;

/** Options of a buffer. Must be zero-initialised before members are set. At most one of path and
 *  sink may be set; with neither of them the sink is the recorder's own trace. */
typedef struct ftr_buffer_options {
    size_t size;      /**< size of this struct; 0: the struct of this version */
    const char *name; /**< at most 32 letters, digits, `-` and `_`, a letter first; copied */
    ftr_buffer_kind kind;
    /** bytes of recorded data, 128 KiB to 2 GiB; 0: 4 MiB. In addition, each recording thread has a
     * block of up to 64 KiB */
    uint64_t memory;
    /** comma-separated patterns: streams with a matching name belong to this buffer, unless the
     * patterns of an earlier buffer also match; NULL: none; copied */
    const char *streams;
    const char *path; /**< path of the sink, a file; copied */
    /** the sink, a callback; copied. The buffer's writer thread passes whole chunks to the
     * callback. All chunks up to close, in the order in which they were passed, form a valid FTR
     * file. If the callback returns an error, the trace of this buffer ends, as on a full disk; the
     * recorder's own trace reports the loss in `ftr.losses` */
    const ftr_sink *sink;
    ftr_buffer into; /**< must be 0: buffers as sinks of other buffers are not supported */
} ftr_buffer_options;

/** Defines a buffer. Must be called before the recorder's first stream, text or relation is
 * defined.
 *  @param[out] buffer untouched on error
 *  @return FTR_OK; FTR_ERR_ARGUMENT (the reason is passed to ftr_recorder_options.report);
 *          FTR_ERR_STATE after the first of these definitions; FTR_ERR_LIMIT for more than 15
 *          buffers; FTR_ERR_IO if the file cannot be opened (reported as well); FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_buffer_define(ftr_recorder *rec,
                                                  const ftr_buffer_options *options,
                                                  ftr_buffer *buffer);

/** Defines buffers from the text of FTR_BUFFERS (README.md, "Environment variables"):
 *  `NAME=KIND,MEMORY[,>SINK],GLOB[,GLOB...]` for each buffer, separated by `;`. KIND is `ring` or
 *  `linear`. SINK is `file`: a file with the name of the trace and `-NAME`.
 *  @return like ftr_buffer_define(); buffers before the invalid one are defined */
FTR_API FTR_MUST_USE ftr_status ftr_buffers_define(ftr_recorder *rec, const char *text);

/** Checks the syntax of a text for ftr_buffers_define(). Only ftr_buffers_define() checks the
 * values. If @p text is invalid, writes a description of the error to @p why, which must not be
 * NULL.
 *  @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_buffers_check(const char *text, char *why, size_t why_size);

/** Like ftr_stream_define(), but the stream belongs to @p buffer, regardless of its name.
 *  @return like ftr_stream_define(); FTR_ERR_UNDEFINED for an unknown buffer */
FTR_API FTR_MUST_USE ftr_status ftr_stream_define_in(ftr_recorder *rec, ftr_buffer buffer,
                                                     const char *name, const char *kind,
                                                     ftr_stream *stream);

/** Passes the content of a ring to its sink; the ring is then empty and continues to record. The
 *  sink has received the content when the call returns; if the time scale is not known yet, it
 *  receives the content later. An open transaction is not split: the sink receives it after its
 *  end. For a linear buffer, passes all ended transactions. For a buffer of a flight recorder
 *  (FTR_MODE_FLIGHT), triggers all buffers of its trace, like ftr_recorder_trigger().
 *  @return FTR_OK; FTR_ERR_UNDEFINED; FTR_ERR_ARGUMENT; or the failure of the buffer's trace */
FTR_API ftr_status ftr_buffer_trigger(ftr_recorder *rec, ftr_buffer buffer);

#ifdef __cplusplus
}
#endif

#endif
