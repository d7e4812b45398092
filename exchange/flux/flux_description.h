/* Flux cannot express which scopes are streams, which signals are generators (that is, have samples
 * with a duration), and the class and type of attributes. The flux files of `ftr convert` store
 * this information in the descriptions of items, which viewers show as plain text. */
#ifndef FTR_FLUX_DESCRIPTION_H
#define FTR_FLUX_DESCRIPTION_H

#include <ftr/reader.h>

/* The first members of the signal of a generator. From FTR_FLUX_TX_FIRST on, the members are
 * attributes. */
enum { FTR_FLUX_TX_ID = 0, FTR_FLUX_TX_DURATION = 1, FTR_FLUX_TX_FIRST = 2 };
/* Members of the signal of relations. */
enum { FTR_FLUX_RELATION_NAME = 0, FTR_FLUX_RELATION_FROM = 1, FTR_FLUX_RELATION_TO = 2 };

#define FTR_FLUX_DESCRIPTION_HEAD "transactions of an FTR file"
#define FTR_FLUX_DESCRIPTION_RELATIONS "relations by the ids of transactions"
#define FTR_FLUX_DESCRIPTION_STREAM "stream "
/* In a description, this text is followed by a word for each attribute: the letter of its class and
 * the number of its type. */
#define FTR_FLUX_DESCRIPTION_GENERATOR "transactions"

bool ftr_flux_description_is_head(ftr_view description);
bool ftr_flux_description_is_generator(const char *description);
bool ftr_flux_description_is_relations(const char *description);

/* Returns the kind of the stream that a scope represents; NULL if the scope is not a stream. */
const char *ftr_flux_description_stream_kind(const char *description);

/* The place in the description of a generator that the last search has reached. `{0}` is the start
 * of the description. */
typedef struct ftr_flux_description_reader {
    uint64_t words; /* number of words before the place */
    size_t at;
} ftr_flux_description_reader;

/* Gets the class and type of member @p id from the description of a generator. If the description
 * does not contain them, the result is the class RECORD and the type STRING. Searching members in
 * the order of their ids takes one pass over the description. */
void ftr_flux_description_type_member(ftr_flux_description_reader *reader, const char *description,
                                      uint64_t id, ftr_attribute_class *class_, ftr_type *type);

/* Formats the word for an attribute, with a leading blank: " b3". At most 8 bytes with its NUL. */
void ftr_flux_description_word(ftr_attribute_class class_, ftr_type type, char *word);

#endif
