/* The attributes of copied transactions: their values for the recorder, and the attributes that a
 * generator of the copy declares. Recording declared attributes takes fewer instructions. */
#ifndef FTR_COPIED_ATTRIBUTES_H
#define FTR_COPIED_ATTRIBUTES_H

#include <ftr/reader.h>
#include <ftr/recorder.h>

/* Maximum number of declared attributes of a generator. */
#define FTR_COPIED_ATTRIBUTES_MAX 32

/* The declared attributes of a generator of the copy. */
typedef struct ftr_copied_attributes ftr_copied_attributes;

/* Converts a time to ticks of the copy. @param factor number of ticks of the copy in a tick of the
 * input. @return false if the time exceeds 64 bits */
bool ftr_copied_time(uint64_t factor, uint64_t time, uint64_t *converted);

/* Converts the value of an attribute. An integer of a vector type must be converted with
 * ftr_vector_as_text() before.
 * @param[out] to its text is that of @p from
 * @return false if the value cannot be written: its type has no values, or a time is out of
 *         range */
bool ftr_copied_value(uint64_t factor, const ftr_attribute_value *from, ftr_value *to);

/* Declares the attributes of @p tx, the first transaction of its generator. Nothing is declared if
 * an attribute cannot be declared, or if there are too many attributes.
 * @param tx is rewound
 * @return free with free(); NULL if nothing is declared */
ftr_copied_attributes *ftr_copied_attributes_create(uint64_t factor, ftr_reader *reader,
                                                    ftr_transaction *tx);

/* Gets the declared attributes, for ftr_generator_define().
 * @param declared NULL: none
 * @param[out] list FTR_COPIED_ATTRIBUTES_MAX elements; their names belong to @p declared
 * @return the number of attributes */
size_t ftr_copied_attributes_list(const ftr_copied_attributes *declared, ftr_attribute *list);

/* Gets the values of a transaction whose attributes are the first declared attributes, in the same
 * order.
 * @param tx must be at its first attribute; is rewound if false is returned
 * @param[out] values FTR_COPIED_ATTRIBUTES_MAX elements; their texts are valid until a cursor of
 *             the reader moves
 * @return false if the attributes of the transaction differ from the declared ones */
bool ftr_copied_attributes_take(const ftr_copied_attributes *declared, uint64_t factor,
                                ftr_reader *reader, ftr_transaction *tx, ftr_value *values,
                                size_t *count);

#endif
