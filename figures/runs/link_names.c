/* Names of links: the rule for generated names, and the labels of all links of a run. */
#include "link_names.h"

#include "growing_array.h"

#include <ctype.h>
#include <stdio.h>

/* The ends of the names of a link's streams; index: as in `labels`. A dot or a slash precedes the
 * end. The recorder writes a slash if a dot would make one stream the parent of another one, which
 * viewers cannot show (docs/format.md, "Stream names"). */
static const char *const ENDS[FTR_LINK_STREAMS] = {"", "dmi", "debug", "phases"};

/* ---- parts of names -------------------------------------------------------------------------- */

/* Returns the size of a name without the index of a multi-socket, as in `out[3]`. */
static size_t without_index(const char *name, size_t size)
{
    size_t at = size;
    if (at < 3 || name[at - 1] != ']')
        return size;
    at--;
    while (at > 0 && isdigit((unsigned char)name[at - 1]))
        at--;
    return at > 0 && name[at - 1] == '[' && at + 1 < size ? at - 1 : size;
}

/* Returns the number of bytes before the last dot of a name. Returns 0 if the name has no dot. */
static size_t size_of_parent(const char *name, size_t size)
{
    while (size > 0 && name[size - 1] != '.')
        size--;
    return size > 0 ? size - 1 : 0;
}

/* Returns the name of the module of a socket. A socket without a module stands for itself. */
static ftr_view module_of(ftr_view socket)
{
    socket.size = without_index(socket.data, socket.size);
    const size_t parent = size_of_parent(socket.data, socket.size);
    return parent > 0 ? (ftr_view){socket.data, parent} : socket;
}

bool ftr_link_is_generated(const char *name, size_t size)
{
    /* Default names of the sockets of TLM-2.0 and of tlm_utils. Optional sockets of other versions
     * of SystemC have a further word at the end. */
    static const char *const BASES[] = {"simple_initiator_socket",
                                        "simple_target_socket",
                                        "passthrough_target_socket",
                                        "multi_passthrough_initiator_socket",
                                        "multi_passthrough_target_socket",
                                        "multi_init_base",
                                        "multi_target_base",
                                        "tlm_base_initiator_socket",
                                        "tlm_base_target_socket",
                                        "tlm_initiator_socket",
                                        "tlm_target_socket"};
    static const char *const WORDS[] = {"_tagged", "_optional", "_export", "_port", "_b"};
    size = without_index(name, size);
    const size_t parent = size_of_parent(name, size);
    const size_t from = parent > 0 ? parent + 1 : 0;
    name += from;
    size -= from;
    const size_t whole = size;
    while (size > 0 && isdigit((unsigned char)name[size - 1]))
        size--;
    if (size == whole || size == 0 || name[size - 1] != '_')
        return false;
    size--;
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (ftr_text_ends(name, size, WORDS[i])) {
            size -= strlen(WORDS[i]);
            i = (size_t)-1; /* several words may follow each other */
        }
    for (size_t i = 0; i < sizeof BASES / sizeof BASES[0]; i++)
        if (ftr_text_is(name, size, BASES[i]))
            return true;
    return false;
}

ftr_view ftr_link_end_name(ftr_view socket)
{
    return ftr_link_is_generated(socket.data, socket.size) ? module_of(socket) : socket;
}

/* Removes the names of the modules that contain both @p module and @p other. */
static ftr_view without_common_part(ftr_view module, ftr_view other)
{
    size_t from = 0;
    for (size_t i = 0; i < module.size && i < other.size && module.data[i] == other.data[i]; i++) {
        const bool other_ends = i + 1 == other.size || other.data[i + 1] == '.';
        if (other_ends && i + 1 < module.size && module.data[i + 1] == '.')
            from = i + 2;
    }
    return (ftr_view){module.data + from, module.size - from};
}

/* ---- links ----------------------------------------------------------------------------------- */

static ftr_link *link_of(ftr_link_names *names, ftr_view name)
{
    const size_t known = ftr_name_table_find(&names->by_name, name.data, name.size, 0);
    if (known != FTR_NAME_UNKNOWN)
        return &names->links[known];
    char *copy = ftr_text_duplicate(name.data, name.size);
    if (copy == NULL ||
        !ftr_array_grow(&names->links, &names->capacity, names->count, sizeof *names->links) ||
        !ftr_name_table_add(&names->by_name, copy, name.size, 0, names->count)) {
        free(copy);
        return NULL;
    }
    names->links[names->count] = (ftr_link){.name = copy};
    return &names->links[names->count++];
}

