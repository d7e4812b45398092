/* The structure of the generated C file. */
#include "wrapper_code.h"

#include "record_code.h"
#include "template_text.h"

#include <string.h>

typedef struct writing {
    ftr_link_arena *arena;
    ftr_link_report *report;
    FILE *out;
    const ftr_trace_config *config;
    const ftr_wrap_plan *plan;
    /** code that records attributes; NULL: the templates do not use it */
    ftr_record_function *records;
    ftr_record_tables tables;
    unsigned private_tags;
    bool failed;
} writing;

/* The types of a function as C text, for declarations and for messages. */
typedef struct spelled_function {
    const char *result; /**< declaration of the variable "ret"; NULL for void */
    const char *before_name;
    const char *parameters; /**< for example "(int a1, char *a2)" */
    ftr_template_value *values;
    size_t count;
    ftr_template_value returned; /**< its type is NULL for void */
    bool names_prototype;        /**< a prototype of the function itself can be written */
} spelled_function;

static void write_texts(FILE *out, const ftr_name_list *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        fprintf(out, "%s\n", texts->names[i]);
}

static bool is_used(const ftr_wrap_plan *plan, const ftr_function_section *section)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->functions[i].written != NULL && plan->functions[i].written->section == section)
            return true;
    return false;
}

static void write_function_headers(FILE *out, const ftr_trace_config *config,
                                   const ftr_wrap_plan *plan)
{
    for (size_t i = 0; i < config->function_count; i++) {
        if (!is_used(plan, config->functions[i]))
            continue;
        fprintf(out, "\n/* functions [%s] */\n", config->functions[i]->name);
        write_texts(out, &config->functions[i]->defines);
        write_texts(out, &config->functions[i]->headers);
    }
}

/* ---- configured types ------------------------------------------------------------------------ */

/* Returns the type of an argument. An array becomes a pointer. */
static const char *decayed(ftr_link_arena *arena, const char *type)
{
    const char *bracket = strchr(type, '[');
    if (bracket == NULL || strchr(type, '(') != NULL)
        return type;
    return ftr_arena_print(arena, "%.*s*", (int)(bracket - type), type);
}

/* Inserts a name into a type from the configuration: after the star of a function pointer,
 * otherwise at the end. */
static const char *declare_written(ftr_link_arena *arena, const char *type, const char *name)
{
    const char *star = strstr(type, "(*");
    if (star == NULL)
        return ftr_arena_print(arena, "%s %s", type, name);
    const char *close = strchr(star, ')');
    if (close == NULL)
        return ftr_arena_print(arena, "%s %s", type, name);
    return ftr_arena_print(arena, "%.*s%s%s", (int)(close - type), type, name, close);
}

static const char *written_parameters(ftr_link_arena *arena, const ftr_written_signature *written)
{
    const char *text = "(";
    for (size_t i = 1; i < written->types.count; i++)
        text = ftr_arena_print(arena, "%s%s%s", text, i > 1 ? ", " : "",
                               declare_written(arena, decayed(arena, written->types.names[i]),
                                               ftr_arena_print(arena, "a%zu", i)));
    return ftr_arena_print(arena, "%s%s)", text, written->types.count > 1 ? "" : "void");
}

void ftr_wrapper_code_probe(ftr_link_arena *arena, FILE *out, const ftr_trace_config *config,
                            const ftr_wrap_plan *plan)
{
    write_texts(out, &config->defines);
    write_texts(out, &config->generator.defines);
    fputs("#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n", out);
    write_texts(out, &config->generator.headers);
    write_function_headers(out, config, plan);
    for (size_t i = 0; i < plan->count; i++) {
        const ftr_written_signature *written = plan->functions[i].written;
        if (written != NULL)
            fprintf(out, "%s " FTR_WRAP_PROBE_PREFIX "%s%s { for (;;) {} }\n",
                    written->types.names[0], written->function, written_parameters(arena, written));
    }
}

static void spell_written(writing *w, const ftr_written_signature *written,
                          spelled_function *spelled)
{
    const char *result = written->types.names[0];
    spelled->before_name = result;
    spelled->parameters = written_parameters(w->arena, written);
    spelled->names_prototype = true;
    spelled->count = written->types.count - 1;
    spelled->values =
        ftr_link_arena_allocate(w->arena, spelled->count + 1, sizeof *spelled->values);
    for (size_t i = 0; i < spelled->count; i++) {
        const char *type = decayed(w->arena, written->types.names[i + 1]);
        spelled->values[i].type = written->types.names[i + 1];
        spelled->values[i].size = ftr_arena_print(w->arena, "sizeof(%s)", type);
    }
    if (strcmp(result, "void") != 0) {
        spelled->result = ftr_arena_print(w->arena, "%s ret", result);
        spelled->returned.type = result;
        spelled->returned.size = ftr_arena_print(w->arena, "sizeof(%s)", result);
    }
}

