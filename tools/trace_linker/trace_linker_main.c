/* The command ftr-ld: reads a trace, plans the wrappers, generates and compiles them, and links the
 * program. */
#include "command_run.h"
#include "link_settings.h"
#include "plain_message.h"
#include "wrap_plan.h"
#include "wrapper_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_ERROR = 10, EXIT_USAGE = 3 };

typedef struct link_run {
    ftr_link_arena *arena;
    ftr_link_report *report;
    ftr_link_settings settings;
    ftr_trace_config config;
    ftr_link_inputs inputs;
    ftr_wrap_plan plan;
    const char *directory; /**< directory of temporary files; NULL: not created yet */
    const char *source;
    const char *object;
} link_run;

/* ---- temporary files ------------------------------------------------------------------------- */

static bool make_directory(link_run *run)
{
    const char *root = secure_getenv("TMPDIR");
    char *path =
        ftr_arena_print(run->arena, "%s/ftr-ld-XXXXXX", root != NULL && *root ? root : "/tmp");
    if (mkdtemp(path) == NULL) {
        ftr_report_error(run->report, path, "%s", strerror(errno));
        return false;
    }
    run->directory = path;
    return true;
}

static void remove_directory(link_run *run)
{
    static const char *const names[] = {"probe.c",   "probe.o",  "wrapper.c",
                                        "wrapper.o", "messages", NULL};
    if (run->directory == NULL)
        return;
    if (run->settings.keep) {
        ftr_print_message(stderr, "note: ", "kept %s", run->directory);
        return;
    }
    for (size_t i = 0; names[i] != NULL; i++)
        unlink(ftr_arena_print(run->arena, "%s/%s", run->directory, names[i]));
    rmdir(run->directory);
}

static FILE *create(link_run *run, const char *path)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        ftr_report_error(run->report, path, "%s", strerror(errno));
    return file;
}

static bool finish(link_run *run, FILE *file, const char *path)
{
    bool good = !ferror(file);
    if (fclose(file) != 0 || !good) {
        ftr_report_error(run->report, path, "%s", strerror(errno));
        return false;
    }
    return true;
}

/* ---- compiling and linking ------------------------------------------------------------------- */

static void add_words(link_run *run, ftr_name_list *command, const ftr_name_list *words)
{
    for (size_t i = 0; i < words->count; i++)
        ftr_name_list_add(run->arena, command, words->names[i]);
}

static bool execute(link_run *run, ftr_name_list *command, const char *what)
{
    ftr_name_list_add(run->arena, command, NULL);
    ftr_report_note(run->report, 1, "%s", ftr_command_text(run->arena, command->names));
    int status = ftr_command_run(run->report, command->names);
    if (status > 0)
        ftr_report_error(run->report, command->names[0], "%s: failed with status %d", what, status);
    return status == 0;
}

