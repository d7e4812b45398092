/* ftr cat: one transaction by id, with its attributes and what it is related to. */
#include "command.h"
#include "input_file.h"
#include "transaction_text.h"
#include "type_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#define DEPTH_MAX 32
/* Of one transaction; a bus may be the parent of millions. */
#define RELATIONS_MAX 1000

typedef struct cat {
    ftr_input input;
    int time_scale;
    unsigned depth; /* how many relations away from the transaction to go */
    uint64_t path[DEPTH_MAX + 1];
    bool failed;
    ftr_printer out;
} cat;

typedef struct cat_options {
    ftr_input_options input;
    unsigned long depth;
    bool json;
} cat_options;

enum { OPTION_DEPTH = FTR_OPTION_FIRST_FREE, OPTION_JSON };

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    {"depth", required_argument, NULL, OPTION_DEPTH},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* A relation as it is held while others are read. */
typedef struct held_relation {
    char *name;
    uint64_t other;
    bool outgoing;
} held_relation;

static void indent(cat *c, unsigned level)
{
    for (unsigned i = 0; i < level; i++)
        ftr_print_string(&c->out, "    ");
}

/* Prints transaction @p id, json or text. @return false when the file has none such */
static bool print_transaction(cat *c, uint64_t id, bool json)
{
    const ftr_query query = {.size = sizeof query, .by_id = true, .id = id};
    ftr_cursor *cursor;
    ftr_status status = ftr_cursor_open(c->input.reader, &query, &cursor);
    if (status == FTR_OK) {
        ftr_transaction tx;
        status = ftr_cursor_next(cursor, &tx);
        if (status == FTR_OK && json)
            ftr_put_transaction_json(&c->out, c->input.reader, &tx);
        else if (status == FTR_OK)
            ftr_put_transaction_plain(&c->out, c->input.reader, &tx, c->time_scale);
        ftr_cursor_close(cursor);
    }
    c->failed |= !ftr_input_ended_well(&c->input, status);
    return status == FTR_OK;
}