bool ftr_link_names_add(ftr_link_names *names, ftr_view attribute, ftr_view value)
{
    static const char INITIATOR[] = "initiator.", TARGET[] = "target.";
    const bool is_target = ftr_text_begins(attribute.data, attribute.size, TARGET);
    if (!is_target && !ftr_text_begins(attribute.data, attribute.size, INITIATOR))
        return true;
    const size_t prefix = is_target ? sizeof TARGET - 1 : sizeof INITIATOR - 1;
    if (attribute.size == prefix || value.size == 0 || value.data == NULL)
        return true;
    ftr_link *link = link_of(names, (ftr_view){attribute.data + prefix, attribute.size - prefix});
    char *copy = ftr_text_duplicate(value.data, value.size);
    if (link == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    char **end = is_target ? &link->target : &link->initiator;
    if (*end != NULL && strcmp(*end, copy) == 0) {
        free(copy);
        return true;
    }
    names->is_settled = false;
    free(*end);
    *end = copy;
    return true;
}

static ftr_view view_of(const char *text)
{
    return (ftr_view){text, strlen(text)};
}

/* Returns the modules at the ends of a link. A link has the name of its initiator's socket, so this
 * name replaces an initiator that was not recorded. */
static void modules_of(const ftr_link *link, ftr_view *initiator, ftr_view *target)
{
    *initiator = module_of(view_of(link->initiator != NULL ? link->initiator : link->name));
    *target = link->target != NULL ? module_of(view_of(link->target)) : (ftr_view){"", 0};
}

/* Makes the label of a stream of a link.
 * @param socket true: the label contains the name of the link's socket in parentheses
 * @param end the end of the name of the stream
 * @return the label, which the caller must free(); NULL if out of memory */
static char *label_of(const ftr_link *link, bool socket, const char *end)
{
    ftr_view initiator, target;
    modules_of(link, &initiator, &target);
    target = without_common_part(target, initiator);
    const size_t parent = size_of_parent(link->name, strlen(link->name));
    const char *name = link->name + (parent > 0 ? parent + 1 : 0);
    const size_t size = initiator.size + target.size + strlen(name) + 24;
    char *label = malloc(size);
    if (label != NULL)
        (void)snprintf(label, size, "%.*s -> %.*s%s%s%s%s%s", (int)initiator.size, initiator.data,
                       (int)target.size, target.data, socket ? " (" : "", socket ? name : "",
                       socket ? ")" : "", *end != '\0' ? " " : "", end);
    return label;
}

static int compare_labels(const void *a, const void *b)
{
    const ftr_link *x = *(const ftr_link *const *)a;
    const ftr_link *y = *(const ftr_link *const *)b;
    return strcmp(x->labels[0], y->labels[0]);
}

static bool set_labels(ftr_link *link, bool socket)
{
    for (size_t i = 0; i < FTR_LINK_STREAMS; i++) {
        free(link->labels[i]);
        link->labels[i] = label_of(link, socket, ENDS[i]);
        if (link->labels[i] == NULL)
            return false;
    }
    return true;
}

bool ftr_link_names_settle(ftr_link_names *names)
{
    if (names->is_settled)
        return true;
    ftr_link **labelled = malloc((names->count + 1) * sizeof(ftr_link *));
    size_t count = 0;
    bool ok = labelled != NULL;
    for (size_t i = 0; ok && i < names->count; i++) {
        ftr_link *link = &names->links[i];
        if (link->target == NULL || !ftr_link_is_generated(link->name, strlen(link->name)))
            continue;
        labelled[count++] = link;
        ok = set_labels(link, false);
    }
    if (ok)
        qsort(labelled, count, sizeof(ftr_link *), compare_labels);
    for (size_t i = 0, end; ok && i < count; i = end) {
        for (end = i + 1; end < count && compare_labels(&labelled[i], &labelled[end]) == 0;)
            end++;
        for (size_t k = i; ok && end - i > 1 && k < end; k++)
            ok = set_labels(labelled[k], true);
    }
    free(labelled);
    names->is_settled = ok;
    return ok;
}

/* ---- look-ups -------------------------------------------------------------------------------- */

/* Finds the link of a stream. @param[out] which the index of the stream among those of the link */
static const ftr_link *find(const ftr_link_names *names, ftr_view stream, size_t *which)
{
    if (names == NULL || names->count == 0 || stream.data == NULL)
        return NULL;
    for (size_t i = 0; i < FTR_LINK_STREAMS; i++) {
        const size_t end = i > 0 ? strlen(ENDS[i]) + 1 : 0;
        if (stream.size < end || !ftr_text_ends(stream.data, stream.size, ENDS[i]) ||
            (i > 0 && strchr("./", stream.data[stream.size - end]) == NULL))
            continue;
        const size_t known =
            ftr_name_table_find(&names->by_name, stream.data, stream.size - end, 0);
        *which = i;
        if (known != FTR_NAME_UNKNOWN)
            return &names->links[known];
    }
    return NULL;
}

const ftr_link *ftr_link_of_stream(const ftr_link_names *names, ftr_view stream)
{
    size_t which;
    return find(names, stream, &which);
}

bool ftr_link_has_label(const ftr_link_names *names, ftr_view stream)
{
    size_t which;
    const ftr_link *link = find(names, stream, &which);
    return link != NULL && link->labels[which] != NULL;
}

ftr_view ftr_link_label(const ftr_link_names *names, ftr_view stream)
{
    size_t which;
    const ftr_link *link = find(names, stream, &which);
    return link != NULL && link->labels[which] != NULL ? view_of(link->labels[which]) : stream;
}

ftr_view ftr_link_target(const ftr_link_names *names, ftr_view stream)
{
    size_t which;
    const ftr_link *link = find(names, stream, &which);
    if (link == NULL || link->target == NULL)
        return (ftr_view){"", 0};
    ftr_view initiator, target;
    modules_of(link, &initiator, &target);
    return without_common_part(target, initiator);
}

ftr_view ftr_link_initiator(const ftr_link_names *names, ftr_view stream)
{
    size_t which;
    const ftr_link *link = find(names, stream, &which);
    if (link == NULL)
        return (ftr_view){"", 0};
    ftr_view initiator, target;
    modules_of(link, &initiator, &target);
    return without_common_part(initiator, target);
}

void ftr_link_names_release(ftr_link_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->links[i].name);
        free(names->links[i].initiator);
        free(names->links[i].target);
        for (size_t k = 0; k < FTR_LINK_STREAMS; k++)
            free(names->links[i].labels[k]);
    }
    free(names->links);
    ftr_name_table_release(&names->by_name);
    *names = (ftr_link_names){0};
}