/* ---- types from debug information ------------------------------------------------------------ */

static ftr_c_type *unqualified(ftr_c_type *type)
{
    while (type->kind == FTR_C_CONST || type->kind == FTR_C_VOLATILE)
        type = type->target;
    return type;
}

static bool is_private(const ftr_c_type *type)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    while (bare->kind == FTR_C_POINTER)
        bare = ftr_c_type_bare(bare->target);
    bool aggregate = bare->kind == FTR_C_STRUCT || bare->kind == FTR_C_UNION;
    return bare->private_name != NULL || (aggregate && bare->name == NULL) ||
           bare->kind == FTR_C_OTHER;
}

static const char *value_size(ftr_link_arena *arena, const ftr_c_type *type)
{
    return ftr_arena_print(arena, "sizeof(%s)",
                           ftr_c_type_declare(arena, type, "", FTR_C_CANONICAL));
}

static void spell_found(writing *w, const ftr_c_signature *found, spelled_function *spelled)
{
    ftr_name_list tags = {0};
    spelled->names_prototype = true;
    spelled->count = found->count;
    spelled->values = ftr_link_arena_allocate(w->arena, found->count + 1, sizeof *spelled->values);
    for (size_t i = 0; i <= found->count; i++) {
        ftr_c_type *type = i ? found->parameters[i - 1].type : found->result;
        /* Messages contain the type names of the program, so this text is made before private tags
         * are assigned to the types. */
        const char *shown = ftr_c_type_declare(w->arena, type, "", FTR_C_AS_WRITTEN);
        fputs(ftr_c_type_define_values(w->arena, type, "ftr_value_", &w->private_tags), w->out);
        ftr_c_type_collect_tags(w->arena, type, &tags);
        spelled->names_prototype &= !is_private(type);
        ftr_template_value *value = i ? &spelled->values[i - 1] : &spelled->returned;
        if (ftr_c_type_bare(type)->kind == FTR_C_VOID)
            continue;
        value->type = shown;
        value->size = value_size(w->arena, unqualified(type));
    }
    for (size_t i = 0; i < tags.count; i++)
        fprintf(w->out, "%s;\n", tags.names[i]);
    const char *parameters = "(";
    for (size_t i = 0; i < found->count; i++)
        parameters = ftr_arena_print(
            w->arena, "%s%s%s", parameters, i ? ", " : "",
            ftr_c_type_declare(w->arena, unqualified(found->parameters[i].type),
                               ftr_arena_print(w->arena, "a%zu", i + 1), FTR_C_CANONICAL));
    spelled->parameters =
        ftr_arena_print(w->arena, "%s%s)", parameters, found->count ? "" : "void");
    ftr_c_type *result = unqualified(found->result);
    if (spelled->returned.type != NULL)
        spelled->result = ftr_c_type_declare(w->arena, result, "ret", FTR_C_CANONICAL);
    bool returns_function_pointer =
        ftr_c_type_bare(result)->kind == FTR_C_POINTER &&
        ftr_c_type_bare(ftr_c_type_bare(result)->target)->kind == FTR_C_FUNCTION;
    spelled->before_name = ftr_c_type_declare(w->arena, result, "", FTR_C_CANONICAL);
    if (returns_function_pointer) { /* pointers of all types are returned in the same way */
        spelled->before_name = "void *";
        spelled->result = "void *ret";
        spelled->returned.size = "sizeof(void *)";
        spelled->names_prototype = false;
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *c_string(ftr_link_arena *arena, const char *text)
{
    char *quoted = ftr_link_arena_allocate(arena, 2 * strlen(text) + 3, 1);
    char *to = quoted;
    *to++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
        *to++ = *text;
    }
    *to++ = '"';
    return quoted;
}

static void write_names(writing *w)
{
    size_t count = w->plan->count;
    fprintf(w->out,
            "\nconst uint32_t __rtld_trace_names_size = %zu;\n"
            "const char *const __rtld_trace_names[%zu] = {\n",
            count, count);
    for (size_t i = 0; i < count; i++)
        fprintf(w->out, "    /* %zu */ \"%s\",\n", i, w->plan->functions[i].name);
    fputs("};\n", w->out);
}

static void write_signatures(writing *w, const spelled_function *spelled)
{
    fputs("\ntypedef struct {\n    uint32_t size;\n    const char *type;\n} __rtld_trace_sig_arg;\n"
          "typedef struct {\n    uint32_t argc;\n    const __rtld_trace_sig_arg *args;\n"
          "} __rtld_trace_sig;\n",
          w->out);
    for (size_t i = 0; i < w->plan->count; i++) {
        const spelled_function *f = &spelled[i];
        fprintf(w->out, "static const __rtld_trace_sig_arg __rtld_trace_sig_args_%s[] = {\n",
                w->plan->functions[i].name);
        if (f->returned.type != NULL)
            fprintf(w->out, "    {%s, %s},\n", f->returned.size,
                    c_string(w->arena, f->returned.type));
        else
            fputs("    {0, \"void\"},\n", w->out);
        for (size_t k = 0; k < f->count; k++)
            fprintf(w->out, "    {%s, %s},\n", f->values[k].size,
                    c_string(w->arena, f->values[k].type));
        fputs(f->count ? "};\n" : "    {0, \"void\"},\n};\n", w->out);
    }
    fprintf(w->out,
            "const uint32_t __rtld_trace_signatures_size = %zu;\n"
            "const __rtld_trace_sig __rtld_trace_signatures[%zu] = {\n",
            w->plan->count, w->plan->count);
    for (size_t i = 0; i < w->plan->count; i++)
        fprintf(w->out, "    {%zu, __rtld_trace_sig_args_%s},\n",
                spelled[i].count ? spelled[i].count + 1 : 2, w->plan->functions[i].name);
    fputs("};\n", w->out);
}

static void write_bitmap(writing *w, const char *name, bool triggers)
{
    size_t count = w->plan->count;
    fprintf(w->out,
            "\nconst uint32_t __rtld_trace_%s_size = %zu;\n"
            "uint32_t __rtld_trace_%s[%zu] = {\n",
            name, count, name, (count + 31) / 32);
    for (size_t word = 0; word < (count + 31) / 32; word++) {
        uint32_t bits = 0;
        for (size_t i = word * 32; i < count && i < word * 32 + 32; i++)
            if (triggers ? w->plan->functions[i].triggers : w->plan->functions[i].enabled)
                bits |= (uint32_t)1 << (i % 32);
        fprintf(w->out, "    0x%08x,\n", (unsigned)bits);
    }
    fputs("};\n", w->out);
}

static void write_tables(writing *w, const spelled_function *spelled)
{
    const ftr_trace_options *options = &w->config->options;
    if (!options->omit_names || w->records != NULL)
        write_names(w);
    if (!options->omit_signatures)
        write_signatures(w, spelled);
    if (options->enables != FTR_BITMAP_OMITTED || w->records != NULL)
        write_bitmap(w, "enables", false);
    if (options->triggers != FTR_BITMAP_OMITTED || w->records != NULL)
        write_bitmap(w, "triggers", true);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static bool mentions(const char *text, const char *macro)
{
    return text != NULL && strstr(text, macro) != NULL;
}

static bool plan_records(writing *w)
{
    const ftr_generator_section *g = &w->config->generator;
    if (!mentions(g->entry_trace, "@FUNC_RECORD_ENTRY@"))
        return true;
    w->records = ftr_link_arena_allocate(w->arena, w->plan->count, sizeof *w->records);
    for (size_t i = 0; i < w->plan->count; i++) {
        if (w->plan->functions[i].types == NULL) {
            ftr_report_error(
                w->report, g->where,
                "the types of %s are unknown: its compiler writes no debug information",
                w->plan->functions[i].name);
            return false;
        }
        ftr_record_function_plan(w->arena, w->plan->functions[i].types, i,
                                 w->config->options.string_limit, &w->tables, &w->records[i]);
    }
    return true;
}

static void write_records(writing *w)
{
    fputc('\n', w->out);
    ftr_record_tables_write(w->out, &w->tables);
    for (size_t i = 0; i < w->plan->count; i++)
        if (w->records[i].attribute_count)
            fprintf(w->out, "static const ftr_attribute ftr_attributes_%s[] = {\n%s};\n",
                    w->plan->functions[i].name, w->records[i].attributes);
    fprintf(w->out, "static const ftr_traced_function ftr_functions[] = {\n");
    for (size_t i = 0; i < w->plan->count; i++) {
        const char *name = w->plan->functions[i].name;
        const char *attributes = w->records[i].attribute_count
                                     ? ftr_arena_print(w->arena, "ftr_attributes_%s", name)
                                     : "NULL";
        fprintf(w->out, "    {\"%s\", %s, %u},\n", name, attributes, w->records[i].attribute_count);
    }
    fprintf(w->out,
            "};\nstatic ftr_traced_unit ftr_unit = {.name = %s,\n"
            "                                   .functions = ftr_functions,\n"
            "                                   .count = %zu,\n"
            "                                   .enables = __rtld_trace_enables,\n"
            "                                   .triggers = __rtld_trace_triggers};\n",
            c_string(w->arena, w->config->name), w->plan->count);
}

/* ---- wrappers -------------------------------------------------------------------------------- */

static void write_template(writing *w, const char *text, const ftr_template_macros *macros)
{
    if (text == NULL)
        return;
    const char *expanded = ftr_template_expand(w->arena, w->report, text, macros);
    if (expanded != NULL)
        fprintf(w->out, "    %s\n", expanded);
    else
        w->failed = true;
}

static void write_sizes(writing *w, const char *name, const spelled_function *f)
{
    const char *entry = "";
    for (size_t i = 0; i < f->count; i++)
        entry = ftr_arena_print(w->arena, "%s%s%s", entry, i ? " + " : "", f->values[i].size);
    bool counted = f->returned.type != NULL && w->config->generator.ret_trace != NULL;
    const char *returned = counted ? f->returned.size : "0";
    fprintf(w->out,
            "\n#define FUNC_DATA_ENTRY_SIZE_%s (%s)\n#define FUNC_DATA_RET_SIZE_%s (%s)\n"
            "#define FUNC_DATA_SIZE_%s (FUNC_DATA_ENTRY_SIZE_%s + FUNC_DATA_RET_SIZE_%s)\n",
            name, f->count ? entry : "0", name, returned, name, name, name);
}

static const char *real_call(writing *w, const char *name, const spelled_function *f)
{
    const char *arguments = "";
    for (size_t i = 0; i < f->count; i++)
        arguments = ftr_arena_print(w->arena, "%s%sa%zu", arguments, i ? ", " : "", i + 1);
    return ftr_arena_print(w->arena, "__real_%s(%s)", name, arguments);
}

/* Writes the code before the real call. The lock model determines when the lock is released. */
static void write_entry(writing *w, const spelled_function *f, ftr_template_macros *macros)
{
    const ftr_generator_section *g = &w->config->generator;
    write_template(w, g->lock_acquire, macros);
    write_template(w, g->entry_alloc, macros);
    if (g->lock_model == FTR_LOCK_ALLOC)
        write_template(w, g->lock_release, macros);
    write_template(w, g->entry_trace, macros);
    for (size_t i = 0; i < f->count; i++) {
        macros->argument = &f->values[i];
        macros->argument_number = i + 1;
        write_template(w, g->arg_trace, macros);
    }
    macros->argument = NULL;
    if (g->lock_model == FTR_LOCK_TRACE)
        write_template(w, g->lock_release, macros);
}

static void write_exit(writing *w, const spelled_function *f, ftr_template_macros *macros)
{
    const ftr_generator_section *g = &w->config->generator;
    write_template(w, g->lock_acquire, macros);
    write_template(w, g->exit_alloc, macros);
    if (g->lock_model == FTR_LOCK_ALLOC)
        write_template(w, g->lock_release, macros);
    write_template(w, g->exit_trace, macros);
    if (f->returned.type != NULL) {
        macros->returned = &f->returned;
        write_template(w, g->ret_trace, macros);
        macros->returned = NULL;
    }
    if (g->lock_model == FTR_LOCK_TRACE)
        write_template(w, g->lock_release, macros);
}

/* Writes the wrapper of a generator with a gate. The wrapper only checks the gate, so that it need
 * not save registers for a call that is not recorded. A second function records the call. Only the
 * head and the opening brace of this function are written here. */
static void write_gate(writing *w, const char *name, const spelled_function *f, const char *call,
                       const ftr_template_macros *macros)
{
    const char *gate = ftr_template_expand(w->arena, w->report, w->config->generator.gate, macros);
    const char *arguments = call + strlen("__real_") + strlen(name);
    w->failed |= gate == NULL;
    fprintf(w->out, "static %s ftr_traced_%s%s;\n", f->before_name, name, f->parameters);
    fprintf(w->out, "%s __wrap_%s%s\n{\n    if (!(%s))\n", f->before_name, name, f->parameters,
            gate != NULL ? gate : "");
    if (f->result != NULL)
        fprintf(w->out, "        return %s;\n    return ftr_traced_%s%s;\n}\n", call, name,
                arguments);
    else
        fprintf(w->out, "        %s;\n    else\n        ftr_traced_%s%s;\n}\n", call, name,
                arguments);
    fprintf(w->out, "static __attribute__((noinline)) %s ftr_traced_%s%s\n{\n", f->before_name,
            name, f->parameters);
}

static void write_wrapper(writing *w, size_t index, const spelled_function *f)
{
    const ftr_generator_section *g = &w->config->generator;
    const char *name = w->plan->functions[index].name;
    const char *call = real_call(w, name, f);
    bool keep_errno = !w->config->options.omit_errno && !g->keeps_errno;
    ftr_template_macros macros = {.function = name, .index = index, .where = g->where};
    if (w->records != NULL) {
        macros.record_entry = w->records[index].entry;
        macros.record_exit = w->records[index].exit;
    }
    write_sizes(w, name, f);
    if (f->names_prototype)
        fprintf(w->out, "#undef %s\n%s %s%s;\n", name, f->before_name, name, f->parameters);
    fprintf(w->out, "%s __real_%s%s;\n", f->before_name, name, f->parameters);
    fprintf(w->out, "%s __wrap_%s%s;\n", f->before_name, name, f->parameters);
    if (g->gate != NULL)
        write_gate(w, name, f, call, &macros);
    else
        fprintf(w->out, "%s __wrap_%s%s\n{\n", f->before_name, name, f->parameters);
    write_template(w, g->lock_local, &macros);
    write_template(w, g->buffer_local, &macros);
    if (f->result != NULL)
        fprintf(w->out, "    %s;\n", f->result);
    if (keep_errno)
        fputs("    int ftr_errno = errno;\n", w->out);
    write_entry(w, f, &macros);
    if (keep_errno)
        fputs("    errno = ftr_errno;\n", w->out);
    fprintf(w->out, f->result != NULL ? "    ret = %s;\n" : "    %s;\n", call);
    if (keep_errno)
        fputs("    ftr_errno = errno;\n", w->out);
    write_exit(w, f, &macros);
    if (keep_errno)
        fputs("    errno = ftr_errno;\n", w->out);
    fputs(f->result != NULL ? "    return ret;\n}\n" : "}\n", w->out);
}

bool ftr_wrapper_code_write(ftr_link_arena *arena, ftr_link_report *report, FILE *out,
                            const ftr_trace_config *config, const ftr_wrap_plan *plan)
{
    writing w = {.arena = arena, .report = report, .out = out, .config = config, .plan = plan};
    const ftr_generator_section *g = &config->generator;
    fprintf(out, "/* Wrappers of the trace: %s\n * Generated by ftr-ld: changes will be lost. */\n",
            config->name);
    write_texts(out, &config->defines);
    write_texts(out, &g->defines);
    fputs("#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n", out);
    if (!config->options.omit_errno)
        fputs("#include <errno.h>\n", out);
    write_texts(out, &g->headers);
    write_function_headers(out, config, plan);
    if (!plan_records(&w))
        return false;
    spelled_function *spelled = ftr_link_arena_allocate(arena, plan->count, sizeof *spelled);
    fputc('\n', out);
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->functions[i].written != NULL)
            spell_written(&w, plan->functions[i].written, &spelled[i]);
        else
            spell_found(&w, plan->functions[i].found, &spelled[i]);
        for (size_t k = 0; k < spelled[i].count; k++)
            spelled[i].values[k].label = ftr_arena_print(arena, "a%zu", k + 1);
        spelled[i].returned.label = "ret";
    }
    write_tables(&w, spelled);
    if (w.records != NULL)
        write_records(&w);
    fprintf(out, "\n/* generator [%s] */\n", g->name);
    write_texts(out, &g->code);
    for (size_t i = 0; i < plan->count; i++)
        write_wrapper(&w, i, &spelled[i]);
    return !w.failed;
}
