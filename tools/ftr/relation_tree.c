/* Prints trees of related transactions. Each step finds the transactions at the next distance from
 * the root. The relations of a file are not sorted, so a step with many transactions reads all
 * relations once and keeps those of its transactions. The cost of such a step does not depend on
 * the number of its transactions. */
#include "transaction_text.h"

#include "command.h"
#include "growing_array.h"
#include "id_index.h"
#include "name_table.h"

#include <inttypes.h>

/* ---- related transactions -------------------------------------------------------------------- */

/* A relation, seen from one of its two transactions. */
typedef struct relation_end {
    const ftr_name *name;
    size_t other; /* index of the other transaction */
    size_t next;  /* index of the next relation of the same transaction + 1; 0: none */
    bool outgoing;
} relation_end;

typedef struct related_tx {
    uint64_t id;
    uint64_t count;     /* number of its relations, of which the first ones are kept */
    size_t first, last; /* indices of its relations + 1; 0: none are kept */
} related_tx;

typedef struct related_txs {
    ftr_reader *reader;
    ftr_budget budget;
    related_tx *txs; /* in order of their distance from the root, which has index 0 */
    size_t tx_count, tx_capacity;
    size_t searched; /* number of transactions whose relations are known */
    relation_end *ends;
    size_t end_count, end_capacity;
    ftr_id_index index_of; /* id to index in `txs` */
    ftr_names names;
} related_txs;

/* If a step has at most this number of transactions, there is a pass for each of them, which reads
 * only the relations of this transaction. After the first pass, the reader skips chunks without
 * such relations, so that a small tree in a large file needs few chunks. */
#define SINGLE_MAX 4

static ftr_status add_transaction(related_txs *related, uint64_t id, size_t *index)
{
    const uint64_t known = ftr_id_index_get(&related->index_of, id);
    if (known != FTR_ID_NONE) {
        *index = (size_t)known;
        return FTR_OK;
    }
    ftr_status status = ftr_array_reserve(&related->budget, &related->txs, &related->tx_capacity,
                                          related->tx_count + 1, sizeof *related->txs);
    if (status == FTR_OK)
        status = ftr_id_index_put(&related->index_of, &related->budget, id, related->tx_count);
    if (status != FTR_OK)
        return status;
    *index = related->tx_count++;
    related->txs[*index] = (related_tx){.id = id};
    return FTR_OK;
}

static ftr_status keep_relation(related_txs *related, size_t index,
                                const ftr_relation_info *relation, bool outgoing)
{
    const bool is_named = relation->name.data != NULL;
    size_t other;
    ftr_status status =
        add_transaction(related, outgoing ? relation->to_tx : relation->from_tx, &other);
    if (status == FTR_OK)
        status = ftr_array_reserve(&related->budget, &related->ends, &related->end_capacity,
                                   related->end_count + 1, sizeof *related->ends);
    if (status != FTR_OK)
        return status;
    const ftr_name *name = ftr_names_intern(&related->names, is_named ? relation->name.data : "?",
                                            is_named ? relation->name.size : 1);
    if (name == NULL)
        return FTR_ERR_MEMORY;
    related->ends[related->end_count++] =
        (relation_end){.name = name, .other = other, .outgoing = outgoing};
    related_tx *tx = &related->txs[index];
    if (tx->last > 0)
        related->ends[tx->last - 1].next = related->end_count;
    else
        tx->first = related->end_count;
    tx->last = related->end_count;
    return FTR_OK;
}

/* Adds the relation to the transaction @p id if the relations of this transaction are sought. They
 * are sought if the index of the transaction is in [from, to). */
static ftr_status add_end(related_txs *related, uint64_t id, size_t from, size_t to,
                          const ftr_relation_info *relation, bool outgoing)
{
    const uint64_t index = ftr_id_index_get(&related->index_of, id);
    if (index == FTR_ID_NONE || index < from || index >= to)
        return FTR_OK;
    return related->txs[index].count++ < FTR_RELATIONS_KEPT_MAX
               ? keep_relation(related, (size_t)index, relation, outgoing)
               : FTR_OK;
}

/* Reads the relations of one transaction if [from, to) contains only one, otherwise all relations.
 * Keeps the relations of the transactions in [from, to). */
