/* Owns the meaning of sections and keys. Knows no object file and writes no C. */
#include "trace_config.h"

#include "name_glob.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_LIMIT 32
#define STRING_LIMIT_DEFAULT 64
#define STRING_LIMIT_MOST 4096

struct reading {
    struct ini_files *files;
    struct arena *arena;
    struct report *report;
    struct trace_config *config;
    bool warn_unknown;
};

static const struct ini_section *section_named(struct reading *r, const struct ini_value *from,
                                               const char *name)
{
    const struct ini_section *section = ini_files_find(r->files, name);
    if (section == NULL)
        report_error(r->report, ini_value_where(r->arena, from), "no file has a section [%s]",
                     name);
    return section;
}

/* The one value of a key: NULL in *value when the section has none. */
static bool single(struct reading *r, const struct ini_section *section, const char *key,
                   const char **value)
{
    const struct ini_value *found = NULL;
    for (size_t i = 0; i < section->count; i++) {
        if (strcmp(section->values[i].key, key) != 0)
            continue;
        if (found != NULL) {
            report_error(r->report, ini_value_where(r->arena, &section->values[i]),
                         "duplicate: line %u gave it a value already", found->line);
            return false;
        }
        found = &section->values[i];
    }
    if (found == NULL)
        return true;
    *value = ini_value_single(r->files, found);
    return *value != NULL;
}

static const char *where_of_key(struct reading *r, const struct ini_section *section,
                                const char *key)
{
    for (size_t i = 0; i < section->count; i++)
        if (strcmp(section->values[i].key, key) == 0)
            return ini_value_where(r->arena, &section->values[i]);
    return ini_section_where(r->arena, section);
}

static bool includes_of(struct reading *r, const struct ini_section *section)
{
    for (size_t i = 0; i < section->count; i++) {
        const struct ini_value *value = &section->values[i];
        struct name_list names = {0};
        if (strcmp(value->key, "include") != 0)
            continue;
        if (!ini_value_split(r->files, value, &names))
            return false;
        for (size_t n = 0; n < names.count; n++)
            if (!ini_files_load(r->files, ini_value_where(r->arena, value), names.names[n]))
                return false;
    }
    return true;
}

/* What a walk over singular values and plural lists of sections does with each. */
struct walk {
    const char *singular;
    const char *plural;
    bool (*take)(struct reading *r, const struct ini_value *value, const char *piece, void *user);
    bool (*enter)(struct reading *r, const struct ini_section *section, void *user);
    void *user;
};

static bool walk_section(struct reading *r, const struct ini_section *section,
                         const struct walk *walk, int depth)
{
    if (walk->enter != NULL && !walk->enter(r, section, walk->user))
        return false;
    for (size_t i = 0; i < section->count; i++) {
        const struct ini_value *value = &section->values[i];
        struct name_list pieces = {0};
        if (strcmp(value->key, walk->singular) != 0)
            continue;
        if (!ini_value_split(r->files, value, &pieces))
            return false;
        for (size_t n = 0; n < pieces.count; n++)
            if (!walk->take(r, value, pieces.names[n], walk->user))
                return false;
    }
    for (size_t i = 0; i < section->count; i++) {
        const struct ini_value *value = &section->values[i];
        struct name_list names = {0};
        if (strcmp(value->key, walk->plural) != 0)
            continue;
        if (depth == DEPTH_LIMIT) {
            report_error(r->report, ini_value_where(r->arena, value),
                         "too deep: more than %d sections name one another", DEPTH_LIMIT);
            return false;
        }
        if (!ini_value_split(r->files, value, &names))
            return false;
        for (size_t n = 0; n < names.count; n++) {
            const struct ini_section *next = section_named(r, value, names.names[n]);
            if (next == NULL || !walk_section(r, next, walk, depth + 1))
                return false;
        }
    }
    return true;
}

static bool take_text(struct reading *r, const struct ini_value *value, const char *piece,
                      void *user)
{
    struct name_list *list = user;
    (void)value;
    if (!list->count || strcmp(list->names[list->count - 1], piece) != 0)
        name_list_add(r->arena, list, piece);
    return true;
}

