/* The meaning of sections and keys. */
#include "trace_config.h"

#include "name_glob.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_LIMIT 32
#define STRING_LIMIT_DEFAULT 64
#define STRING_LIMIT_MAX 4096

typedef struct reading {
    ftr_ini_files *files;
    ftr_link_arena *arena;
    ftr_link_report *report;
    ftr_trace_config *config;
    bool warn_unknown;
} reading;

static const ftr_ini_section *section_named(reading *r, const ftr_ini_value *from, const char *name)
{
    const ftr_ini_section *section = ftr_ini_files_find(r->files, name);
    if (section == NULL)
        ftr_report_error(r->report, ftr_ini_value_where(r->arena, from),
                         "no file has a section [%s]", name);
    return section;
}

/* Gets the value of a key that must not be repeated. If the section does not have the key, *value
 * is unchanged. @return false after an error message */
static bool single(reading *r, const ftr_ini_section *section, const char *key, const char **value)
{
    const ftr_ini_value *found = NULL;
    for (size_t i = 0; i < section->count; i++) {
        if (strcmp(section->values[i].key, key) != 0)
            continue;
        if (found != NULL) {
            ftr_report_error(r->report, ftr_ini_value_where(r->arena, &section->values[i]),
                             "duplicate: line %u already sets its value", found->line);
            return false;
        }
        found = &section->values[i];
    }
    if (found == NULL)
        return true;
    *value = ftr_ini_value_single(r->files, found);
    return *value != NULL;
}

static const char *where_of_key(reading *r, const ftr_ini_section *section, const char *key)
{
    for (size_t i = 0; i < section->count; i++)
        if (strcmp(section->values[i].key, key) == 0)
            return ftr_ini_value_where(r->arena, &section->values[i]);
    return ftr_ini_section_where(r->arena, section);
}

typedef bool piece_reader(reading *r, const ftr_ini_value *value, const char *piece, void *user);

/* Calls @p take for each piece of each value of the key @p key, until @p take returns false. */
static bool each_piece(reading *r, const ftr_ini_section *section, const char *key,
                       piece_reader *take, void *user)
{
    for (size_t i = 0; i < section->count; i++) {
        const ftr_ini_value *value = &section->values[i];
        ftr_name_list pieces = {0};
        if (strcmp(value->key, key) != 0)
            continue;
        if (!ftr_ini_value_split(r->files, value, &pieces))
            return false;
        for (size_t n = 0; n < pieces.count; n++)
            if (!take(r, value, pieces.names[n], user))
                return false;
    }
    return true;
}

/* How to read a list. The key @p singular contains items; the key @p plural contains names of
 * sections with further items. `take` is called for each item, `enter` (if not NULL) for each
 * section. */
typedef struct list_walk {
    const char *singular;
    const char *plural;
    piece_reader *take;
    void *list; /* argument of `take` */
    bool (*enter)(reading *r, const ftr_ini_section *section, void *user);
    void *user; /* argument of `enter` */
} list_walk;

/* A section that a walk has entered. */
typedef struct walk_step {
    const list_walk *walk;
    int depth;
} walk_step;

static bool walk_section(reading *r, const ftr_ini_section *section, const list_walk *walk,
                         int depth);

static bool walk_named(reading *r, const ftr_ini_value *value, const char *piece, void *user)
{
    const walk_step *step = user;
    if (step->depth == DEPTH_LIMIT) {
        ftr_report_error(r->report, ftr_ini_value_where(r->arena, value),
                         "too deep: a chain of more than %d sections", DEPTH_LIMIT);
        return false;
    }
    const ftr_ini_section *next = section_named(r, value, piece);
    return next != NULL && walk_section(r, next, step->walk, step->depth + 1);
}

static bool walk_section(reading *r, const ftr_ini_section *section, const list_walk *walk,
                         int depth)
{
    walk_step step = {walk, depth};
    return (walk->enter == NULL || walk->enter(r, section, walk->user)) &&
           each_piece(r, section, walk->singular, walk->take, walk->list) &&
           each_piece(r, section, walk->plural, walk_named, &step);
}

static bool parse_text(reading *r, const ftr_ini_value *value, const char *piece, void *user)
{
    ftr_name_list *list = user;
    (void)value;
    if (!list->count || strcmp(list->names[list->count - 1], piece) != 0)
        ftr_name_list_add(r->arena, list, piece);
    return true;
}

