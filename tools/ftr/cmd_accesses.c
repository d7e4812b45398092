/* ftr accesses: folds a recording of TLM-2.0 calls into a recording of accesses. */
#include "call_folding.h"
#include "call_roles.h"
#include "command.h"
#include "growing_array.h"
#include "plain_message.h"
#include "text_view.h"
#include "trace_copy.h"

#include <ftr/detail/size_text.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of transactions that are listed without --list. */
#define LISTED_MAX 10

typedef struct accesses_options {
    ftr_input_options input;
    ftr_writing_options writing;
    bool list;
    /* maximum number of bytes of data that the recorder stored: FTR_PAYLOAD */
    uint64_t payload;
} accesses_options;

enum { OPTION_LIST = FTR_OPTION_FIRST_FREE, OPTION_PAYLOAD };

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_THREADS_LONG_OPTION,
    FTR_TRACE_LONG_OPTIONS,
    {"list", no_argument, NULL, OPTION_LIST},
    {"payload", required_argument, NULL, OPTION_PAYLOAD},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct written_generator {
    char *name;
    ftr_access_place place;
    ftr_generator handle;
} written_generator;

/* The streams and generators of a link in the output; 0: not defined yet. */
typedef struct written_link {
    ftr_stream streams[FTR_ACCESS_PLACES];
    written_generator *generators;
    size_t count, capacity;
} written_link;

/* One attempt to write the output. */
typedef struct folding {
    const accesses_options *options;
    ftr_copy_source source;
    ftr_copy_output *output;
    ftr_id_file *ids;
    written_link *links;
    size_t link_capacity;
    bool *is_link_stream; /* index: handle of a stream of the output */
    size_t link_stream_count;
    ftr_fold_counts counts;
    uint64_t copied; /* transactions of other streams */
    uint64_t skipped;
    bool is_repeated; /* the transactions that are not folded were already listed */
    ftr_status status;
    ftr_tx written; /* the access that is being written */
} folding;

/* ---- definitions ----------------------------------------------------------------------------- */

static bool define_stream(folding *f, const ftr_access *access, ftr_stream *handle)
{
    static const struct {
        const char *suffix, *kind;
    } PLACES[FTR_ACCESS_PLACES] = {
        [FTR_PLACE_LINK] = {"", FTR_ACCESS_KIND},
        [FTR_PLACE_DMI] = {".dmi", FTR_DMI_KIND},
        [FTR_PLACE_DEBUG] = {".debug", FTR_DEBUG_KIND},
        [FTR_PLACE_PHASES] = {".phases", FTR_PHASES_KIND},
    };
    char *name = NULL;
    if (*handle != 0)
        return true;
    if (asprintf(&name, "%.*s%s", (int)access->link_name.size, access->link_name.data,
                 PLACES[access->place].suffix) < 0)
        return false;
    f->status = ftr_stream_define(f->output->recorder, name, PLACES[access->place].kind, handle);
    free(name);
    if (f->status != FTR_OK || !ftr_array_reach(&f->is_link_stream, &f->link_stream_count, *handle,
                                                sizeof *f->is_link_stream))
        return false;
    f->is_link_stream[*handle] = access->place == FTR_PLACE_LINK;
    return true;
}

static ftr_generator find_generator(const written_link *link, const ftr_access *access)
{
    for (size_t i = 0; i < link->count; i++)
        if (link->generators[i].place == access->place &&
            ftr_view_is(access->generator, link->generators[i].name))
            return link->generators[i].handle;
    return 0;
}

/* Returns the generator of an access; 0 after an error. */
static ftr_generator generator_of(folding *f, const ftr_access *access)
{
    if (!ftr_array_reach(&f->links, &f->link_capacity, access->link, sizeof *f->links))
        return 0;
    written_link *link = &f->links[access->link];
    const ftr_generator known = find_generator(link, access);
    ftr_stream *stream = &link->streams[access->place];
    if (known != 0)
        return known;
    if (!ftr_array_grow(&link->generators, &link->capacity, link->count,
                        sizeof *link->generators) ||
        !define_stream(f, access, stream))
        return 0;
    written_generator *added = &link->generators[link->count];
    *added = (written_generator){
        .name = ftr_text_duplicate(access->generator.data, access->generator.size),
        .place = access->place};
    if (added->name == NULL)
        return 0;
    link->count++;
    f->status =
        ftr_generator_define(f->output->recorder, *stream, added->name, NULL, 0, &added->handle);
    return f->status == FTR_OK ? added->handle : 0;
}

