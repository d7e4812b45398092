/* The flux files of `ftr convert` store in descriptions the information that flux cannot express:
 * the scopes that are streams, the signals that are generators with samples of a duration, and the
 * class and type of their members. Viewers show descriptions unchanged. */
#ifndef FTR_FLUX_DESCRIPTION_H
#define FTR_FLUX_DESCRIPTION_H

#include <ftr/reader.h>

/* Members of every generator, before its attributes. */
enum { FTR_FLUX_TX_ID = 0, FTR_FLUX_TX_DURATION = 1, FTR_FLUX_TX_FIRST = 2 };
/* Members of the signal of relations. */
enum { FTR_FLUX_RELATION_NAME = 0, FTR_FLUX_RELATION_FROM = 1, FTR_FLUX_RELATION_TO = 2 };

#define FTR_FLUX_DESCRIPTION_HEAD "transactions of an FTR file"
#define FTR_FLUX_DESCRIPTION_RELATIONS "relations by the ids of transactions"
#define FTR_FLUX_DESCRIPTION_STREAM "stream "
/* Followed by a word for each attribute: class and number of the type. */
#define FTR_FLUX_DESCRIPTION_GENERATOR "transactions"

bool ftr_flux_description_is_head(ftr_view description);
bool ftr_flux_description_is_generator(const char *description);
bool ftr_flux_description_is_relations(const char *description);

/* Returns the kind of the stream that a scope represents; NULL if it is not a stream. */
const char *ftr_flux_description_stream_kind(const char *description);

/* Gets class and type of member @p id from the description of a generator; RECORD and STRING by
 * default. */
void ftr_flux_description_type_member(const char *description, uint64_t id,
                                      ftr_attribute_class *class_, ftr_type *type);

/* Formats the word for an attribute, with a leading blank: " b3". At most 8 bytes with its NUL. */
void ftr_flux_description_word(ftr_attribute_class class_, ftr_type type, char *word);

#endif
