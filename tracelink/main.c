/* The command ftr-ld: reads a trace, plans and generates its wrappers, compiles and links. Owns the
 * order of these steps, the temporary files and the exit status. */
#include "command_run.h"
#include "link_settings.h"
#include "wrap_plan.h"
#include "wrapper_code.h"
#include "wrapper_trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_ERROR = 10, EXIT_USAGE = 3 };

struct run {
    struct arena *arena;
    struct report *report;
    struct link_settings settings;
    struct trace_config config;
    struct link_inputs inputs;
    struct wrap_plan plan;
    const char *directory; /**< of temporary files; NULL: none was needed */
    const char *source;
    const char *object;
};

/* ---- temporary files --------------------------------------------------------------------------
 */

static bool make_directory(struct run *run)
{
    const char *root = secure_getenv("TMPDIR");
    char *path = arena_print(run->arena, "%s/ftr-ld-XXXXXX", root != NULL && *root ? root : "/tmp");
    if (mkdtemp(path) == NULL) {
        report_error(run->report, path, "%s", strerror(errno));
        return false;
    }
    run->directory = path;
    return true;
}

static void remove_directory(struct run *run)
{
    static const char *const names[] = {"probe.c",   "probe.o",  "wrapper.c",
                                        "wrapper.o", "messages", NULL};
    if (run->directory == NULL)
        return;
    if (run->settings.keep) {
        fprintf(stderr, "note: kept %s\n", run->directory);
        return;
    }
    for (size_t i = 0; names[i] != NULL; i++)
        unlink(arena_print(run->arena, "%s/%s", run->directory, names[i]));
    rmdir(run->directory);
}

static FILE *create(struct run *run, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        report_error(run->report, path, "%s", strerror(errno));
    return file;
}

static bool finish(struct run *run, FILE *file, const char *path)
{
    bool good = !ferror(file);
    if (fclose(file) != 0 || !good) {
        report_error(run->report, path, "%s", strerror(errno));
        return false;
    }
    return true;
}

/* ---- compiling and linking --------------------------------------------------------------------
 */

static void add_words(struct run *run, struct name_list *command, const struct name_list *words)
{
    for (size_t i = 0; i < words->count; i++)
        name_list_add(run->arena, command, words->names[i]);
}

static bool execute(struct run *run, struct name_list *command, const char *what)
{
    name_list_add(run->arena, command, NULL);
    report_note(run->report, 1, "%s", command_text(run->arena, command->names));
    int status = command_run(run->report, command->names);
    if (status > 0)
        report_error(run->report, command->names[0], "%s: failed with status %d", what, status);
    return status == 0;
}

