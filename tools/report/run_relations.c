/* The relations of a run in memory. */
#include "run_relations.h"

#include "growing_array.h"
#include "stream_name_rules.h"
#include "text_view.h"

/* Maximum number of relations in the list. If there are more, the caller must read them from the
 * file again. */
#define OTHERS_MAX ((size_t)1 << 20)

static void forget_others(ftr_run_relations *relations)
{
    free(relations->others);
    relations->others = NULL;
    relations->other_count = relations->other_capacity = 0;
    relations->is_complete = false;
}

static ftr_status add_other(ftr_run_relations *relations, const ftr_relation_info *relation)
{
    const ftr_view name = relation->name.data != NULL ? relation->name : (ftr_view){"?", 1};
    if (!relations->is_complete)
        return FTR_OK;
    if (relations->other_count == OTHERS_MAX) {
        forget_others(relations);
        return FTR_OK;
    }
    const ftr_name *known = ftr_names_intern(&relations->names, name.data, name.size);
    if (known == NULL || !ftr_array_grow(&relations->others, &relations->other_capacity,
                                         relations->other_count, sizeof *relations->others))
        return FTR_ERR_MEMORY;
    relations->others[relations->other_count++] =
        (ftr_other_relation){relation->from_tx, relation->to_tx, known};
    return FTR_OK;
}

static bool is_family(const ftr_relation_info *relation)
{
    return relation->name.size == sizeof FTR_PARENT_CHILD - 1 &&
           memcmp(relation->name.data, FTR_PARENT_CHILD, sizeof FTR_PARENT_CHILD - 1) == 0;
}

static bool is_access(const ftr_stream_info *stream)
{
    return stream != NULL && stream->kind.data != NULL &&
           ftr_view_is(stream->kind, FTR_ACCESS_KIND);
}

/* Returns true if both transactions are accesses, and the parent is in the report. */
static bool is_hop(ftr_reader *reader, const ftr_query *query, const ftr_relation_info *relation)
{
    if (!relation->has_streams)
        return false;
    const ftr_stream_info *parent = ftr_reader_find_stream(reader, relation->from_stream);
    return is_access(parent) && is_access(ftr_reader_find_stream(reader, relation->to_stream)) &&
           (query->choose_stream == NULL || query->choose_stream(query->user, parent));
}

static ftr_status add(ftr_run_relations *relations, ftr_reader *reader, const ftr_query *query,
                      const ftr_relation_info *relation)
{
    bool is_in_table = false;
    if (is_family(relation)) {
        const ftr_status status = ftr_family_table_add(&relations->families, relation->from_tx,
                                                       relation->to_tx, &is_in_table);
        if (status != FTR_OK)
            return status;
        if (is_in_table && is_hop(reader, query, relation))
            ftr_family_table_mark_hop(&relations->families, relation->to_tx);
    }
    return is_in_table ? FTR_OK : add_other(relations, relation);
}

ftr_status ftr_run_relations_read(ftr_run_relations *relations, ftr_reader *reader,
                                  const ftr_query *query)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    relations->is_complete = true;
    while ((status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        status = add(relations, reader, query, &relation);
        if (status != FTR_OK)
            break;
    }
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

void ftr_run_relations_release(ftr_run_relations *relations)
{
    ftr_family_table_release(&relations->families);
    ftr_names_release(&relations->names);
    free(relations->others);
    *relations = (ftr_run_relations){0};
}
