/* Owns the layout of a transaction's relations. Does not know which command prints them. */
#include "relation_tree.h"

#include "command.h"
#include "related_transactions.h"
#include "transaction_text.h"

#include <inttypes.h>

/* The kept lines may use this share of the memory. */
#define LINES_SHARE 8

/* The line of a transaction. A transaction can be printed for each of its relations, but is read
 * only once. */
typedef struct kept_line {
    char *text; /* NULL: not kept */
    size_t size, capacity;
    bool is_read;
    bool is_missing; /* the file does not contain the transaction */
    bool is_cut;     /* out of memory: the line is read again */
} kept_line;

/* A tree that is being printed. */
typedef struct tree_print {
    ftr_relation_tree *tree;
    ftr_related related;
    kept_line *lines; /* index: of the transaction */
    size_t lines_size;
    ftr_printer *line_printer;
    size_t path[FTR_TREE_DEPTH_MAX + 1]; /* indices of the transactions from the root */
} tree_print;

static void indent(ftr_relation_tree *t, unsigned level)
{
    for (unsigned i = 0; i < level; i++)
        ftr_print_string(t->out, "    ");
}

static bool print_transaction(ftr_relation_tree *t, ftr_printer *out, uint64_t id, bool json)
{
    const ftr_query query = {.size = sizeof query, .by_id = true, .id = id};
    ftr_cursor *cursor;
    ftr_status status = ftr_cursor_open(t->input->reader, &query, &cursor);
    if (status == FTR_OK) {
        ftr_transaction tx;
        status = ftr_cursor_next(cursor, &tx);
        if (status == FTR_OK && json)
            ftr_put_transaction_json(out, t->input->reader, &tx);
        else if (status == FTR_OK)
            ftr_put_transaction_plain(out, t->input->reader, &tx,
                                      (ftr_value_style){.time_scale = t->time_scale});
        ftr_cursor_close(cursor);
    }
    t->failed |= !ftr_input_check_end(t->input, status);
    return status == FTR_OK;
}

bool ftr_tree_print_transaction(ftr_relation_tree *t, uint64_t id, bool json)
{
    return print_transaction(t, t->out, id, json);
}

/* Appends to the line that is being kept. */
static bool take_line(void *user, const char *bytes, size_t size)
{
    kept_line *line = user;
    line->is_cut |= !ftr_array_fit(&line->text, &line->capacity, line->size + size, 1);
    if (line->is_cut)
        return true;
    memcpy(line->text + line->size, bytes, size);
    line->size += size;
    return true;
}

/* Prints a transaction, and keeps its line for the next time. */
static void print_line(tree_print *p, size_t index)
{
    ftr_relation_tree *t = p->tree;
    kept_line *line = &p->lines[index];
    const uint64_t id = p->related.txs[index].id;
    if (!line->is_read && p->lines_size < t->input->memory / LINES_SHARE) {
        ftr_printer_init(p->line_printer, -1);
        p->line_printer->take = take_line;
        p->line_printer->user = line;
        line->is_missing = !print_transaction(t, p->line_printer, id, false);
        (void)ftr_printer_flush(p->line_printer);
        line->is_read = !line->is_cut;
        p->lines_size += line->capacity;
    }
    if (line->is_read)
        ftr_print(t->out, line->text, line->size);
    else
        line->is_missing = !print_transaction(t, t->out, id, false);
    if (line->is_missing) {
        ftr_print_char(t->out, '#');
        ftr_print_uint(t->out, id);
        ftr_print_string(t->out, " (not in the file)");
    }
    ftr_print_char(t->out, '\n');
}

static void print_level(tree_print *p, size_t index, unsigned level)
{
    ftr_relation_tree *t = p->tree;
    const ftr_related_tx *tx = &p->related.txs[index];
    if (level >= t->depth)
        return;
    p->path[level] = index;
    for (size_t at = tx->first; at > 0; at = p->related.ends[at - 1].next) {
        /* A relation to a transaction that is already on the current path is not followed;
         * otherwise a cycle would not end. */
        const ftr_relation_end *end = &p->related.ends[at - 1];
        bool on_path = false;
        for (unsigned k = 0; k < level && !on_path; k++)
            on_path = p->path[k] == end->other;
        if (on_path)
            continue;
        indent(t, level + 1);
        ftr_print_string(t->out, end->outgoing ? "-> " : "<- ");
        ftr_print_plain(t->out, end->name->text, end->name->size);
        ftr_print_char(t->out, ' ');
        print_line(p, end->other);
        print_level(p, end->other, level + 1);
    }
    if (tx->count > FTR_RELATIONS_KEPT_MAX) {
        indent(t, level + 1);
        ftr_print_string(t->out, "... and ");
        ftr_print_uint(t->out, tx->count - FTR_RELATIONS_KEPT_MAX);
        ftr_print_string(t->out, " more relations ('ftr cat --json' prints the relations of one "
                                 "transaction in full)\n");
    }
}

void ftr_tree_print_relations(ftr_relation_tree *t, uint64_t id)
{
    tree_print p = {.tree = t};
    ftr_status status =
        ftr_related_find(&p.related, t->input->reader, id, t->depth, t->input->memory);
    p.lines = calloc(p.related.tx_count + 1, sizeof *p.lines);
    p.line_printer = malloc(sizeof *p.line_printer);
    if (status == FTR_OK && (p.lines == NULL || p.line_printer == NULL))
        status = FTR_ERR_MEMORY;
    if (status == FTR_OK)
        print_level(&p, 0, 0);
    else if (status == FTR_ERR_LIMIT)
        ftr_print_error("%s: the relations of #%" PRIu64
                        " up to a distance of %u exceed the memory "
                        "budget; raise --memory, or lower --depth",
                        t->input->path, id, t->depth);
    else
        (void)ftr_input_check_end(t->input, status);
    t->failed |= status != FTR_OK;
    for (size_t i = 0; p.lines != NULL && i < p.related.tx_count; i++)
        free(p.lines[i].text);
    free(p.lines);
    free(p.line_printer);
    ftr_related_release(&p.related);
}
