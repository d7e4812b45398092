/** @file
 *  Transactions, their attributes and relations: the most frequent calls of a simulation. Include
 *  <ftr/recorder.h>, not this header: <ftr/recorder.h> contains the rules for threads and errors,
 *  and includes the inline versions of these calls. */
#ifndef FTR_TRANSACTION_H
#define FTR_TRANSACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>
#include <ftr/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A file being recorded. Remains a valid argument after close: every call then returns
 *  FTR_ERR_CLOSED. */
typedef struct ftr_recorder ftr_recorder;

/** Handles of a recorder's definitions; 0 is invalid. A handle must be used only with the recorder
 * that returned it. */
typedef uint32_t ftr_stream;
typedef uint32_t ftr_generator;
typedef uint32_t ftr_relation;
typedef uint32_t ftr_text;

/** A transaction; `{0}` is invalid. The id FTR_TX_NOT_RECORDED means that the transaction was
 * filtered or dropped: every call on it succeeds and does nothing; relations to it are not written,
 * but counted. */
typedef struct ftr_tx {
    uint64_t id;    /**< id in the file */
    uint64_t place; /**< internal to the library: stream, and slot of an open transaction */
} ftr_tx;

#define FTR_TX_NOT_RECORDED UINT64_MAX

/** Returns the stream of a transaction. */
static inline ftr_stream ftr_tx_stream(ftr_tx tx)
{
    return (ftr_stream)(tx.place >> 32);
}

/** Length argument for a NUL-terminated text. */
#define FTR_NUL_TERMINATED SIZE_MAX

/** An attribute declared by its generator. */
typedef struct ftr_attribute {
    const char *name;
    ftr_type type;
    ftr_attribute_class class_;
} ftr_attribute;

/** In ftr_value.defined: the value of the attribute is bytes. */
#define FTR_BYTES UINT32_MAX

/** The value of one attribute. The type determines the member: boolean, integer, number (UNSIGNED,
 *  POINTER, TIME), real (the floating and fixed point types) or text (the other types). */
typedef struct ftr_value {
    ftr_type type;
    /** not 0: the value is this text from ftr_text_define(), and `as` is ignored. FTR_BYTES: the
     * value is the `text_length` bytes at `as.bytes`, written as by ftr_tx_put_bytes(); the type is
     * STRING. */
    ftr_text defined;
    size_t text_length; /**< bytes of as.text, which may contain NULs; or FTR_NUL_TERMINATED */
    union {
        bool boolean;
        int64_t integer;
        uint64_t number;
        double real;
        const char *text;
        const void *bytes;
    } as;
} ftr_value;

/** Starts a transaction of @p generator. It stays open until ftr_tx_end() or close.
 *  @param begin in ticks; begins need not be in order
 *  @param[out] tx on error `{0}`, which is invalid
 *  @return FTR_OK; FTR_ERR_UNDEFINED; FTR_ERR_ARGUMENT; FTR_ERR_LIMIT if 2^18 transactions are
 *          open; FTR_ERR_MEMORY; or, if the recorder has failed, the status of its first failure */
FTR_API ftr_status ftr_tx_begin(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                                ftr_tx *tx);

/** Put one declared attribute on an open transaction: @p attribute is its number in the generator's
 *  declaration. ftr_tx_put_number() is for UNSIGNED, POINTER and TIME; ftr_tx_put_text() for
 *  ENUMERATION, BIT_VECTOR, LOGIC_VECTOR and STRING.
 *  @return FTR_OK; FTR_ERR_UNKNOWN_TX; FTR_ERR_ATTRIBUTE; FTR_ERR_TYPE; FTR_ERR_ARGUMENT;
 *          FTR_ERR_LIMIT for a transaction of more than 1 GiB; FTR_ERR_MEMORY; or the failure of
 *          the recorder */
FTR_API ftr_status ftr_tx_put_bool(ftr_recorder *rec, ftr_tx tx, unsigned attribute, bool value);
FTR_API ftr_status ftr_tx_put_int(ftr_recorder *rec, ftr_tx tx, unsigned attribute, int64_t value);
FTR_API ftr_status ftr_tx_put_number(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                     uint64_t value);
FTR_API ftr_status ftr_tx_put_real(ftr_recorder *rec, ftr_tx tx, unsigned attribute, double value);
FTR_API ftr_status ftr_tx_put_text(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                   const char *text, size_t length);
FTR_API ftr_status ftr_tx_put_defined(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                      ftr_text text);

/** Puts bytes of any value on a declared attribute of type STRING, as hexadecimal text: two digits
 *  (`0` to `9`, `a` to `f`) for each byte, the upper half of a byte first, in the order of the
 *  bytes, without separators. Every reader and format keeps this text.
 *  @param bytes copied; may be NULL if @p size is 0: the text is empty
 *  @param size at most 512 MiB, because a text has at most 1 GiB
 *  @return as ftr_tx_put_text(); FTR_ERR_TYPE for an attribute of another type than STRING */
FTR_API ftr_status ftr_tx_put_bytes(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                    const void *bytes, size_t size);

/** Puts an attribute that its generator did not declare.
 *  @return as ftr_tx_put_bool(); FTR_ERR_LIMIT also for a name of more than 65535 bytes */
FTR_API ftr_status ftr_tx_put_named(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_,
                                    const char *name, const ftr_value *value);

/** Ends a transaction. Afterwards @p tx is only valid for relations.
 * @param end in ticks, not before the begin
 * @return FTR_OK, also if the transaction was dropped and counted; FTR_ERR_UNKNOWN_TX;
 *         FTR_ERR_ORDER: the transaction stays open; FTR_ERR_MEMORY; or the failure of the
 *         recorder */
FTR_API ftr_status ftr_tx_end(ftr_recorder *rec, ftr_tx tx, uint64_t end);

/** Records a complete transaction in one call. @p values are the values of the first @p count
 *  declared attributes, in the order of declaration. They are not checked if the transaction is not
 *  recorded.
 *  @param[out] tx the transaction, for relations; may be NULL
 *  @return as ftr_tx_begin(), ftr_tx_put_bool() and ftr_tx_end(); on error nothing is recorded */
FTR_API ftr_status ftr_tx_record(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                                 uint64_t end, const ftr_value *values, size_t count, ftr_tx *tx);

/** Relates two transactions, open or ended.
 *  @return FTR_OK, also if the relation is not written but counted, because one of the transactions
 *          is not recorded, or because they are in different traces; FTR_ERR_UNDEFINED;
 *          FTR_ERR_UNKNOWN_TX for a handle that was never a transaction of this recorder;
 *          FTR_ERR_MEMORY; or the failure of the recorder */
FTR_API ftr_status ftr_relation_put(ftr_recorder *rec, ftr_relation relation, ftr_tx from,
                                    ftr_tx to);

#ifdef __cplusplus
}
#endif

#endif
