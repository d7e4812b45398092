/* Owns the layout of a transaction's relations. Does not know which command prints them. */
#include "relation_tree.h"

#include "transaction_text.h"

#include <stdlib.h>
#include <string.h>

static void indent(ftr_relation_tree *t, unsigned level)
{
    for (unsigned i = 0; i < level; i++)
        ftr_print_string(t->out, "    ");
}

bool ftr_tree_print_transaction(ftr_relation_tree *t, uint64_t id, bool json)
{
    const ftr_query query = {.size = sizeof query, .by_id = true, .id = id};
    ftr_cursor *cursor;
    ftr_status status = ftr_cursor_open(t->input->reader, &query, &cursor);
    if (status == FTR_OK) {
        ftr_transaction tx;
        status = ftr_cursor_next(cursor, &tx);
        if (status == FTR_OK && json)
            ftr_put_transaction_json(t->out, t->input->reader, &tx);
        else if (status == FTR_OK)
            ftr_put_transaction_plain(t->out, t->input->reader, &tx,
                                      (ftr_value_style){.time_scale = t->time_scale});
        ftr_cursor_close(cursor);
    }
    t->failed |= !ftr_input_check_end(t->input, status);
    return status == FTR_OK;
}

size_t ftr_tree_collect_relations(ftr_relation_tree *t, uint64_t id, ftr_relation_copy *copies)
{
    ftr_relation_cursor *cursor;
    ftr_status status = ftr_relation_cursor_open(t->input->reader, true, id, &cursor);
    size_t count = 0;
    ftr_relation_info relation;
    while (status == FTR_OK && count < FTR_TREE_RELATIONS_MAX &&
           (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        copies[count].name = relation.name.data != NULL
                                 ? strndup(relation.name.data, relation.name.size)
                                 : strdup("?");
        if (copies[count].name == NULL)
            break;
        copies[count].outgoing = relation.from_tx == id;
        copies[count].other = copies[count].outgoing ? relation.to_tx : relation.from_tx;
        count++;
    }
    if (status != FTR_ERR_STATE)
        ftr_relation_cursor_close(cursor);
    t->failed |= !ftr_input_check_end(t->input, status);
    return count;
}

static void print_level(ftr_relation_tree *t, uint64_t id, unsigned level)
{
    if (level >= t->depth)
        return;
    ftr_relation_copy *copies = calloc(FTR_TREE_RELATIONS_MAX, sizeof *copies);
    if (copies == NULL)
        return;
    const size_t count = ftr_tree_collect_relations(t, id, copies);
    t->path[level] = id;
    for (size_t i = 0; i < count; i++) {
        /* A relation to a transaction that is already on the current path is not followed;
         * otherwise a cycle would not end. */
        bool on_path = false;
        for (unsigned k = 0; k < level && !on_path; k++)
            on_path = t->path[k] == copies[i].other;
        if (!on_path) {
            indent(t, level + 1);
            ftr_print_string(t->out, copies[i].outgoing ? "-> " : "<- ");
            ftr_print_plain(t->out, copies[i].name, strlen(copies[i].name));
            ftr_print_char(t->out, ' ');
            if (!ftr_tree_print_transaction(t, copies[i].other, false)) {
                ftr_print_char(t->out, '#');
                ftr_print_uint(t->out, copies[i].other);
                ftr_print_string(t->out, " (not in the file)");
            }
            ftr_print_char(t->out, '\n');
            print_level(t, copies[i].other, level + 1);
        }
        free(copies[i].name);
    }
    if (count == FTR_TREE_RELATIONS_MAX) {
        indent(t, level + 1);
        ftr_print_string(t->out, "...\n");
    }
    free(copies);
}

void ftr_tree_print_relations(ftr_relation_tree *t, uint64_t id)
{
    print_level(t, id, 0);
}