static bool texts(struct reading *r, const struct ini_section *section, const char *singular,
                  const char *plural, struct name_list *list)
{
    struct walk walk = {singular, plural, take_text, NULL, list};
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

static bool take_function(struct reading *r, const struct ini_value *value, const char *piece,
                          void *user)
{
    struct function_list *list = user;
    const bool excluded = *piece == '!';
    const char *name = piece + excluded;
    while (isspace((unsigned char)*name))
        name++;
    struct named_function named = {name, ini_value_where(r->arena, value)};
    if (!is_function_name(name, true)) {
        report_error(r->report, named.where, "%s: not the name of a C function, nor a glob", piece);
        return false;
    }
    if (excluded)
        ARENA_APPEND(r->arena, list->excluded, list->excluded_count, named);
    else
        ARENA_APPEND(r->arena, list->items, list->count, named);
    return true;
}

bool function_list_excludes(const struct function_list *list, const char *function)
{
    for (size_t i = 0; i < list->excluded_count; i++)
        if (ftr_glob_matches(list->excluded[i].name, strlen(list->excluded[i].name), function,
                             strlen(function)))
            return true;
    return false;
}

/* ---- unknown keys ---------------------------------------------------------------------------- */

static void tell_unknown(struct reading *r, const struct ini_section *section,
                         const char *const *known)
{
    for (size_t i = 0; i < section->count; i++) {
        size_t k = 0;
        while (known[k] != NULL && strcmp(known[k], section->values[i].key) != 0)
            k++;
        if (known[k] != NULL)
            continue;
        const char *where = ini_value_where(r->arena, &section->values[i]);
        if (r->warn_unknown)
            report_warning(r->report, where, "nothing reads this key");
        else
            report_note(r->report, 1, "%s: nothing reads this key", where);
    }
}

/* ---- options --------------------------------------------------------------------------------- */

static bool read_switch(struct reading *r, const struct ini_section *section, const char *key,
                        enum bitmap_mode all, enum bitmap_mode *mode)
{
    const char *text = NULL;
    if (!single(r, section, key, &text))
        return false;
    if (text == NULL)
        return true;
    if (strcmp(text, "disable") == 0)
        *mode = BITMAP_OMITTED;
    else if (strcmp(text, "global-on") == 0 && all == BITMAP_ALL)
        *mode = BITMAP_ALL;
    else if (strcmp(text, "enable") == 0)
        *mode = BITMAP_LISTED;
    else {
        report_error(r->report, where_of_key(r, section, key), "'%s' is neither enable%s disable",
                     text, all == BITMAP_ALL ? ", global-on nor" : " nor");
        return false;
    }
    return true;
}

static bool read_flag(struct reading *r, const struct ini_section *section, const char *key,
                      bool *flag)
{
    const char *text = NULL;
    if (!single(r, section, key, &text))
        return false;
    if (text == NULL)
        return true;
    *flag = strcmp(text, "false") != 0 && strcmp(text, "0") != 0 && strcmp(text, "no") != 0;
    return true;
}

static bool read_numbers(struct reading *r, const struct ini_section *section)
{
    struct trace_options *options = &r->config->options;
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
        if (*end || end == text || limit < 0 || limit > STRING_LIMIT_MOST) {
            report_error(r->report, where_of_key(r, section, "string-limit"),
                         "'%s' is no number of bytes from 0 to %d", text, STRING_LIMIT_MOST);
            return false;
        }
        options->string_limit = (unsigned)limit;
    }
    return true;
}

static bool read_option_section(struct reading *r, const struct ini_section *section)
{
    static const char *const known[] = {
        "dump-on-error", "verbose",      "prefix",       "cc",        "ld",
        "cflags",        "rtems-path",   "rtems-bsp",    "gen-names", "gen-sigs",
        "gen-enables",   "gen-triggers", "string-limit", "gen-errno", NULL};
    struct trace_options *options = &r->config->options;
    enum bitmap_mode names = BITMAP_LISTED;
    enum bitmap_mode signatures = BITMAP_LISTED;
    enum bitmap_mode keep_errno = BITMAP_LISTED;
    tell_unknown(r, section, known);
    bool good = single(r, section, "prefix", &options->prefix) &&
                single(r, section, "cc", &options->cc) && single(r, section, "ld", &options->ld) &&
                single(r, section, "cflags", &options->cflags) &&
                single(r, section, "rtems-path", &options->rtems_path) &&
                single(r, section, "rtems-bsp", &options->rtems_bsp) &&
                read_flag(r, section, "dump-on-error", &options->dump_on_error) &&
                read_switch(r, section, "gen-names", BITMAP_LISTED, &names) &&
                read_switch(r, section, "gen-sigs", BITMAP_LISTED, &signatures) &&
                read_switch(r, section, "gen-errno", BITMAP_LISTED, &keep_errno) &&
                read_switch(r, section, "gen-enables", BITMAP_ALL, &options->enables) &&
                read_switch(r, section, "gen-triggers", BITMAP_ALL, &options->triggers) &&
                read_numbers(r, section);
    options->omit_names |= names == BITMAP_OMITTED;
    options->omit_signatures |= signatures == BITMAP_OMITTED;
    options->omit_errno |= keep_errno == BITMAP_OMITTED;
    return good;
}