static bool compile(struct run *run, const char *source, const char *object, const char *what)
{
    struct name_list command = {0};
    struct arena *arena = run->arena;
    command_split(arena, run->settings.cc, &command);
    add_words(run, &command, &run->settings.flags);
    name_list_add(arena, &command,
                  arena_print(arena, "-I%s", link_settings_installed(arena, "include")));
    if (run->config.options.cflags != NULL)
        command_split(arena, run->config.options.cflags, &command);
    if (run->settings.cflags != NULL)
        command_split(arena, run->settings.cflags, &command);
    /* A compiler that knows malloc would take calls of it for what they are not. */
    for (size_t i = 0; i < run->plan.count; i++)
        name_list_add(arena, &command,
                      arena_print(arena, "-fno-builtin-%s", run->plan.functions[i].name));
    static const char *const fixed[] = {"-O2", "-g", "-c", "-o"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        name_list_add(arena, &command, fixed[i]);
    name_list_add(arena, &command, object);
    name_list_add(arena, &command, source);
    return execute(run, &command, what);
}

/* The generator's own calls of wrapped functions must not be wrapped: they would never end. */
static bool spare_generator(struct run *run)
{
    struct object_list list = {0};
    struct name_list command = {0};
    if (!object_list_read(run->arena, run->report, run->object, &list) || !list.count) {
        object_list_release(&list);
        return false;
    }
    name_list_add(run->arena, &command, run->settings.objcopy);
    for (size_t i = 0; i < run->plan.count; i++) {
        const char *name = run->plan.functions[i].name;
        if (object_needs(list.objects[0], name))
            name_list_add(run->arena, &command,
                          arena_print(run->arena, "--redefine-sym=%s=__real_%s", name, name));
    }
    object_list_release(&list);
    if (command.count == 1)
        return true;
    name_list_add(run->arena, &command, run->object);
    return execute(run, &command, "the generator's own calls");
}

static const char *placed(struct arena *arena, const char *text)
{
    static const char macro[] = "@LIBDIR@";
    const char *at = strstr(text, macro);
    if (at == NULL)
        return text;
    return arena_print(arena, "%.*s%s%s", (int)(at - text), text,
                       link_settings_installed(arena, FTR_LD_LIBDIR), at + sizeof macro - 1);
}

static bool link_program(struct run *run)
{
    struct name_list command = {0};
    struct arena *arena = run->arena;
    command_split(arena, run->settings.ld, &command);
    add_words(run, &command, &run->settings.flags);
    for (size_t i = 0; i < run->plan.count; i++)
        name_list_add(arena, &command,
                      arena_print(arena, "-Wl,--wrap=%s", run->plan.functions[i].name));
    name_list_add(arena, &command, run->object);
    for (size_t i = 0; i < run->settings.argument_count; i++)
        name_list_add(arena, &command, run->settings.arguments[i]);
    for (size_t i = 0; i < run->config.generator.libraries.count; i++)
        name_list_add(arena, &command, placed(arena, run->config.generator.libraries.names[i]));
    if (run->plan.without_lto)
        name_list_add(arena, &command, "-fno-lto");
    return execute(run, &command, "the link");
}

/* ---- steps ------------------------------------------------------------------------------------
 */

static bool read_config(struct run *run)
{
    struct ini_files files = {
        .arena = run->arena, .report = run->report, .search = run->settings.search};
    if (run->settings.config == NULL) {
        report_error(run->report, NULL, "no configuration: --config names it");
        return false;
    }
    name_list_add(run->arena, &files.search,
                  link_settings_installed(run->arena, "share/ftr/trace-linker"));
    if (!ini_files_load(&files, NULL, run->settings.config) ||
        !trace_config_read(&files, run->settings.warn, &run->config))
        return false;
    if (run->config.options.verbose > run->report->verbosity)
        run->report->verbosity = run->config.options.verbose;
    return link_settings_resolve(run->arena, run->report, &run->config.options, &run->settings);
}

static bool read_inputs(struct run *run)
{
    struct link_settings *settings = &run->settings;
    if (!settings->argument_count) {
        report_error(run->report, NULL,
                     "no trace linker options: the link command line is missing");
        return false;
    }
    if (link_line_names_driver(settings->arguments[0])) {
        settings->ld = settings->arguments[0];
        settings->arguments++;
        settings->argument_count--;
    }
    if (!link_inputs_read(run->arena, run->report, settings->ld, settings->arguments,
                          settings->argument_count, &run->inputs))
        return false;
    if (run->inputs.is_static && run->config.generator.libraries.count) {
        report_error(run->report, run->config.generator.where,
                     "this generator records through shared libraries: link without -static, or "
                     "use trace-buffer-generator");
        return false;
    }
    return wrap_plan_make(run->arena, run->report, &run->config, &run->inputs, settings->ld,
                          &run->plan);
}

static bool has_written(const struct run *run)
{
    for (size_t i = 0; i < run->plan.count; i++)
        if (run->plan.functions[i].written != NULL)
            return true;
    return false;
}

static bool check_signatures(struct run *run)
{
    if (!has_written(run))
        return true;
    const char *source = arena_print(run->arena, "%s/probe.c", run->directory);
    const char *object = arena_print(run->arena, "%s/probe.o", run->directory);
    FILE *out = create(run, source);
    if (out == NULL)
        return false;
    wrapper_code_probe(run->arena, out, &run->config, &run->plan);
    return finish(run, out, source) &&
           compile(run, source, object, "the written signatures and headers") &&
           wrap_plan_check_signatures(run->arena, run->report, object, &run->plan);
}

static void show_file(const char *path)
{
    char part[4096];
    size_t got;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    while ((got = fread(part, 1, sizeof part, file)) > 0)
        fwrite(part, 1, got, stderr);
    fclose(file);
}

static void show_source(struct run *run)
{
    if (run->report->verbosity >= 2)
        show_file(run->source);
}

enum generation { GENERATED, NOT_GENERATED, NOT_COMPILED };

static enum generation write_and_compile(struct run *run)
{
    FILE *out = create(run, run->source);
    if (out == NULL)
        return NOT_GENERATED;
    bool good = wrapper_code_write(run->arena, run->report, out, &run->config, &run->plan);
    if (!finish(run, out, run->source) || !good)
        return NOT_GENERATED;
    show_source(run);
    return compile(run, run->source, run->object, "the wrappers") ? GENERATED : NOT_COMPILED;
}

/* Generating gives names to types. A process of its own leaves them as they were, for the next
 * attempt. What it prints goes to the file @p messages. */
static enum generation attempt(struct run *run, const struct wrap_plan *plan, const char *messages)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (freopen(messages, "w", stderr) == NULL)
            _exit(NOT_GENERATED);
        run->plan = *plan;
        const enum generation outcome = write_and_compile(run);
        fflush(NULL);
        _exit((int)outcome);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
        report_error(run->report, NULL, "the process that generates the wrappers: %s",
                     child < 0 ? strerror(errno) : "ended by a signal");
        return NOT_GENERATED;
    }
    return (enum generation)WEXITSTATUS(status);
}