static bool compile(link_run *run, const char *source, const char *object, const char *what)
{
    ftr_name_list command = {0};
    ftr_link_arena *arena = run->arena;
    ftr_command_split(arena, run->settings.cc, &command);
    add_words(run, &command, &run->settings.flags);
    ftr_name_list_add(
        arena, &command,
        ftr_arena_print(arena, "-I%s", ftr_link_settings_installed(arena, "include")));
    if (run->config.options.cflags != NULL)
        ftr_command_split(arena, run->config.options.cflags, &command);
    if (run->settings.cflags != NULL)
        ftr_command_split(arena, run->settings.cflags, &command);
    /* Without -fno-builtin, a compiler that knows malloc would make wrong assumptions about the
     * calls of malloc. */
    for (size_t i = 0; i < run->plan.count; i++)
        ftr_name_list_add(arena, &command,
                          ftr_arena_print(arena, "-fno-builtin-%s", run->plan.functions[i].name));
    static const char *const fixed[] = {"-O2", "-g", "-c", "-o"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        ftr_name_list_add(arena, &command, fixed[i]);
    ftr_name_list_add(arena, &command, object);
    ftr_name_list_add(arena, &command, source);
    return execute(run, &command, what);
}

/* Makes the code of the generator call the real functions instead of the wrapped ones. Otherwise a
 * wrapper that calls a wrapped function would recurse endlessly. */
static bool redirect_generator_calls(link_run *run)
{
    ftr_object_list list = {0};
    ftr_name_list command = {0};
    if (!ftr_object_list_read(run->arena, run->report, run->object, &list) || !list.count) {
        ftr_object_list_release(&list);
        return false;
    }
    ftr_name_list_add(run->arena, &command, run->settings.objcopy);
    for (size_t i = 0; i < run->plan.count; i++) {
        const char *name = run->plan.functions[i].name;
        if (ftr_object_needs(list.objects[0], name))
            ftr_name_list_add(
                run->arena, &command,
                ftr_arena_print(run->arena, "--redefine-sym=%s=__real_%s", name, name));
    }
    ftr_object_list_release(&list);
    if (command.count == 1)
        return true;
    ftr_name_list_add(run->arena, &command, run->object);
    return execute(run, &command, "the generator's own calls");
}

static const char *placed(ftr_link_arena *arena, const char *text)
{
    static const char macro[] = "@LIBDIR@";
    const char *at = strstr(text, macro);
    if (at == NULL)
        return text;
    return ftr_arena_print(arena, "%.*s%s%s", (int)(at - text), text,
                           ftr_link_settings_installed(arena, FTR_LD_LIBDIR),
                           at + sizeof macro - 1);
}

static bool link_program(link_run *run)
{
    ftr_name_list command = {0};
    ftr_link_arena *arena = run->arena;
    ftr_command_split(arena, run->settings.ld, &command);
    add_words(run, &command, &run->settings.flags);
    for (size_t i = 0; i < run->plan.count; i++)
        ftr_name_list_add(arena, &command,
                          ftr_arena_print(arena, "-Wl,--wrap=%s", run->plan.functions[i].name));
    ftr_name_list_add(arena, &command, run->object);
    for (size_t i = 0; i < run->settings.argument_count; i++)
        ftr_name_list_add(arena, &command, run->settings.arguments[i]);
    for (size_t i = 0; i < run->config.generator.libraries.count; i++)
        ftr_name_list_add(arena, &command, placed(arena, run->config.generator.libraries.names[i]));
    if (run->plan.without_lto)
        ftr_name_list_add(arena, &command, "-fno-lto");
    return execute(run, &command, "the link");
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool read_config(link_run *run)
{
    ftr_ini_files files = {
        .arena = run->arena, .report = run->report, .search = run->settings.search};
    if (run->settings.config == NULL) {
        ftr_report_error(run->report, NULL, "no configuration: name it with --config");
        return false;
    }
    ftr_name_list_add(run->arena, &files.search,
                      ftr_link_settings_installed(run->arena, "share/ftr/trace-linker"));
    if (!ftr_ini_files_load(&files, NULL, run->settings.config) ||
        !ftr_trace_config_read(&files, run->settings.warn, &run->config))
        return false;
    if (run->config.options.verbose > run->report->verbosity)
        run->report->verbosity = run->config.options.verbose;
    return ftr_link_settings_resolve(run->arena, run->report, &run->config.options, &run->settings);
}

static bool read_inputs(link_run *run)
{
    ftr_link_settings *settings = &run->settings;
    if (!settings->argument_count) {
        ftr_report_error(run->report, NULL, "the link command line is missing");
        return false;
    }
    if (ftr_link_line_names_driver(settings->arguments[0])) {
        settings->ld = settings->arguments[0];
        settings->arguments++;
        settings->argument_count--;
    }
    if (!ftr_link_inputs_read(run->arena, run->report, settings->ld, settings->arguments,
                              settings->argument_count, &run->inputs))
        return false;
    if (run->inputs.is_static && run->config.generator.libraries.count) {
        ftr_report_error(
            run->report, run->config.generator.where,
            "this generator records through shared libraries: link without -static, or "
            "use trace-buffer-generator");
        return false;
    }
    return ftr_wrap_plan_make(run->arena, run->report, &run->config, &run->inputs, settings->ld,
                              &run->plan);
}

static bool has_written(const link_run *run)
{
    for (size_t i = 0; i < run->plan.count; i++)
        if (run->plan.functions[i].written != NULL)
            return true;
    return false;
}

static bool check_signatures(link_run *run)
{
    if (!has_written(run))
        return true;
    const char *source = ftr_arena_print(run->arena, "%s/probe.c", run->directory);
    const char *object = ftr_arena_print(run->arena, "%s/probe.o", run->directory);
    FILE *out = create(run, source);
    if (out == NULL)
        return false;
    ftr_wrapper_code_probe(run->arena, out, &run->config, &run->plan);
    return finish(run, out, source) &&
           compile(run, source, object, "the written signatures and headers") &&
           ftr_wrap_plan_check_signatures(run->arena, run->report, object, &run->plan);
}

static void show_file(const char *path)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    ftr_command_show(file, stderr);
    fclose(file);
}

static void show_source(link_run *run)
{
    if (run->report->verbosity >= 2)
        show_file(run->source);
}

typedef enum generation { GENERATED, NOT_GENERATED, NOT_COMPILED } generation;

static generation write_and_compile(link_run *run)
{
    FILE *out = create(run, run->source);
    if (out == NULL)
        return NOT_GENERATED;
    bool good = ftr_wrapper_code_write(run->arena, run->report, out, &run->config, &run->plan);
    if (!finish(run, out, run->source) || !good)
        return NOT_GENERATED;
    show_source(run);
    return compile(run, run->source, run->object, "the wrappers") ? GENERATED : NOT_COMPILED;
}

/* Generates and compiles the wrappers of @p plan. This is done in a child process, because the
 * generation changes the names of types, and the next attempt needs the unchanged names. The stderr
 * of the child process goes to the file @p messages. */
static generation attempt(link_run *run, const ftr_wrap_plan *plan, const char *messages)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (freopen(messages, "w", stderr) == NULL)
            _exit(NOT_GENERATED);
        run->plan = *plan;
        const generation outcome = write_and_compile(run);
        fflush(NULL);
        _exit((int)outcome);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
        ftr_report_error(run->report, NULL, "the process that generates the wrappers: %s",
                         child < 0 ? strerror(errno) : "ended by a signal");
        return NOT_GENERATED;
    }
    return (generation)WEXITSTATUS(status);
}