/* Calls @p read for every section that the lists @p key of @p section name. */
static bool each_section(struct reading *r, const struct ini_section *section, const char *key,
                         bool (*read)(struct reading *r, const struct ini_section *section))
{
    for (size_t i = 0; i < section->count; i++) {
        const struct ini_value *value = &section->values[i];
        struct name_list names = {0};
        if (strcmp(value->key, key) != 0)
            continue;
        if (!ini_value_split(r->files, value, &names))
            return false;
        for (size_t n = 0; n < names.count; n++) {
            const struct ini_section *named = section_named(r, value, names.names[n]);
            if (named == NULL || !read(r, named))
                return false;
        }
    }
    return true;
}

/* ---- functions and signatures -----------------------------------------------------------------
 */

const struct written_signature *trace_config_signature(const struct trace_config *config,
                                                       const char *function)
{
    for (size_t i = 0; i < config->signature_count; i++)
        if (strcmp(config->signatures[i].function, function) == 0)
            return &config->signatures[i];
    return NULL;
}

static bool same_list(const struct name_list *a, const struct name_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->names[i], b->names[i]) != 0)
            return false;
    return true;
}

static bool read_signature(struct reading *r, const struct ini_value *value,
                           const struct function_section *section)
{
    struct written_signature signature = {
        .function = value->key, .where = ini_value_where(r->arena, value), .section = section};
    if (!is_function_name(value->key, false)) {
        report_error(r->report, signature.where, "not the name of a C function");
        return false;
    }
    if (!ini_value_split(r->files, value, &signature.types))
        return false;
    if (signature.types.count < 2) {
        report_error(r->report, signature.where,
                     "'%s' is not a return type and at least one argument type (void for none)",
                     value->text);
        return false;
    }
    if (signature.types.count == 2 && strcmp(signature.types.names[1], "void") == 0)
        signature.types.count = 1;
    for (size_t i = 1; i < signature.types.count; i++)
        if (strcmp(signature.types.names[i], "void") == 0) {
            report_error(r->report, signature.where,
                         "void is no type of an argument beside others");
            return false;
        }
    const struct written_signature *known = trace_config_signature(r->config, value->key);
    if (known != NULL &&
        (known->section == section || !same_list(&known->types, &signature.types))) {
        report_error(r->report, signature.where, "%s gave it a signature already", known->where);
        return false;
    }
    if (known == NULL)
        ARENA_APPEND(r->arena, r->config->signatures, r->config->signature_count, signature);
    return true;
}

static bool read_signatures(struct reading *r, const struct ini_section *section,
                            const struct function_section *functions)
{
    for (size_t i = 0; i < section->count; i++) {
        const struct ini_value *value = &section->values[i];
        struct name_list names = {0};
        if (strcmp(value->key, "signatures") != 0)
            continue;
        if (!ini_value_split(r->files, value, &names))
            return false;
        for (size_t n = 0; n < names.count; n++) {
            const struct ini_section *named = section_named(r, value, names.names[n]);
            if (named == NULL)
                return false;
            for (size_t k = 0; k < named->count; k++)
                if (!read_signature(r, &named->values[k], functions))
                    return false;
        }
    }
    return true;
}

static bool read_function_section(struct reading *r, const struct ini_section *section)
{
    struct function_section *functions = arena_take(r->arena, 1, sizeof *functions);
    functions->name = section->name;
    for (size_t i = 0; i < r->config->function_count; i++)
        if (strcmp(r->config->functions[i]->name, section->name) == 0)
            return true;
    if (!includes_of(r, section) || !texts(r, section, "header", "headers", &functions->headers) ||
        !texts(r, section, "define", "defines", &functions->defines))
        return false;
    ARENA_APPEND(r->arena, r->config->functions, r->config->function_count, functions);
    return read_signatures(r, section, functions);
}

/* ---- the generator ----------------------------------------------------------------------------
 */

struct generator_choice {
    const char *name;
    const struct ini_section *section;
};

static bool choose_generator(struct reading *r, const struct ini_section *section, void *user)
{
    struct generator_choice *choice = ((void **)user)[1];
    const char *name = NULL;
    if (strcmp(section->name, "tracer") == 0)
        return true;
    if (!single(r, section, "generator", &name))
        return false;
    if (name == NULL)
        return true;
    if (choice->name != NULL && strcmp(choice->name, name) != 0) {
        report_error(r->report, where_of_key(r, section, "generator"),
                     "duplicate generators: [%s] asks for %s", choice->section->name, choice->name);
        return false;
    }
    choice->name = name;
    choice->section = section;
    return true;
}

static bool take_traced(struct reading *r, const struct ini_value *value, const char *piece,
                        void *user)
{
    return take_function(r, value, piece, ((void **)user)[0]);
}