static bool texts(reading *r, const ftr_ini_section *section, const char *singular,
                  const char *plural, ftr_name_list *list)
{
    list_walk walk = {.singular = singular, .plural = plural, .take = parse_text, .list = list};
    return walk_section(r, section, &walk, 0);
}

static bool is_function_name(const char *name, bool glob)
{
    if (!*name || isdigit((unsigned char)*name))
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != '$' &&
            !(glob && strchr("*?", *name) != NULL))
            return false;
    return true;
}

static bool parse_function(reading *r, const ftr_ini_value *value, const char *piece, void *user)
{
    ftr_function_list *list = user;
    const bool excluded = *piece == '!';
    const char *name = piece + excluded;
    while (isspace((unsigned char)*name))
        name++;
    ftr_named_function named = {name, ftr_ini_value_where(r->arena, value)};
    if (!is_function_name(name, true)) {
        ftr_report_error(r->report, named.where,
                         "%s: neither the name of a C function nor a pattern", piece);
        return false;
    }
    if (excluded)
        FTR_ARENA_APPEND(r->arena, list->excluded, list->excluded_count, named);
    else
        FTR_ARENA_APPEND(r->arena, list->items, list->count, named);
    return true;
}

static bool any_matches(const ftr_named_function *of, size_t count, const char *function)
{
    for (size_t i = 0; i < count; i++)
        if (ftr_glob_matches(of[i].name, strlen(of[i].name), function, strlen(function)))
            return true;
    return false;
}

bool ftr_function_list_names(const ftr_function_list *list, const char *function)
{
    return any_matches(list->items, list->count, function);
}

bool ftr_function_list_excludes(const ftr_function_list *list, const char *function)
{
    return any_matches(list->excluded, list->excluded_count, function);
}

/* ---- unknown keys ---------------------------------------------------------------------------- */

static void report_unknown(reading *r, const ftr_ini_section *section, const char *const *known)
{
    for (size_t i = 0; i < section->count; i++) {
        size_t k = 0;
        while (known[k] != NULL && strcmp(known[k], section->values[i].key) != 0)
            k++;
        if (known[k] != NULL)
            continue;
        const char *where = ftr_ini_value_where(r->arena, &section->values[i]);
        if (r->warn_unknown)
            ftr_report_warning(r->report, where, "unknown key");
        else
            ftr_report_note(r->report, 1, "%s: unknown key", where);
    }
}

/* ---- options --------------------------------------------------------------------------------- */

static bool read_switch(reading *r, const ftr_ini_section *section, const char *key,
                        ftr_bitmap_mode all, ftr_bitmap_mode *mode)
{
    const char *text = NULL;
    if (!single(r, section, key, &text))
        return false;
    if (text == NULL)
        return true;
    if (strcmp(text, "disable") == 0)
        *mode = FTR_BITMAP_OMITTED;
    else if (strcmp(text, "global-on") == 0 && all == FTR_BITMAP_ALL)
        *mode = FTR_BITMAP_ALL;
    else if (strcmp(text, "enable") == 0)
        *mode = FTR_BITMAP_LISTED;
    else {
        ftr_report_error(r->report, where_of_key(r, section, key),
                         "'%s' is neither enable%s disable", text,
                         all == FTR_BITMAP_ALL ? ", global-on nor" : " nor");
        return false;
    }
    return true;
}

static bool read_flag(reading *r, const ftr_ini_section *section, const char *key, bool *flag)
{
    const char *text = NULL;
    if (!single(r, section, key, &text))
        return false;
    if (text == NULL)
        return true;
    *flag = strcmp(text, "false") != 0 && strcmp(text, "0") != 0 && strcmp(text, "no") != 0;
    return true;
}