static bool compiles(void *user, const ftr_wrap_plan *plan)
{
    return attempt(user, plan, "/dev/null") == GENERATED;
}

static bool generate(link_run *run)
{
    const char *stem = run->settings.wrapper != NULL
                           ? run->settings.wrapper
                           : ftr_arena_print(run->arena, "%s/wrapper", run->directory);
    const char *messages = ftr_arena_print(run->arena, "%s/messages", run->directory);
    const unsigned errors = run->report->errors;
    run->source = ftr_arena_print(run->arena, "%s.c", stem);
    run->object = ftr_arena_print(run->arena, "%s.o", stem);
    generation outcome = attempt(run, &run->plan, messages);
    if (outcome == NOT_COMPILED &&
        ftr_wrapper_trial_prune(run->arena, run->report, &run->plan, compiles, run))
        outcome = attempt(run, &run->plan, messages);
    show_file(messages);
    if (outcome != GENERATED && run->report->errors == errors)
        run->report->errors++;
    return outcome == GENERATED;
}

static void show_config(link_run *run)
{
    const ftr_trace_config *config = &run->config;
    bool failed = run->report->errors > 0 && config->options.dump_on_error;
    if (config->name == NULL || (!failed && run->report->verbosity < 1))
        return;
    ftr_print_message(stderr, "trace: ", "%s", config->name);
    ftr_print_message(stderr, "  generator: ", "%s",
                      config->generator.name != NULL ? config->generator.name : "?");
    ftr_print_message(stderr, "  compiler: ", "%s",
                      run->settings.cc != NULL ? run->settings.cc : "?");
    ftr_print_message(stderr, "  linker: ", "%s",
                      run->settings.ld != NULL ? run->settings.ld : "?");
    for (size_t i = 0; i < run->plan.count; i++) {
        const ftr_wrapped_function *f = &run->plan.functions[i];
        ftr_print_message(stderr, "  ", "%zu %s%s%s: %s", i, f->name,
                          f->enabled ? "" : " (disabled)", f->triggers ? " (trigger)" : "",
                          f->types != NULL ? ftr_c_signature_text(run->arena, f->types)
                                           : "as written");
    }
}

static bool trace_link(link_run *run)
{
    return read_config(run) && read_inputs(run) && make_directory(run) && check_signatures(run) &&
           generate(run) && redirect_generator_calls(run) && link_program(run);
}

static bool list_objects(link_run *run)
{
    if (!run->settings.argument_count) {
        ftr_report_error(run->report, NULL, "--list: no objects");
        return false;
    }
    ftr_link_settings *settings = &run->settings;
    return ftr_link_inputs_read(run->arena, run->report, "cc", settings->arguments,
                                settings->argument_count, &run->inputs) &&
           ftr_wrap_plan_list(run->arena, run->report, &run->inputs, stdout);
}

int main(int argc, char **argv)
{
    ftr_link_arena arena = {0};
    ftr_link_report report = {.out = stderr};
    link_run run = {.arena = &arena, .report = &report};
    int status = 0;
    switch (ftr_link_settings_read(&arena, &report, argc, argv, &run.settings)) {
    case FTR_SETTINGS_DONE:
        break;
    case FTR_SETTINGS_INVALID:
        status = EXIT_USAGE;
        break;
    case FTR_SETTINGS_RUN:
        report.verbosity = run.settings.verbose;
        if (!(run.settings.list ? list_objects(&run) : trace_link(&run)))
            status = EXIT_ERROR;
        show_config(&run);
        remove_directory(&run);
        ftr_object_list_release(&run.inputs.objects);
    }
    if (fflush(stdout) != 0)
        status = EXIT_ERROR;
    ftr_arena_reset(&arena);
    return status;
}
