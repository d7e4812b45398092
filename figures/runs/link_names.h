/* The names of TLM links for people. If SystemC generated the name of a socket, as in
 * `bus.simple_initiator_socket_5`, a link is shown by the modules at its ends: `bus -> sensor`. The
 * sockets at the ends of a link N are the attributes `initiator.N` and `target.N` of the stream
 * `ftr.run`. */
#ifndef FTR_LINK_NAMES_H
#define FTR_LINK_NAMES_H

#include "name_table.h"
#include "text_view.h"

/* The streams of a link: N, N.dmi, N.debug, N.phases (or N/dmi and so on, see link_names.c). */
#define FTR_LINK_STREAMS 4u

typedef struct ftr_link {
    char *name;               /* N, 0-terminated */
    char *initiator, *target; /* names of the sockets, 0-terminated; NULL: not recorded */
    /* The labels of the streams N, N.dmi, N.debug and N.phases, set by ftr_link_names_settle().
     * NULL: the stream is shown by its name. */
    char *labels[FTR_LINK_STREAMS];
} ftr_link;

/* `{0}`: no links. */
typedef struct ftr_link_names {
    ftr_link *links;
    size_t count, capacity;
    ftr_name_table by_name;
    bool is_settled; /* the labels of all links are computed */
} ftr_link_names;

/* Adds what an attribute of `ftr.run` says about a link; ignores an attribute about anything else.
 * @return false if out of memory */
bool ftr_link_names_add(ftr_link_names *names, ftr_view attribute, ftr_view value);

/* Computes the labels, unless they are known. If several links have the same label, each label gets
 * the name of the link's socket in parentheses. @return false if out of memory */
bool ftr_link_names_settle(ftr_link_names *names);

/* Returns the label of a stream, or the name of the stream itself if it has no label. */
ftr_view ftr_link_label(const ftr_link_names *names, ftr_view stream);

/* Returns the link of a stream, NULL if `ftr.run` does not describe it. */
const ftr_link *ftr_link_of_stream(const ftr_link_names *names, ftr_view stream);

/* Returns true if the stream has a label. */
bool ftr_link_has_label(const ftr_link_names *names, ftr_view stream);

/* Return the name of the module at the target or initiator of a stream's link, without the modules
 * that contain both. Size 0: the link or its target was not recorded. If only the initiator was not
 * recorded, the name of the link stands for it. */
ftr_view ftr_link_target(const ftr_link_names *names, ftr_view stream);
ftr_view ftr_link_initiator(const ftr_link_names *names, ftr_view stream);

/* Returns the name of a socket for people: the name of its module if SystemC generated the name. */
ftr_view ftr_link_end_name(ftr_view socket);

/* Returns true if SystemC generated the last part of a socket's name (sc_gen_unique_name()). */
bool ftr_link_is_generated(const char *name, size_t size);

void ftr_link_names_release(ftr_link_names *names);

#endif
