/* Analyses a link command line: finds the linked files, and the linked members of archives. The
 * order of libraries is ignored, as in a --start-group of the linker. Therefore the result may
 * contain members that are not linked. A member is missing if only an option -u, the start-up code,
 * a source on the command line or a shared library needs the member. */
#include "link_inputs.h"

#include "command_run.h"
#include "name_table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct reading {
    ftr_link_arena *arena;
    ftr_link_report *report;
    const char *driver;
    ftr_link_inputs *inputs;
    ftr_name_list directories;
    bool whole_archive;
    bool only_archives; /**< -Bstatic is in effect: shared libraries are not searched */
} reading;

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
    size_t length = strlen(text);
    size_t tail = strlen(with);
    return length >= tail && strcmp(text + length - tail, with) == 0;
}

static bool is_program(const char *word)
{
    const char *path = secure_getenv("PATH");
    if (strchr(word, '/') != NULL)
        return access(word, X_OK) == 0;
    size_t word_length = strlen(word);
    for (const char *next = path; next != NULL && *next;) {
        char file[4096];
        size_t length = strcspn(next, ":");
        if (length + word_length + 2 <= sizeof file) {
            memcpy(file, next, length);
            file[length] = '/';
            memcpy(file + length + 1, word, word_length + 1);
            if (access(file, X_OK) == 0)
                return true;
        }
        next += length + (next[length] == ':');
    }
    return false;
}

static bool is_source(const char *path)
{
    static const char *const sources[] = {".c",   ".i",  ".cc", ".cp", ".cpp", ".cxx",
                                          ".c++", ".ii", ".C",  ".s",  ".S",   NULL};
    for (size_t i = 0; sources[i] != NULL; i++)
        if (ends(path, sources[i]))
            return true;
    return false;
}

bool ftr_link_line_names_driver(const char *word)
{
    if (*word == '-' || *word == '@' || !*word || strstr(word, ".so.") != NULL)
        return false;
    if (ends(word, ".o") || ends(word, ".a") || ends(word, ".so") || is_source(word))
        return false;
    ftr_object_kind kind = ftr_object_kind_of(word);
    return kind != FTR_OBJECT_RELOCATABLE && kind != FTR_OBJECT_ARCHIVE && is_program(word);
}

/* ---- files and libraries --------------------------------------------------------------------- */

static bool read_file(reading *r, const char *path)
{
    size_t before = r->inputs->objects.count;
    switch (ftr_object_kind_of(path)) {
    case FTR_OBJECT_MISSING:
        ftr_report_error(r->report, path, "no such file among the inputs of the link");
        return false;
    case FTR_OBJECT_NOT_ELF:
        ftr_name_list_add(r->arena, &r->inputs->uninspected, path);
        r->inputs->has_sources |= is_source(path);
        return true;
    default:
        break;
    }
    if (!ftr_object_list_read(r->arena, r->report, path, &r->inputs->objects))
        return false;
    for (size_t i = before; i < r->inputs->objects.count; i++)
        if (r->whole_archive)
            r->inputs->objects.objects[i]->linked = true;
    return true;
}