static void release_links(folding *f)
{
    for (size_t i = 0; i < f->link_capacity; i++) {
        for (size_t k = 0; k < f->links[i].count; k++)
            free(f->links[i].generators[k].name);
        free(f->links[i].generators);
    }
    free(f->links);
    free(f->is_link_stream);
}

/* ---- the results of folding ------------------------------------------------------------------ */

static bool put_attribute(void *user, const ftr_attribute_value *attribute)
{
    folding *f = user;
    ftr_attribute_value value = *attribute;
    f->status = ftr_copy_put_attribute(f->output, &f->source, &value, f->written);
    return f->status == FTR_OK;
}

static bool put_access(void *user, const ftr_access *access, ftr_tx *tx)
{
    folding *f = user;
    f->status = FTR_ERR_MEMORY;
    const ftr_generator generator = generator_of(f, access);
    if (generator != 0)
        f->status = ftr_tx_begin(f->output->recorder, generator, access->begin, &f->written);
    if (f->status == FTR_OK &&
        ftr_access_each_attribute(access, f->options->payload, put_attribute, f))
        f->status = ftr_tx_end(f->output->recorder, f->written, access->end);
    *tx = f->written;
    f->output->transactions++;
    if (f->status != FTR_OK)
        ftr_print_error("%s: the access of transaction %" PRIu64 " cannot be written: %s",
                        f->output->path, access->request->id, ftr_status_text(f->status));
    return f->status == FTR_OK;
}

static bool skip_call(void *user, const ftr_call *call, ftr_fold_reason reason)
{
    folding *f = user;
    f->skipped++;
    if (f->is_repeated || (!f->options->list && f->skipped > LISTED_MAX))
        return true;
    ftr_print_error("%s: #%" PRIu64 " %.*s %.*s is not folded: %s", f->source.input->path, call->id,
                    (int)call->stream->name.size, call->stream->name.data,
                    (int)call->generator->name.size, call->generator->name.data,
                    ftr_fold_reason_texts[reason]);
    return true;
}

static bool fold_calls(folding *f)
{
    const ftr_fold_sink sink = {.user = f, .put = put_access, .skip = skip_call};
    const ftr_status status = ftr_calls_fold(f->source.input->reader, &sink, f->ids, &f->counts);
    if (status == FTR_OK || status == FTR_ERR_STATE)
        return status == FTR_OK;
    if (status == FTR_ERR_IO)
        ftr_print_error("temporary file: %s; TMPDIR names another folder", strerror(errno));
    else
        (void)ftr_input_check_end(f->source.input, status);
    return false;
}

/* ---- other streams, and relations ------------------------------------------------------------ */

static bool is_other(const ftr_stream_info *stream)
{
    return ftr_call_role_of(stream, NULL) == FTR_ROLE_NO_CALLS;
}

static bool choose_other(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return is_other(stream);
}

static bool copy_others(folding *f)
{
    const ftr_query query = {.size = sizeof query, .choose_stream = choose_other};
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_status status = ftr_cursor_open(f->source.input->reader, &query, &cursor);
    if (status != FTR_OK)
        return ftr_input_check_end(f->source.input, status);
    bool ok = true;
    while (ok && (status = ftr_cursor_next(cursor, &tx)) == FTR_OK) {
        const uint64_t id = tx.id;
        f->copied++;
        ok = ftr_copy_put(f->output, &f->source, &tx);
        if (ok && ftr_id_file_put(f->ids, id,
                                  (ftr_id_value){{f->source.copied.id, f->source.copied.place}}) !=
                      FTR_OK) {
            ftr_print_error("temporary file: %s; TMPDIR names another folder", strerror(errno));
            ok = false;
        }
    }
    ftr_cursor_close(cursor);
    return ok && ftr_input_check_end(f->source.input, status);
}

static bool is_access(const folding *f, ftr_tx tx)
{
    const ftr_stream stream = ftr_tx_stream(tx);
    return stream < f->link_stream_count && f->is_link_stream[stream];
}