static size_t collect_relations(cat *c, uint64_t id, held_relation *held)
{
    ftr_relation_cursor *cursor;
    ftr_status status = ftr_relation_cursor_open(c->input.reader, true, id, &cursor);
    size_t count = 0;
    ftr_relation_info relation;
    while (status == FTR_OK && count < RELATIONS_MAX &&
           (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        held[count].name = relation.name.data != NULL
                               ? strndup(relation.name.data, relation.name.size)
                               : strdup("?");
        if (held[count].name == NULL)
            break;
        held[count].outgoing = relation.from_tx == id;
        held[count].other = held[count].outgoing ? relation.to_tx : relation.from_tx;
        count++;
    }
    if (status != FTR_ERR_STATE)
        ftr_relation_cursor_close(cursor);
    c->failed |= !ftr_input_ended_well(&c->input, status);
    return count;
}

static void print_relations(cat *c, uint64_t id, unsigned level)
{
    if (level >= c->depth)
        return;
    held_relation *held = calloc(RELATIONS_MAX, sizeof *held);
    if (held == NULL)
        return;
    const size_t count = collect_relations(c, id, held);
    c->path[level] = id;
    for (size_t i = 0; i < count; i++) {
        /* The way back, and round a circle, is not gone again. */
        bool on_path = false;
        for (unsigned k = 0; k < level && !on_path; k++)
            on_path = c->path[k] == held[i].other;
        if (!on_path) {
            indent(c, level + 1);
            ftr_print_string(&c->out, held[i].outgoing ? "-> " : "<- ");
            ftr_print_plain(&c->out, held[i].name, strlen(held[i].name));
            ftr_print_char(&c->out, ' ');
            if (!print_transaction(c, held[i].other, false)) {
                ftr_print_char(&c->out, '#');
                ftr_print_uint(&c->out, held[i].other);
                ftr_print_string(&c->out, " (not in the file)");
            }
            ftr_print_char(&c->out, '\n');
            print_relations(c, held[i].other, level + 1);
        }
        free(held[i].name);
    }
    if (count == RELATIONS_MAX) {
        indent(c, level + 1);
        ftr_print_string(&c->out, "...\n");
    }
    free(held);
}

static void print_attributes(cat *c, uint64_t id)
{
    const ftr_query query = {.size = sizeof query, .by_id = true, .id = id};
    ftr_cursor *cursor;
    if (ftr_cursor_open(c->input.reader, &query, &cursor) != FTR_OK)
        return;
    ftr_transaction tx;
    ftr_attribute_value attribute;
    if (ftr_cursor_next(cursor, &tx) == FTR_OK)
        while (ftr_reader_next_attribute(c->input.reader, &tx, &attribute)) {
            ftr_print_string(&c->out, "    ");
            ftr_print_string(&c->out, ftr_class_name(attribute.class_));
            ftr_print_char(&c->out, ' ');
            ftr_print_string(&c->out, ftr_type_name(attribute.type));
            ftr_print_char(&c->out, ' ');
            if (attribute.name.data != NULL)
                ftr_print_plain(&c->out, attribute.name.data, attribute.name.size);
            ftr_print_string(&c->out, " = ");
            ftr_put_value_plain(&c->out, &attribute, c->time_scale);
            ftr_print_char(&c->out, '\n');
        }
    ftr_cursor_close(cursor);
}

/* {"record": "transaction", ..., "relations": [...]} */
static bool print_json(cat *c, uint64_t id)
{
    held_relation *held = calloc(RELATIONS_MAX, sizeof *held);
    if (held == NULL || !print_transaction(c, id, true)) {
        free(held);
        return false;
    }
    c->out.filled--; /* the closing brace: more follows */
    ftr_print_string(&c->out, ", \"relations\": [");
    const size_t count = collect_relations(c, id, held);
    for (size_t i = 0; i < count; i++) {
        ftr_print_string(&c->out, i > 0 ? ", {\"name\": " : "{\"name\": ");
        ftr_print_json(&c->out, held[i].name, strlen(held[i].name));
        ftr_print_string(&c->out, held[i].outgoing ? ", \"to\": " : ", \"from\": ");
        ftr_print_uint(&c->out, held[i].other);
        ftr_print_char(&c->out, '}');
        free(held[i].name);
    }
    ftr_print_string(&c->out, "]}\n");
    free(held);
    return true;
}

static int show(const cat_options *options, const char *path, uint64_t id)
{
    static cat c; /* with the buffer of its output */
    ftr_printer_init(&c.out, STDOUT_FILENO);
    if (!ftr_input_open(&c.input, path, &options->input))
        return FTR_EXIT_TROUBLE;
    ftr_summary summary;
    ftr_reader_get_summary(c.input.reader, &summary);
    c.time_scale = summary.time_scale;
    c.depth = (unsigned)options->depth;
    bool found;
    if (options->json) {
        found = print_json(&c, id);
    } else {
        found = print_transaction(&c, id, false);
        if (found) {
            ftr_print_char(&c.out, '\n');
            print_attributes(&c, id);
            print_relations(&c, id, 0);
        }
    }
    if (!found && !c.failed)
        ftr_complain("%s: no transaction has id %" PRIu64, path, id);
    const bool written = ftr_printer_flush(&c.out);
    if (!written)
        ftr_complain("stdout could not be written");
    const bool errors = c.input.errors > 0;
    ftr_input_close(&c.input);
    if (c.failed || !written)
        return FTR_EXIT_TROUBLE;
    return found && !errors ? FTR_EXIT_OK : FTR_EXIT_FOUND;
}

static bool take_option(void *taken, int option, const char *argument)
{
    cat_options *options = taken;
    if (option == OPTION_DEPTH) {
        char *end;
        options->depth = strtoul(argument, &end, 10);
        return end != argument && *end == '\0' && options->depth <= DEPTH_MAX;
    }
    if (option != OPTION_JSON)
        return ftr_input_take_option(&options->input, option, argument);
    options->json = true;
    return true;
}

static const ftr_option_set OPTIONS = {&ftr_command_cat, ":h", LONG_OPTIONS, take_option};

static int run(int argc, char **argv)
{
    cat_options options = {.input = {.spool = true}, .depth = 3};
    int status;
    if (!ftr_take_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    char *end;
    if (optind != argc - 2)
        return ftr_misuse(&ftr_command_cat, "a file and the id of a transaction are expected");
    errno = 0;
    const char *text = argv[optind + 1] + (argv[optind + 1][0] == '#');
    const uint64_t id = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || *text == '-' || errno != 0)
        return ftr_misuse(&ftr_command_cat, "'%s' is no id", argv[optind + 1]);
    return show(&options, argv[optind], id);
}

const ftr_command ftr_command_cat = {
    "cat",
    "shows one transaction, its attributes and its relations as a tree",
    run,
    "[OPTION]... FILE ID",
    "  --depth N               follow relations N steps (default 3, at most 32; 0: none)\n"
    "  --json                  as a JSON object, with the relations of the transaction "
    "itself\n" FTR_INPUT_OPTIONS_TEXT
    "Exit status: 0 found, 1 the file has no such transaction or is damaged, 2 trouble.\n",
};