static const char *in_directories(reading *r, const char *file)
{
    for (size_t i = 0; i < r->directories.count; i++) {
        const char *path = ftr_arena_print(r->arena, "%s/%s", r->directories.names[i], file);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static const char *from_driver(reading *r, const char *file)
{
    const char *const command[] = {r->driver,
                                   ftr_arena_print(r->arena, "-print-file-name=%s", file), NULL};
    const char *path = ftr_command_output(r->arena, command);
    if (path == NULL || strchr(path, '/') == NULL)
        return NULL;
    char *plain = realpath(path, NULL);
    if (plain != NULL)
        path = ftr_arena_text(r->arena, plain);
    free(plain);
    return path;
}

static bool read_library(reading *r, const char *name)
{
    const char *shared = ftr_arena_print(r->arena, "lib%s.so", name);
    const char *archive = ftr_arena_print(r->arena, "lib%s.a", name);
    const char *path = NULL;
    bool archives_only = r->only_archives || r->inputs->is_static;
    if (*name == ':') {
        path = in_directories(r, name + 1);
        if (path == NULL)
            path = from_driver(r, name + 1);
    } else {
        for (size_t i = 0; path == NULL && i < r->directories.count; i++) {
            reading one = *r;
            one.directories = (ftr_name_list){&r->directories.names[i], 1};
            path = archives_only ? NULL : in_directories(&one, shared);
            if (path == NULL)
                path = in_directories(&one, archive);
        }
        if (path == NULL && !archives_only)
            path = from_driver(r, shared);
        if (path == NULL)
            path = from_driver(r, archive);
    }
    if (path != NULL)
        return read_file(r, path);
    ftr_name_list_add(r->arena, &r->inputs->uninspected, ftr_arena_print(r->arena, "-l%s", name));
    return true;
}

/* ---- command line ---------------------------------------------------------------------------- */

static void linker_option(reading *r, const char *option)
{
    if (strcmp(option, "--whole-archive") == 0 || strcmp(option, "-whole-archive") == 0)
        r->whole_archive = true;
    else if (strcmp(option, "--no-whole-archive") == 0 || strcmp(option, "-no-whole-archive") == 0)
        r->whole_archive = false;
    else if (strcmp(option, "-Bstatic") == 0)
        r->only_archives = true;
    else if (strcmp(option, "-Bdynamic") == 0)
        r->only_archives = false;
}

static void linker_options(reading *r, const char *options)
{
    char *copy = ftr_arena_text(r->arena, options);
    for (char *word = strtok(copy, ","); word != NULL; word = strtok(NULL, ","))
        linker_option(r, word);
}

/* Returns true for options that have the next word as their value. */
static bool takes_word(const char *option)
{
    static const char *const options[] = {"-o",       "-T",         "-x",          "-u",
                                          "-z",       "-e",         "-Xassembler", "-Xpreprocessor",
                                          "-I",       "-D",         "-U",          "-include",
                                          "-isystem", "-idirafter", "--param",     "-MF",
                                          "-MT",      "-MQ",        "-B",          "-specs",
                                          "-wrapper", "-target",    "-arch",       "-imacros",
                                          "-h",       "-m",         "-soname",     "-rpath",
                                          NULL};
    for (size_t i = 0; options[i] != NULL; i++)
        if (strcmp(option, options[i]) == 0)
            return true;
    return false;
}

static bool read_arguments(reading *r, char *const *arguments, size_t count, int depth);

static bool read_response(reading *r, const char *path, int depth)
{
    ftr_name_list words = {0};
    if (depth > 8 || !ftr_command_response(r->arena, path, &words))
        return true; /* the driver will report the error */
    return read_arguments(r, (char *const *)words.names, words.count, depth + 1);
}

static bool read_arguments(reading *r, char *const *arguments, size_t count, int depth)
{
    for (size_t i = 0; i < count; i++) {
        const char *word = arguments[i];
        const char *next = i + 1 < count ? arguments[i + 1] : "";
        if (*word == '@') {
            if (!read_response(r, word + 1, depth))
                return false;
        } else if (*word != '-') {
            if (*word && !read_file(r, word))
                return false;
        } else if (begins(word, "-l")) {
            if (!read_library(r, word[2] ? word + 2 : next))
                return false;
            i += !word[2];
        } else if (begins(word, "-L")) {
            ftr_name_list_add(r->arena, &r->directories, word[2] ? word + 2 : next);
            i += !word[2];
        } else if (begins(word, "-Wl,")) {
            linker_options(r, word + 4);
        } else if (begins(word, "-flto") || strcmp(word, "-fno-lto") == 0) {
            r->inputs->optimises = begins(word, "-flto");
        } else if (strcmp(word, "-Xlinker") == 0) {
            linker_option(r, next);
            i++;
        } else if (takes_word(word)) {
            i++;
        }
    }
    return true;
}

/* ---- linked members -------------------------------------------------------------------------- */

/* The state of a symbol's name in the link. */
typedef struct name_state {
    bool defined;
    bool needed;
} name_state;

typedef struct name_table {
    ftr_name_table names;
    name_state *states; /* index: number of the name */
} name_table;

static name_state *state_of(name_table *table, const char *name)
{
    const size_t known = ftr_name_table_find(&table->names, name, strlen(name), 0);
    if (known != FTR_NAME_UNKNOWN)
        return &table->states[known];
    const size_t number = table->names.count;
    if (!ftr_name_table_add(&table->names, name, strlen(name), 0, number))
        ftr_link_out_of_memory();
    return &table->states[number];
}

static void note_symbols(name_table *table, const ftr_object_file *object)
{
    for (size_t i = 0; i < object->symbol_count; i++) {
        const ftr_object_symbol *symbol = &object->symbols[i];
        if (symbol->local || !*symbol->name)
            continue;
        name_state *state = state_of(table, symbol->name);
        if (symbol->section)
            state->defined = true;
        else if (!object->shared && !symbol->weak)
            state->needed = true;
    }
}

static bool defines_needed(name_table *table, const ftr_object_file *member)
{
    for (size_t i = 0; i < member->symbol_count; i++) {
        const ftr_object_symbol *symbol = &member->symbols[i];
        if (symbol->local || !symbol->section || !*symbol->name)
            continue;
        const name_state *state = state_of(table, symbol->name);
        if (state->needed && !state->defined)
            return true;
    }
    return false;
}

static void link_members(ftr_link_arena *arena, const ftr_object_list *list)
{
    size_t symbols = 1;
    for (size_t i = 0; i < list->count; i++)
        symbols += list->objects[i]->symbol_count;
    name_table table = {
        .states = ftr_link_arena_allocate(arena, symbols, sizeof(name_state)),
    };
    for (size_t i = 0; i < list->count; i++)
        if (list->objects[i]->linked)
            note_symbols(&table, list->objects[i]);
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < list->count; i++) {
            ftr_object_file *object = list->objects[i];
            if (object->linked || !defines_needed(&table, object))
                continue;
            object->linked = true;
            note_symbols(&table, object);
            changed = true;
        }
    }
    ftr_name_table_release(&table.names);
}

bool ftr_link_inputs_read(ftr_link_arena *arena, ftr_link_report *report, const char *driver,
                          char *const *arguments, size_t count, ftr_link_inputs *inputs)
{
    reading r = {.arena = arena, .report = report, .driver = driver, .inputs = inputs};
    for (size_t i = 0; i < count; i++)
        if (strcmp(arguments[i], "-static") == 0 || strcmp(arguments[i], "-static-pie") == 0)
            inputs->is_static = true;
    if (!read_arguments(&r, arguments, count, 0))
        return false;
    link_members(arena, &inputs->objects);
    return true;
}

void ftr_link_inputs_add_c_library(ftr_link_arena *arena, ftr_link_report *report,
                                   const char *driver, ftr_link_inputs *inputs)
{
    static const char *const names[] = {"libc.so.6", "libm.so.6", NULL};
    reading r = {.arena = arena, .report = report, .driver = driver, .inputs = inputs};
    for (size_t i = 0; names[i] != NULL && !inputs->is_static; i++) {
        const char *path = from_driver(&r, names[i]);
        if (path != NULL && ftr_object_kind_of(path) == FTR_OBJECT_SHARED)
            ftr_object_list_read(arena, report, path, &inputs->objects);
    }
}