/* Writes a relation of the input between the accesses of its transactions. SCC's recorder relates a
 * call to the call of the next hop by PREDECESSOR_SUCCESSOR; the access of that hop is the child.
 */
static ftr_status put_relation(folding *f, const ftr_relation_info *relation)
{
    static const ftr_view PARENT = {"PARENT_CHILD", sizeof "PARENT_CHILD" - 1};
    bool is_absorbed[2];
    const ftr_tx from = ftr_fold_find(f->ids, relation->from_tx, &is_absorbed[0]);
    const ftr_tx to = ftr_fold_find(f->ids, relation->to_tx, &is_absorbed[1]);
    if (is_absorbed[0] || is_absorbed[1] || (from.id == to.id && from.id != 0))
        return FTR_OK;
    if (from.id == 0 || to.id == 0) {
        f->output->relations_dropped++;
        return FTR_OK;
    }
    f->output->relations++;
    if (ftr_view_is(relation->name, "PREDECESSOR_SUCCESSOR") && is_access(f, from))
        return ftr_copy_put_relation(f->output, PARENT, from, to);
    return ftr_copy_put_relation(f->output, relation->name, from, to);
}

static ftr_status visit_relation(void *user, const ftr_relation_info *relation)
{
    folding *f = user;
    f->status = put_relation(f, relation);
    return f->status;
}