static bool default_generator(struct reading *r, const struct ini_section *tracer,
                              struct generator_choice *choice)
{
    const struct ini_section *section = ini_files_find(r->files, "default-generator");
    if (section == NULL) {
        report_error(r->report, ini_section_where(r->arena, tracer),
                     "no trace section names a generator and no file has a [default-generator]");
        return false;
    }
    if (!includes_of(r, section) || !single(r, section, "generator", &choice->name))
        return false;
    choice->section = section;
    if (choice->name == NULL)
        report_error(r->report, ini_section_where(r->arena, section), "generator: missing");
    return choice->name != NULL;
}

static bool read_lock_model(struct reading *r, const struct ini_section *section,
                            struct generator *generator)
{
    const char *model = NULL;
    if (!single(r, section, "lock-model", &model))
        return false;
    if (model != NULL && strcmp(model, "trace") == 0)
        generator->lock_model = LOCK_TRACE;
    else if (model != NULL && *model && strcmp(model, "alloc") != 0) {
        report_error(r->report, where_of_key(r, section, "lock-model"),
                     "'%s' is neither alloc nor trace", model);
        return false;
    }
    return true;
}

static bool read_word(struct reading *r, const struct ini_section *section, const char *key,
                      const char *word, bool *is)
{
    const char *text = NULL;
    if (!single(r, section, key, &text))
        return false;
    if (text != NULL && strcmp(text, word) != 0) {
        report_error(r->report, where_of_key(r, section, key), "'%s' is not %s", text, word);
        return false;
    }
    *is = text != NULL;
    return true;
}

static bool read_generator(struct reading *r, const struct generator_choice *choice)
{
    static const char *const known[] = {
        "headers",     "header",     "defines",      "define",       "code-blocks", "code",
        "include",     "lock-local", "lock-acquire", "lock-release", "lock-model",  "buffer-local",
        "entry-alloc", "exit-alloc", "entry-trace",  "arg-trace",    "exit-trace",  "ret-trace",
        "errno",       "gate",       "unlisted",     "link",         NULL};
    struct generator *g = &r->config->generator;
    const struct ini_section *section = ini_files_find(r->files, choice->name);
    if (section == NULL) {
        report_error(r->report, where_of_key(r, choice->section, "generator"),
                     "no file has a section [%s]", choice->name);
        return false;
    }
    tell_unknown(r, section, known);
    g->name = choice->name;
    g->where = ini_section_where(r->arena, section);
    return includes_of(r, section) && texts(r, section, "header", "headers", &g->headers) &&
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

/* ---- the tracer -------------------------------------------------------------------------------
 */

static bool read_lists(struct reading *r, const struct ini_section *tracer)
{
    struct trace_config *config = r->config;
    struct generator_choice choice = {0};
    void *traced[] = {&config->traces, &choice};
    struct walk enables = {"enable", "enables", take_function, NULL, &config->enables};
    struct walk triggers = {"trigger", "triggers", take_function, NULL, &config->triggers};
    struct walk traces = {"trace", "traces", take_traced, choose_generator, traced};
    if (!walk_section(r, tracer, &enables, 0) || !walk_section(r, tracer, &triggers, 0) ||
        !walk_section(r, tracer, &traces, 0))
        return false;
    if (!config->traces.count) {
        report_error(r->report, ini_section_where(r->arena, tracer),
                     "traces: no function is named to be traced");
        return false;
    }
    return (choice.name != NULL || default_generator(r, tracer, &choice)) &&
           read_generator(r, &choice);
}

bool trace_config_read(struct ini_files *files, bool warn_unknown, struct trace_config *config)
{
    static const char *const known[] = {"name",      "options",  "defines", "define", "enables",
                                        "enable",    "triggers", "trigger", "traces", "trace",
                                        "functions", "include",  NULL};
    struct reading r = {files, files->arena, files->report, config, warn_unknown};
    config->options.string_limit = STRING_LIMIT_DEFAULT;
    const struct ini_section *tracer = ini_files_find(files, "tracer");
    if (tracer == NULL) {
        report_error(r.report, files->count ? files->sources[0]->path : NULL,
                     "no section [tracer]");
        return false;
    }
    tell_unknown(&r, tracer, known);
    if (!single(&r, tracer, "name", &config->name))
        return false;
    if (config->name == NULL || !*config->name) {
        report_error(r.report, ini_section_where(r.arena, tracer), "name: missing");
        return false;
    }
    return includes_of(&r, tracer) && each_section(&r, tracer, "options", read_option_section) &&
           texts(&r, tracer, "define", "defines", &config->defines) &&
           each_section(&r, tracer, "functions", read_function_section) && read_lists(&r, tracer);
}