static bool compiles(void *user, const struct wrap_plan *plan)
{
    return attempt(user, plan, "/dev/null") == GENERATED;
}

static bool generate(struct run *run)
{
    const char *stem = run->settings.wrapper != NULL
                           ? run->settings.wrapper
                           : arena_print(run->arena, "%s/wrapper", run->directory);
    const char *messages = arena_print(run->arena, "%s/messages", run->directory);
    const unsigned errors = run->report->errors;
    run->source = arena_print(run->arena, "%s.c", stem);
    run->object = arena_print(run->arena, "%s.o", stem);
    enum generation outcome = attempt(run, &run->plan, messages);
    if (outcome == NOT_COMPILED &&
        wrapper_trial_prune(run->arena, run->report, &run->plan, compiles, run))
        outcome = attempt(run, &run->plan, messages);
    show_file(messages);
    if (outcome != GENERATED && run->report->errors == errors)
        run->report->errors++;
    return outcome == GENERATED;
}

static void show_config(struct run *run)
{
    const struct trace_config *config = &run->config;
    bool failed = run->report->errors > 0 && config->options.dump_on_error;
    if (config->name == NULL || (!failed && run->report->verbosity < 1))
        return;
    fprintf(stderr, "trace: %s\n  generator: %s\n  compiler: %s\n  linker: %s\n", config->name,
            config->generator.name != NULL ? config->generator.name : "?",
            run->settings.cc != NULL ? run->settings.cc : "?",
            run->settings.ld != NULL ? run->settings.ld : "?");
    for (size_t i = 0; i < run->plan.count; i++) {
        const struct traced_function *f = &run->plan.functions[i];
        fprintf(stderr, "  %zu %s%s%s: %s\n", i, f->name, f->enabled ? "" : " (disabled)",
                f->triggers ? " (trigger)" : "",
                f->types != NULL ? c_signature_text(run->arena, f->types) : "as written");
    }
}

static bool trace_link(struct run *run)
{
    return read_config(run) && read_inputs(run) && make_directory(run) && check_signatures(run) &&
           generate(run) && spare_generator(run) && link_program(run);
}

static bool list_objects(struct run *run)
{
    if (!run->settings.argument_count) {
        report_error(run->report, NULL, "--list: no objects");
        return false;
    }
    struct link_settings *settings = &run->settings;
    return link_inputs_read(run->arena, run->report, "cc", settings->arguments,
                            settings->argument_count, &run->inputs) &&
           wrap_plan_list(run->arena, run->report, &run->inputs, stdout);
}

int main(int argc, char **argv)
{
    struct arena arena = {0};
    struct report report = {.out = stderr};
    struct run run = {.arena = &arena, .report = &report};
    int status = 0;
    switch (link_settings_read(&arena, &report, argc, argv, &run.settings)) {
    case SETTINGS_DONE:
        break;
    case SETTINGS_WRONG:
        status = EXIT_USAGE;
        break;
    case SETTINGS_RUN:
        report.verbosity = run.settings.verbose;
        if (!(run.settings.list ? list_objects(&run) : trace_link(&run)))
            status = EXIT_ERROR;
        show_config(&run);
        remove_directory(&run);
        object_list_release(&run.inputs.objects);
    }
    if (fflush(stdout) != 0)
        status = EXIT_ERROR;
    arena_reset(&arena);
    return status;
}