static bool read_numbers(reading *r, const ftr_ini_section *section)
{
    ftr_trace_options *options = &r->config->options;
    const char *text = NULL;
    if (!single(r, section, "verbose", &text))
        return false;
    if (text != NULL) {
        char *end;
        long level = strtol(text, &end, 10);
        options->verbose = *end || end == text ? 1 : (int)(level < 0 ? 0 : level % 100);
    }
    text = NULL;
    if (!single(r, section, "string-limit", &text))
        return false;
    if (text != NULL) {
        char *end;
        long limit = strtol(text, &end, 10);
        if (*end || end == text || limit < 0 || limit > STRING_LIMIT_MAX) {
            ftr_report_error(r->report, where_of_key(r, section, "string-limit"),
                             "'%s' is not a number of bytes from 0 to %d", text, STRING_LIMIT_MAX);
            return false;
        }
        options->string_limit = (unsigned)limit;
    }
    return true;
}

static bool read_option_section(reading *r, const ftr_ini_section *section)
{
    static const char *const known[] = {
        "dump-on-error", "verbose",      "prefix",       "cc",        "ld",
        "cflags",        "rtems-path",   "rtems-bsp",    "gen-names", "gen-sigs",
        "gen-enables",   "gen-triggers", "string-limit", "gen-errno", NULL};
    ftr_trace_options *options = &r->config->options;
    ftr_bitmap_mode names = FTR_BITMAP_LISTED;
    ftr_bitmap_mode signatures = FTR_BITMAP_LISTED;
    ftr_bitmap_mode keep_errno = FTR_BITMAP_LISTED;
    report_unknown(r, section, known);
    bool good = single(r, section, "prefix", &options->prefix) &&
                single(r, section, "cc", &options->cc) && single(r, section, "ld", &options->ld) &&
                single(r, section, "cflags", &options->cflags) &&
                single(r, section, "rtems-path", &options->rtems_path) &&
                single(r, section, "rtems-bsp", &options->rtems_bsp) &&
                read_flag(r, section, "dump-on-error", &options->dump_on_error) &&
                read_switch(r, section, "gen-names", FTR_BITMAP_LISTED, &names) &&
                read_switch(r, section, "gen-sigs", FTR_BITMAP_LISTED, &signatures) &&
                read_switch(r, section, "gen-errno", FTR_BITMAP_LISTED, &keep_errno) &&
                read_switch(r, section, "gen-enables", FTR_BITMAP_ALL, &options->enables) &&
                read_switch(r, section, "gen-triggers", FTR_BITMAP_ALL, &options->triggers) &&
                read_numbers(r, section);
    options->omit_names |= names == FTR_BITMAP_OMITTED;
    options->omit_signatures |= signatures == FTR_BITMAP_OMITTED;
    options->omit_errno |= keep_errno == FTR_BITMAP_OMITTED;
    return good;
}

typedef bool section_reader(reading *r, const ftr_ini_section *section);

static bool read_named(reading *r, const ftr_ini_value *value, const char *piece, void *user)
{
    const ftr_ini_section *named = section_named(r, value, piece);
    return named != NULL && (*(section_reader **)user)(r, named);
}

/* Calls @p read for every section that the key @p key of @p section names. */
static bool each_section(reading *r, const ftr_ini_section *section, const char *key,
                         section_reader *read)
{
    return each_piece(r, section, key, read_named, &read);
}

/* ---- functions and signatures ---------------------------------------------------------------- */

const ftr_written_signature *ftr_trace_config_signature(const ftr_trace_config *config,
                                                        const char *function)
{
    for (size_t i = 0; i < config->signature_count; i++)
        if (strcmp(config->signatures[i].function, function) == 0)
            return &config->signatures[i];
    return NULL;
}

static bool same_list(const ftr_name_list *a, const ftr_name_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->names[i], b->names[i]) != 0)
            return false;
    return true;
}

static bool read_signature(reading *r, const ftr_ini_value *value,
                           const ftr_function_section *section)
{
    ftr_written_signature signature = {
        .function = value->key, .where = ftr_ini_value_where(r->arena, value), .section = section};
    if (!is_function_name(value->key, false)) {
        ftr_report_error(r->report, signature.where, "not the name of a C function");
        return false;
    }
    if (!ftr_ini_value_split(r->files, value, &signature.types))
        return false;
    if (signature.types.count < 2) {
        ftr_report_error(r->report, signature.where,
                         "'%s' is not a return type and at least one argument type (void for none)",
                         value->text);
        return false;
    }
    if (signature.types.count == 2 && strcmp(signature.types.names[1], "void") == 0)
        signature.types.count = 1;
    for (size_t i = 1; i < signature.types.count; i++)
        if (strcmp(signature.types.names[i], "void") == 0) {
            ftr_report_error(r->report, signature.where,
                             "void is not valid beside other arguments");
            return false;
        }
    const ftr_written_signature *known = ftr_trace_config_signature(r->config, value->key);
    if (known != NULL &&
        (known->section == section || !same_list(&known->types, &signature.types))) {
        ftr_report_error(r->report, signature.where, "%s already gives it a signature",
                         known->where);
        return false;
    }
    if (known == NULL)
        FTR_ARENA_APPEND(r->arena, r->config->signatures, r->config->signature_count, signature);
    return true;
}