static bool put_relations(folding *f)
{
    const ftr_status status = ftr_each_relation(f->source.input->reader, visit_relation, f);
    if (f->status == FTR_OK)
        return ftr_input_check_end(f->source.input, status);
    ftr_print_error("%s: a relation cannot be written: %s", f->output->path,
                    ftr_status_text(f->status));
    return false;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool write_once(folding *f, ftr_output_file *file, ftr_writing_options *writing,
                       bool *rounded)
{
    f->ids = ftr_id_file_create();
    if (f->ids == NULL)
        return ftr_input_check_end(f->source.input, FTR_ERR_MEMORY);
    bool ok = ftr_copy_open(f->output, file, writing, false);
    if (ok) {
        ok = ftr_copy_define_all(f->output, &f->source) && fold_calls(f) && copy_others(f) &&
             put_relations(f);
        ok = ftr_copy_close(f->output, rounded) && ok;
    }
    release_links(f);
    ftr_copy_source_release(&f->source);
    ftr_id_file_destroy(f->ids);
    return ok;
}

static void print_counts(const folding *f, const ftr_output_file *file, const char *output)
{
    const ftr_fold_counts *counts = &f->counts;
    ftr_print_message(ftr_output_messages(output), "",
                      "%s: %" PRIu64 " accesses (%" PRIu64 " unfinished), %" PRIu64
                      " DMI calls, %" PRIu64 " debug calls, %" PRIu64 " phases from %" PRIu64
                      " transactions of calls, %" PRIu64 " of them not folded; %" PRIu64
                      " other transactions, %" PRIu64 " relations; %" PRIu64 " relations discarded",
                      file->path, counts->put[FTR_PLACE_LINK], counts->unfinished,
                      counts->put[FTR_PLACE_DMI], counts->put[FTR_PLACE_DEBUG],
                      counts->put[FTR_PLACE_PHASES], counts->calls, f->skipped, f->copied,
                      f->output->relations, f->output->relations_dropped);
}

static void print_skipped(const folding *f)
{
    if (f->options->list || f->skipped <= LISTED_MAX)
        return;
    ftr_print_error("%s: %" PRIu64 " further transactions are not folded; --list lists them",
                    f->source.input->path, f->skipped - LISTED_MAX);
    for (unsigned reason = 0; reason < FTR_FOLD_REASON_COUNT; reason++)
        if (f->counts.skipped[reason] > 0)
            ftr_print_error("%s: %" PRIu64 " transactions are not folded: %s",
                            f->source.input->path, f->counts.skipped[reason],
                            ftr_fold_reason_texts[reason]);
}

/* @param[out] lost whether something was not folded, or could not be copied completely */
static bool fold_opened(accesses_options *options, ftr_input *input, ftr_output_file *file,
                        bool *lost)
{
    ftr_recorder_options *recorder = &options->writing.recorder;
    ftr_copy_output output = {0};
    const folding start = {.options = options,
                           .source = {.input = input, .factor = 1, .is_defined = is_other},
                           .output = &output};
    folding f = start;
    ftr_file_info info;
    bool rounded = false;
    ftr_reader_get_info(input->reader, &info);
    recorder->epoch_seconds = info.epoch_seconds;
    if (!ftr_copy_time_scale(info.time_scale, &recorder->time_scale)) {
        ftr_print_error("%s: a time scale of %d cannot be written", input->path, info.time_scale);
        return ftr_output_finish(file, false);
    }
    bool ok = write_once(&f, file, &options->writing, &rounded);
    if (ftr_writing_again(&options->writing, file, rounded, &ok)) {
        f = start;
        f.is_repeated = true;
        ok = write_once(&f, file, &options->writing, &rounded);
    }
    ok = ftr_output_finish(file, ok);
    if (ok && !options->writing.quiet)
        print_counts(&f, file, options->writing.output);
    if (ok)
        print_skipped(&f);
    *lost = ok && (ftr_copy_warn(&output) || f.skipped > 0);
    return ok;
}

/* Returns whether the trace has calls; prints a message if there is nothing to fold. */
static bool has_calls(const ftr_input *input)
{
    if (ftr_trace_has_calls(input->reader))
        return true;
    if (ftr_trace_has_accesses(input->reader))
        ftr_print_error("%s: is a recording of accesses: there is nothing to fold", input->path);
    else
        ftr_print_error("%s: has no transactions of TLM calls: no stream has a kind such as "
                        "[TLM][base-protocol][b]",
                        input->path);
    return false;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    accesses_options *options = taken;
    switch (option) {
    case OPTION_LIST:
        options->list = true;
        return true;
    case OPTION_PAYLOAD:
        return ftr_size_parse(argument, &options->payload);
    case FTR_OPTION_MEMORY:
    case FTR_OPTION_TYPES:
    case 'j':
        return ftr_input_parse_option(&options->input, option, argument);
    default:
        return ftr_writing_parse_option(&options->writing, option, argument);
    }
}

static const ftr_option_set OPTIONS = {&ftr_command_accesses, ":ho:j:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    accesses_options options = {.input = {.spool = true}, .payload = UINT64_MAX};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind != argc - 1)
        return ftr_misuse(&ftr_command_accesses, "one file is expected");
    const ftr_writing_options *writing = &options.writing;
    const ftr_input_paths inputs = {.paths = argv + optind, .count = 1};
    if (writing->output == NULL)
        return ftr_misuse(&ftr_command_accesses, "the output file is missing: name it with -o");
    ftr_input input;
    ftr_output_file file;
    if (!ftr_input_open(&input, argv[optind], &options.input))
        return FTR_EXIT_TROUBLE;
    bool lost = false;
    const bool ok = has_calls(&input) &&
                    ftr_output_create(&file, writing->output, writing->force, true, &inputs) &&
                    fold_opened(&options, &input, &file, &lost);
    const bool errors = input.errors > 0;
    ftr_input_close(&input);
    if (!ok)
        return FTR_EXIT_TROUBLE;
    return errors || lost ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

const ftr_command ftr_command_accesses = {
    "accesses",
    "folds a recording of TLM calls into one transaction for each access",
    run,
    "-o OUTPUT [OPTION]... FILE",
    FTR_OUTPUT_OPTIONS_TEXT
    "  --list                  list all transactions that are not folded; default: the first 10\n"
    "  --payload BYTES         the value of FTR_PAYLOAD in the recording, if it was less than "
    "8\n" FTR_TRACE_OPTIONS_TEXT FTR_INPUT_OPTIONS_TEXT FTR_THREADS_OPTION_TEXT
    "The input is a recording of ftr with FTR_TLM=calls or of version 0.1, or one of SCC's\n"
    "recorder. The streams N_bl, N_bl_timed, N_nb and N_nb_timed of a link become the stream N;\n"
    "N_dmi becomes N.dmi, N_dbg becomes N.debug. Other streams are copied. Transactions get new\n"
    "ids.\n"
    "Exit status: 0 all transactions of calls are folded; 1 some are not folded and listed on\n"
    "stderr, or the input is damaged; 2 error, or there is nothing to fold.\n",
};
