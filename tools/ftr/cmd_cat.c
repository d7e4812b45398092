/* ftr cat: prints the transaction with a given id, with its attributes and related transactions. */
#include "attribute_types.h"
#include "command.h"
#include "transaction_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct cat {
    ftr_input input;
    ftr_relation_tree tree;
    ftr_link_names links;
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
            ftr_put_value_plain(&c->out, &attribute,
                                (ftr_value_style){.time_scale = c->tree.time_scale});
            ftr_print_char(&c->out, '\n');
        }
    ftr_cursor_close(cursor);
}

/* Prints all relations of the transaction as JSON objects, however many there are. */
static void put_json_relations(cat *c, ftr_json *json, uint64_t id)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(c->input.reader, true, id, &cursor);
    const bool is_open = status == FTR_OK;
    while (status == FTR_OK && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        const bool outgoing = relation.from_tx == id;
        const bool is_named = relation.name.data != NULL;
        ftr_json_open(json, NULL, '{');
        ftr_json_text(json, "name", is_named ? relation.name.data : "?",
                      is_named ? relation.name.size : 1);
        ftr_json_count(json, outgoing ? "to" : "from",
                       outgoing ? relation.to_tx : relation.from_tx);
        ftr_json_close(json, '}');
    }
    if (is_open)
        ftr_relation_cursor_close(cursor);
    c->tree.failed |= !ftr_input_check_end(&c->input, status);
}

/* {"record": "transaction", ..., "relations": [...]} */
static bool print_json(cat *c, uint64_t id)
{
    if (!ftr_tree_print_transaction(&c->tree, id, true))
        return false;
    c->out.filled--; /* remove the closing brace, because more members follow */
    ftr_json json = {&c->out, true};
    ftr_json_open(&json, "relations", '[');
    put_json_relations(c, &json, id);
    ftr_json_close(&json, ']');
    ftr_json_end_line(&json);
    return true;
}

static int show(const cat_options *options, const char *path, uint64_t id)
{
    static cat c; /* static because its output buffer is large */
    ftr_printer_init(&c.out, STDOUT_FILENO);
    if (!ftr_input_open(&c.input, path, &options->input))
        return FTR_EXIT_TROUBLE;
    c.tree.input = &c.input;
    c.tree.out = &c.out;
    ftr_file_info info;
    ftr_reader_get_info(c.input.reader, &info);
    c.tree.time_scale = info.time_scale;
    c.tree.depth = (unsigned)options->depth;
    c.tree.links = &c.links;
    if (ftr_run_links_read(c.input.reader, &c.links) != FTR_OK)
        c.tree.failed = !ftr_input_check_end(&c.input, FTR_ERR_MEMORY);
    bool found;
    if (options->json) {
        found = print_json(&c, id);
    } else {
        found = ftr_tree_print_transaction(&c.tree, id, false);
        if (found) {
            ftr_print_char(&c.out, '\n');
            print_attributes(&c, id);
            ftr_tree_print_relations(&c.tree, id);
        }
    }
    if (!found && !c.tree.failed)
        ftr_print_error("%s: no transaction has id %" PRIu64, path, id);
    const bool written = ftr_stdout_finish(&c.out);
    const bool errors = c.input.errors > 0;
    ftr_link_names_release(&c.links);
    ftr_input_close(&c.input);
    if (c.tree.failed || !written)
        return FTR_EXIT_TROUBLE;
    return found && !errors ? FTR_EXIT_OK : FTR_EXIT_FOUND;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    cat_options *options = taken;
    if (option == OPTION_DEPTH) {
        char *end;
        options->depth = strtoul(argument, &end, 10);
        return end != argument && *end == '\0' && options->depth <= FTR_TREE_DEPTH_MAX;
    }
    if (option != OPTION_JSON)
        return ftr_input_parse_option(&options->input, option, argument);
    options->json = true;
    return true;
}

static const ftr_option_set OPTIONS = {&ftr_command_cat, ":h", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    cat_options options = {.input = {.spool = true}, .depth = 3};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    char *end;
    if (optind != argc - 2)
        return ftr_misuse(&ftr_command_cat, "a file and the id of a transaction are expected");
    errno = 0;
    const char *text = argv[optind + 1] + (argv[optind + 1][0] == '#');
    const uint64_t id = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || *text == '-' || errno != 0)
        return ftr_misuse(&ftr_command_cat, "'%s' is not a transaction id", argv[optind + 1]);
    return show(&options, argv[optind], id);
}

const ftr_command ftr_command_cat = {
    "cat",
    "prints one transaction, its attributes and its relations as a tree",
    run,
    "[OPTION]... FILE ID",
    "  --depth N               follow relations N steps (default 3, at most 32; 0: none)\n"
    "  --json                  print a JSON object, with the direct relations of the "
    "transaction\n" FTR_INPUT_OPTIONS_TEXT
    "Exit status: 0 found, 1 the transaction is missing or the file is damaged, 2 error.\n",
};