static bool read_signatures(reading *r, const ftr_ini_value *value, const char *piece, void *user)
{
    const ftr_ini_section *named = section_named(r, value, piece);
    if (named == NULL)
        return false;
    for (size_t i = 0; i < named->count; i++)
        if (!read_signature(r, &named->values[i], user))
            return false;
    return true;
}

static bool read_function_section(reading *r, const ftr_ini_section *section)
{
    ftr_function_section *functions = ftr_link_arena_allocate(r->arena, 1, sizeof *functions);
    functions->name = section->name;
    for (size_t i = 0; i < r->config->function_count; i++)
        if (strcmp(r->config->functions[i]->name, section->name) == 0)
            return true;
    if (!ftr_ini_section_load(r->files, section) ||
        !texts(r, section, "header", "headers", &functions->headers) ||
        !texts(r, section, "define", "defines", &functions->defines))
        return false;
    FTR_ARENA_APPEND(r->arena, r->config->functions, r->config->function_count, functions);
    return each_piece(r, section, "signatures", read_signatures, functions);
}

/* ---- generator ------------------------------------------------------------------------------- */

typedef struct generator_choice {
    const char *name;
    const ftr_ini_section *section;
} generator_choice;

static bool choose_generator(reading *r, const ftr_ini_section *section, void *user)
{
    generator_choice *choice = user;
    const char *name = NULL;
    if (strcmp(section->name, "tracer") == 0)
        return true;
    if (!single(r, section, "generator", &name))
        return false;
    if (name == NULL)
        return true;
    if (choice->name != NULL && strcmp(choice->name, name) != 0) {
        ftr_report_error(r->report, where_of_key(r, section, "generator"),
                         "duplicate generators: [%s] requests %s", choice->section->name,
                         choice->name);
        return false;
    }
    choice->name = name;
    choice->section = section;
    return true;
}

static bool default_generator(reading *r, const ftr_ini_section *tracer, generator_choice *choice)
{
    const ftr_ini_section *section = ftr_ini_files_find(r->files, "default-generator");
    if (section == NULL) {
        ftr_report_error(
            r->report, ftr_ini_section_where(r->arena, tracer),
            "no trace section names a generator and no file has a [default-generator]");
        return false;
    }
    if (!ftr_ini_section_load(r->files, section) || !single(r, section, "generator", &choice->name))
        return false;
    choice->section = section;
    if (choice->name == NULL)
        ftr_report_error(r->report, ftr_ini_section_where(r->arena, section), "generator: missing");
    return choice->name != NULL;
}

static bool read_lock_model(reading *r, const ftr_ini_section *section,
                            ftr_generator_section *generator)
{
    const char *model = NULL;
    if (!single(r, section, "lock-model", &model))
        return false;
    if (model != NULL && strcmp(model, "trace") == 0)
        generator->lock_model = FTR_LOCK_TRACE;
    else if (model != NULL && *model && strcmp(model, "alloc") != 0) {
        ftr_report_error(r->report, where_of_key(r, section, "lock-model"),
                         "'%s' is neither alloc nor trace", model);
        return false;
    }
    return true;
}

static bool read_word(reading *r, const ftr_ini_section *section, const char *key, const char *word,
                      bool *is)
{
    const char *text = NULL;
    if (!single(r, section, key, &text))
        return false;
    if (text != NULL && strcmp(text, word) != 0) {
        ftr_report_error(r->report, where_of_key(r, section, key), "'%s' is not %s", text, word);
        return false;
    }
    *is = text != NULL;
    return true;
}

