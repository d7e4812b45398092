/* Prints the matrix of initiators and targets. The names at the ends of a link are attributes of
 * `ftr.run`. */
#include "stats_matrix.h"

#include "access_matrix.h"
#include "command.h"
#include "run_links.h"
#include "stream_name_rules.h"
#include "text_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct matrix {
    ftr_access_matrix accesses;
    ftr_reader *reader;
    ftr_link_names links;
} matrix;

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct matrix_row {
    const char *file;
    ftr_view initiator, target;
    ftr_matrix_cell cell;
    ftr_wide all; /* ticks of all rows */
    int time_scale;
} matrix_row;

static uint64_t mean_of(const ftr_matrix_cell *cell)
{
    return cell->count > 0 ? (uint64_t)((cell->ticks + cell->count / 2) / cell->count) : 0;
}

static void describe(ftr_rows *rows, const void *row)
{
    const matrix_row *of = row;
    const ftr_matrix_cell *cell = &of->cell;
    const unsigned programs = FTR_IN_CSV | FTR_IN_JSON;
    const uint64_t ticks = cell->ticks > UINT64_MAX ? UINT64_MAX : (uint64_t)cell->ticks;
    ftr_row_string(rows, FTR_IN_CSV, "file", of->file);
    ftr_row_text(rows, programs, "initiator", of->initiator.data, of->initiator.size);
    ftr_row_text(rows, programs, "target", of->target.data, of->target.size);
    ftr_row_int(rows, FTR_IN_CSV, "time_scale", of->time_scale);
    ftr_row_count(rows, FTR_IN_ALL, "count", cell->count);
    ftr_row_count(rows, FTR_IN_ALL, "bytes", cell->bytes);
    ftr_row_time(rows, FTR_IN_ALL, "time", ticks, of->time_scale);
    ftr_row_share(rows, FTR_IN_TEXT, "part", cell->ticks, of->all);
    ftr_row_time(rows, FTR_IN_ALL, "mean", mean_of(cell), of->time_scale);
    ftr_row_time(rows, FTR_IN_ALL, "max", cell->longest, of->time_scale);
    ftr_row_text(rows, FTR_IN_TEXT, "initiator", of->initiator.data, of->initiator.size);
    ftr_row_text(rows, FTR_IN_TEXT, "target", of->target.data, of->target.size);
}

/* Returns the name of an end of a link; the name of the link if the end is not known. */
static ftr_view end_name(const matrix *m, uint32_t link, bool is_target)
{
    const ftr_view stream = ftr_reader_get_stream(m->reader, link)->name;
    const ftr_link *known = ftr_link_of_stream(&m->links, stream);
    const char *end = known == NULL ? NULL : is_target ? known->target : known->initiator;
    return end != NULL ? ftr_link_end_name((ftr_view){end, strlen(end)}) : stream;
}

static int compare_views(ftr_view a, ftr_view b)
{
    const size_t size = a.size < b.size ? a.size : b.size;
    const int order = size > 0 ? memcmp(a.data, b.data, size) : 0;
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_rows(const void *x, const void *y)
{
    const matrix_row *a = x;
    const matrix_row *b = y;
    const int order = compare_views(a->initiator, b->initiator);
    return order != 0 ? order : compare_views(a->target, b->target);
}

/* Adds up rows with the same names: several links can have the same initiator or target, and a
 * module can have several sockets without a name of their own.
 * @return number of rows that are left */
static size_t join_rows(matrix_row *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || compare_rows(&rows[kept - 1], &rows[i]) != 0) {
            rows[kept++] = rows[i];
            continue;
        }
        ftr_matrix_cell *to = &rows[kept - 1].cell;
        const ftr_matrix_cell *from = &rows[i].cell;
        to->count += from->count;
        to->bytes += from->bytes;
        to->ticks += from->ticks;
        to->longest = from->longest > to->longest ? from->longest : to->longest;
    }
    return kept;
}

static bool print_rows(ftr_printer *out, ftr_row_format format, matrix_row *of, size_t count)
{
    ftr_rows rows;
    ftr_rows_begin(&rows, format, out);
    if (format == FTR_ROWS_TEXT)
        ftr_rows_put_titles(&rows, describe, &(matrix_row){.file = ""});
    for (size_t i = 0; i < count; i++)
        ftr_rows_put(&rows, describe, &of[i]);
    return ftr_rows_end(&rows);
}

