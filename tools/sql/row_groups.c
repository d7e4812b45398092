/* Finds the group of each generator, and sorts the groups as SQLite sorts their names or ids. */
#include "row_groups.h"

#include "growing_array.h"

#include <stdlib.h>
#include <string.h>

static bool is_name(int role)
{
    return role == FTR_ROLE_STREAM || role == FTR_ROLE_GENERATOR;
}

static bool is_of_stream(int role)
{
    return role == FTR_ROLE_STREAM || role == FTR_ROLE_STREAM_ID;
}

static ftr_row_group group_of(const ftr_row_groups *groups, ftr_sql_trace *trace,
                              const ftr_generator_info *generator)
{
    ftr_row_group group = {0};
    for (int i = 0; i < groups->role_count; i++)
        switch (groups->roles[i]) {
        case FTR_ROLE_STREAM:
            group.names[i] = ftr_sql_stream_name(trace, generator->stream);
            break;
        case FTR_ROLE_STREAM_ID:
            group.ids[i] = generator->stream->id;
            break;
        case FTR_ROLE_GENERATOR:
            group.names[i] = generator->defined ? ftr_sql_generator_name(trace, generator) : NULL;
            break;
        default:
            group.ids[i] = generator->id;
        }
    return group;
}

static int compare_names(const ftr_name *a, const ftr_name *b)
{
    if (a == b)
        return 0;
    if (a == NULL || b == NULL)
        return a == NULL ? -1 : 1;
    const int order = memcmp(a->text, b->text, a->size < b->size ? a->size : b->size);
    if (order != 0)
        return order;
    return a->size < b->size ? -1 : 1;
}

/* Compares names by bytes, as SQLite does. */
static int compare(const ftr_row_groups *groups, const ftr_row_group *a, const ftr_row_group *b)
{
    for (int i = 0; i < groups->role_count; i++) {
        const int order = is_name(groups->roles[i])
                              ? compare_names(a->names[i], b->names[i])
                              : (a->ids[i] > b->ids[i]) - (a->ids[i] < b->ids[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

static bool insert(ftr_row_groups *groups, size_t at, const ftr_row_group *group)
{
    if (!ftr_array_grow(&groups->groups, &groups->capacity, groups->count, sizeof *groups->groups))
        return false;
    memmove(groups->groups + at + 1, groups->groups + at,
            (groups->count - at) * sizeof *groups->groups);
    groups->groups[at] = *group;
    groups->count++;
    return true;
}

bool ftr_row_groups_collect(ftr_row_groups *groups, ftr_sql_trace *trace, size_t limit)
{
    const size_t generators = ftr_reader_generator_count(trace->reader);
    for (size_t i = 0; i < generators && groups->count <= limit; i++) {
        const ftr_row_group group =
            group_of(groups, trace, ftr_reader_get_generator(trace->reader, i));
        size_t low = 0;
        size_t high = groups->count;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (compare(groups, &groups->groups[middle], &group) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        const bool is_known =
            low < groups->count && compare(groups, &groups->groups[low], &group) == 0;
        if (!is_known && !insert(groups, low, &group))
            return false;
    }
    return true;
}

/* A generator that the file does not define is found only while transactions are read. Its group is
 * appended at the end, so the groups are not in order afterwards. */
size_t ftr_row_groups_find(ftr_row_groups *groups, ftr_sql_trace *trace,
                           const ftr_generator_info *generator)
{
    const ftr_row_group group = group_of(groups, trace, generator);
    for (size_t i = 0; i < groups->count; i++)
        if (compare(groups, &groups->groups[i], &group) == 0)
            return i;
    return insert(groups, groups->count, &group) ? groups->count - 1 : SIZE_MAX;
}

bool ftr_row_groups_want_stream(const ftr_row_groups *groups, ftr_sql_trace *trace, size_t number,
                                const ftr_stream_info *stream)
{
    const ftr_row_group *group = &groups->groups[number];
    for (int i = 0; i < groups->role_count; i++) {
        if (!is_of_stream(groups->roles[i]))
            continue;
        if (is_name(groups->roles[i]) ? group->names[i] != ftr_sql_stream_name(trace, stream)
                                      : group->ids[i] != stream->id)
            return false;
    }
    return true;
}

void ftr_row_groups_release(ftr_row_groups *groups)
{
    free(groups->groups);
    *groups = (ftr_row_groups){0};
}