static bool read_generator(reading *r, const generator_choice *choice)
{
    static const char *const known[] = {
        "headers",     "header",     "defines",      "define",       "code-blocks", "code",
        "include",     "lock-local", "lock-acquire", "lock-release", "lock-model",  "buffer-local",
        "entry-alloc", "exit-alloc", "entry-trace",  "arg-trace",    "exit-trace",  "ret-trace",
        "errno",       "gate",       "unlisted",     "link",         NULL};
    ftr_generator_section *g = &r->config->generator;
    const ftr_ini_section *section = ftr_ini_files_find(r->files, choice->name);
    if (section == NULL) {
        ftr_report_error(r->report, where_of_key(r, choice->section, "generator"),
                         "no file has a section [%s]", choice->name);
        return false;
    }
    report_unknown(r, section, known);
    g->name = choice->name;
    g->where = ftr_ini_section_where(r->arena, section);
    return ftr_ini_section_load(r->files, section) &&
           texts(r, section, "header", "headers", &g->headers) &&
           texts(r, section, "define", "defines", &g->defines) &&
           texts(r, section, "code", "code-blocks", &g->code) &&
           texts(r, section, "link", "link-sections", &g->libraries) &&
           single(r, section, "lock-local", &g->lock_local) &&
           single(r, section, "lock-acquire", &g->lock_acquire) &&
           single(r, section, "lock-release", &g->lock_release) && read_lock_model(r, section, g) &&
           single(r, section, "buffer-local", &g->buffer_local) &&
           single(r, section, "entry-alloc", &g->entry_alloc) &&
           single(r, section, "exit-alloc", &g->exit_alloc) &&
           single(r, section, "entry-trace", &g->entry_trace) &&
           single(r, section, "arg-trace", &g->arg_trace) &&
           single(r, section, "exit-trace", &g->exit_trace) &&
           single(r, section, "ret-trace", &g->ret_trace) &&
           read_word(r, section, "errno", "self", &g->keeps_errno) &&
           single(r, section, "gate", &g->gate) &&
           read_word(r, section, "unlisted", "on", &g->all_enabled);
}

/* ---- tracer ---------------------------------------------------------------------------------- */

static bool read_lists(reading *r, const ftr_ini_section *tracer)
{
    ftr_trace_config *config = r->config;
    generator_choice choice = {0};
    list_walk enables = {"enable", "enables", parse_function, &config->enables, NULL, NULL};
    list_walk triggers = {"trigger", "triggers", parse_function, &config->triggers, NULL, NULL};
    list_walk traces = {"trace",         "traces",         parse_function,
                        &config->traces, choose_generator, &choice};
    if (!walk_section(r, tracer, &enables, 0) || !walk_section(r, tracer, &triggers, 0) ||
        !walk_section(r, tracer, &traces, 0))
        return false;
    if (!config->traces.count) {
        ftr_report_error(r->report, ftr_ini_section_where(r->arena, tracer),
                         "traces: no function to trace is named");
        return false;
    }
    return (choice.name != NULL || default_generator(r, tracer, &choice)) &&
           read_generator(r, &choice);
}

bool ftr_trace_config_read(ftr_ini_files *files, bool warn_unknown, ftr_trace_config *config)
{
    static const char *const known[] = {"name",      "options",  "defines", "define", "enables",
                                        "enable",    "triggers", "trigger", "traces", "trace",
                                        "functions", "include",  NULL};
    reading r = {files, files->arena, files->report, config, warn_unknown};
    config->options.string_limit = STRING_LIMIT_DEFAULT;
    const ftr_ini_section *tracer = ftr_ini_files_find(files, "tracer");
    if (tracer == NULL) {
        ftr_report_error(r.report, files->count ? files->sources[0]->path : NULL,
                         "no section [tracer]");
        return false;
    }
    report_unknown(&r, tracer, known);
    if (!single(&r, tracer, "name", &config->name))
        return false;
    if (config->name == NULL || !*config->name) {
        ftr_report_error(r.report, ftr_ini_section_where(r.arena, tracer), "name: missing");
        return false;
    }
    return ftr_ini_section_load(files, tracer) &&
           each_section(&r, tracer, "options", read_option_section) &&
           texts(&r, tracer, "define", "defines", &config->defines) &&
           each_section(&r, tracer, "functions", read_function_section) && read_lists(&r, tracer);
}