static bool print(ftr_printer *out, const ftr_input *input, const ftr_matrix_output *output,
                  const matrix *m)
{
    ftr_file_info info;
    ftr_wide all = 0;
    matrix_row *rows = calloc(m->accesses.cell_count + 1, sizeof *rows);
    if (rows == NULL)
        return false;
    ftr_reader_get_info(input->reader, &info);
    for (size_t i = 0; i < m->accesses.cell_count; i++)
        all += m->accesses.cells[i].ticks;
    for (size_t i = 0; i < m->accesses.cell_count; i++) {
        const ftr_matrix_cell *cell = &m->accesses.cells[i];
        rows[i] = (matrix_row){.file = input->path,
                               .initiator = end_name(m, cell->first, false),
                               .target = end_name(m, cell->last, true),
                               .cell = *cell,
                               .all = all,
                               .time_scale = info.time_scale};
    }
    if (m->accesses.cell_count > 1)
        qsort(rows, m->accesses.cell_count, sizeof *rows, compare_rows);
    const size_t count = join_rows(rows, m->accesses.cell_count);
    bool ok;
    if (output->format == FTR_ROWS_JSON) {
        ftr_json json = {.out = out};
        ftr_json_open(&json, NULL, '{');
        ftr_json_string(&json, "file", input->path);
        ftr_json_int(&json, "time_scale", info.time_scale);
        ftr_json_count(&json, "unfinished", m->accesses.unfinished);
        ftr_json_open(&json, "matrix", '[');
        ok = print_rows(out, FTR_ROWS_JSON, rows, count);
        ftr_json_close(&json, ']');
        ftr_json_end_line(&json);
    } else {
        if (output->has_title && output->format == FTR_ROWS_TEXT) {
            ftr_print_plain(out, input->path, strlen(input->path));
            ftr_print_char(out, '\n');
        }
        ok = print_rows(out, output->format, rows, count);
    }
    free(rows);
    return ok;
}

/* ---- one file -------------------------------------------------------------------------------- */

static void report_missing(const ftr_input *input, uint64_t count, const char *cause)
{
    if (count > 0)
        ftr_print_error("%s: %" PRIu64 " %s %s and not in the matrix", input->path, count,
                        count == 1 ? "access is" : "accesses are", cause);
}

/* Reports accesses that are not in the matrix. @return an exit status */
static int report(const ftr_input *input, const ftr_access_matrix *accesses)
{
    report_missing(input, accesses->unfinished, "unfinished");
    report_missing(input, accesses->loops, "related in a loop");
    if (accesses->accesses == 0)
        ftr_print_error("%s: no TLM accesses: no transaction was read from a stream of kind '%s'",
                        input->path, FTR_ACCESS_KIND);
    return accesses->accesses == 0 || accesses->loops > 0 || input->errors > 0 ? FTR_EXIT_FOUND
                                                                               : FTR_EXIT_OK;
}

static bool read_matrix(matrix *m, const ftr_input *input, const ftr_query *query)
{
    m->accesses.budget.limit = input->memory;
    ftr_status status = ftr_access_matrix_read(&m->accesses, input->reader, query);
    if (status == FTR_ERR_LIMIT) {
        ftr_print_error(
            "%s: the accesses do not fit into %zu MiB of memory: use a larger --memory, "
            "or choose a part with --from and --to",
            input->path, input->memory >> 20);
        return false;
    }
    if (status == FTR_OK)
        status = ftr_run_links_read(m->reader, &m->links);
    return ftr_input_check_end(input, status);
}

void ftr_matrix_print_csv_titles(ftr_printer *out)
{
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_CSV, out);
    ftr_rows_put_titles(&rows, describe, &(matrix_row){.file = ""});
}

int ftr_matrix_print(ftr_printer *out, const char *path, const ftr_matrix_output *output)
{
    ftr_input input;
    ftr_query query;
    int status = FTR_EXIT_TROUBLE;
    if (!ftr_input_open(&input, path, output->input))
        return FTR_EXIT_TROUBLE;
    matrix m = {.reader = input.reader};
    if (ftr_choice_query(output->choice, &input, &query) && read_matrix(&m, &input, &query)) {
        if (print(out, &input, output, &m))
            status = report(&input, &m.accesses);
        else
            ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
    }
    ftr_access_matrix_release(&m.accesses);
    ftr_link_names_release(&m.links);
    ftr_input_close(&input);
    return status;
}