static ftr_status read_relations(related_txs *related, size_t from, size_t to)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status =
        ftr_relation_cursor_open(related->reader, to - from == 1, related->txs[from].id, &cursor);
    if (status != FTR_OK)
        return status;
    while (status == FTR_OK && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        status = add_end(related, relation.from_tx, from, to, &relation, true);
        if (status == FTR_OK && relation.to_tx != relation.from_tx)
            status = add_end(related, relation.to_tx, from, to, &relation, false);
    }
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

static ftr_status search_step(related_txs *related)
{
    const size_t to = related->tx_count;
    const size_t step = to - related->searched > SINGLE_MAX ? to - related->searched : 1;
    ftr_status status = FTR_OK;
    for (; status == FTR_OK && related->searched < to; related->searched += step)
        status = read_relations(related, related->searched, related->searched + step);
    return status;
}

/* Finds the transactions up to the distance @p depth, which is a number of relations. Of each
 * transaction, the first FTR_RELATIONS_KEPT_MAX relations are kept and followed; the others are
 * counted.
 * @param memory bytes for the result
 * @return FTR_OK; FTR_ERR_LIMIT if @p memory does not suffice; or an error of the reader */
static ftr_status find_related(related_txs *related, ftr_reader *reader, uint64_t id,
                               unsigned depth, size_t memory)
{
    size_t index;
    *related = (related_txs){.reader = reader, .budget.limit = memory};
    ftr_status status = add_transaction(related, id, &index);
    for (unsigned step = 0; step < depth && status == FTR_OK; step++)
        status = search_step(related);
    return status;
}

static void release_related(related_txs *related)
{
    ftr_array_release(&related->budget, related->txs, related->tx_capacity, sizeof *related->txs);
    ftr_array_release(&related->budget, related->ends, related->end_capacity,
                      sizeof *related->ends);
    ftr_id_index_release(&related->index_of, &related->budget);
    ftr_names_release(&related->names);
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* The kept lines may use 1 / LINES_SHARE of the memory. */
#define LINES_SHARE 8

/* The line of a transaction. A transaction can be printed several times, once for each of its
 * relations, but is read only once. */
typedef struct kept_line {
    ftr_text_buffer text;
    bool is_read; /* false: the line was not read yet, or could not be kept: it is read when it is
                     needed */
    bool is_missing; /* the file does not contain the transaction */
} kept_line;

/* A tree that is being printed. */
typedef struct tree_print {
    ftr_relation_tree *tree;
    related_txs related;
    kept_line *lines; /* index: index of the transaction in `related.txs` */
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
            ftr_put_transaction_json(out, t->input->reader, &tx, FTR_NO_PARENT, t->links);
        else if (status == FTR_OK)
            ftr_put_transaction_plain(
                out, t->input->reader, &tx, FTR_NO_PARENT,
                (ftr_value_style){.time_scale = t->time_scale, .links = t->links});
        ftr_cursor_close(cursor);
    }
    t->failed |= !ftr_input_check_end(t->input, status);
    return status == FTR_OK;
}

bool ftr_tree_print_transaction(ftr_relation_tree *t, uint64_t id, bool json)
{
    return print_transaction(t, t->out, id, json);
}

/* Prints the line of a transaction, and keeps the line for the next time. */
static void print_line(tree_print *p, size_t index)
{
    ftr_relation_tree *t = p->tree;
    kept_line *line = &p->lines[index];
    const uint64_t id = p->related.txs[index].id;
    if (!line->is_read && p->lines_size < t->input->memory / LINES_SHARE) {
        ftr_text_buffer_connect(&line->text, p->line_printer);
        line->is_missing = !print_transaction(t, p->line_printer, id, false);
        line->is_read = ftr_printer_flush(p->line_printer);
        if (!line->is_read)
            ftr_text_buffer_release(&line->text);
        p->lines_size += line->text.capacity;
    }
    if (line->is_read)
        ftr_print(t->out, line->text.bytes, line->text.size);
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
    const related_tx *tx = &p->related.txs[index];
    if (level >= t->depth)
        return;
    p->path[level] = index;
    for (size_t at = tx->first; at > 0; at = p->related.ends[at - 1].next) {
        /* A relation to a transaction that is already on the current path is not followed;
         * otherwise a cycle would not end. */
        const relation_end *end = &p->related.ends[at - 1];
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
    ftr_status status = find_related(&p.related, t->input->reader, id, t->depth, t->input->memory);
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
        ftr_text_buffer_release(&p.lines[i].text);
    free(p.lines);
    free(p.line_printer);
    release_related(&p.related);
}
