/* ftr recover: writes a valid file from a torn or damaged file. */
#include "command.h"
#include "input_file.h"
#include "json_writer.h"
#include "output_file.h"
#include "plain_message.h"
#include "run_inputs.h"

#include <ftr/recovery.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct recover_options {
    ftr_input_options input; /* only the number of threads is used */
    const char *output;
    const char *journal; /* NULL: the recorder's default path */
    bool force;
    bool json;
    bool quiet;
} recover_options;

enum { OPTION_JSON = 0x100, OPTION_QUIET, OPTION_JOURNAL, OPTION_FORCE };

static const struct option LONG_OPTIONS[] = {
    {"output", required_argument, NULL, 'o'},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"json", no_argument, NULL, OPTION_JSON},
    {"journal", required_argument, NULL, OPTION_JOURNAL},
    FTR_THREADS_LONG_OPTION,
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static void print_message(void *user, const char *message)
{
    ftr_print_error("%s: %s", (const char *)user, message);
}

/* A kind of item that a repair drops: the number of dropped items, the JSON member for the number,
 * and a description. */
typedef struct drop {
    uint64_t count;
    const char *member;
    const char *text;
} drop;

#define DROPS(r)                                                                           \
    {                                                                                      \
        {(r)->transactions_dropped, "transactions_dropped",                                \
         "transactions dropped (duplicate id, or not in the stream of their generator)"},  \
            {(r)->attributes_dropped, "attributes_dropped",                                \
             "attributes dropped (no valid type, value or text)"},                         \
            {(r)->relations_dropped, "relations_dropped",                                  \
             "relations dropped (their name or one of their transactions is lost)"},       \
            {(r)->definitions_lost, "definitions_lost",                                    \
             "definitions of streams and generators lost (substitute names written)"},     \
            {(r)->texts_lost, "texts_lost", "texts lost, or not UTF-8"},                   \
            {(r)->times_changed, "times_changed", "transactions ended before they began"}, \
    }

/* Begins a line of JSON on @p to. */
static ftr_json begin_json(FILE *to)
{
    static ftr_printer out; /* static because its buffer is large */
    ftr_printer_init(&out, fileno(to));
    ftr_json json = {.out = &out};
    ftr_json_open(&json, NULL, '{');
    return json;
}

static void end_json(ftr_json *json)
{
    ftr_json_end_line(json);
    (void)ftr_printer_flush(json->out);
}

static void print_json_report(FILE *to, const ftr_repair *r)
{
    const drop drops[] = DROPS(r);
    ftr_json json = begin_json(to);
    ftr_json_count(&json, "chunks_kept", r->chunks_kept);
    ftr_json_count(&json, "chunks_salvaged", r->chunks_salvaged);
    ftr_json_count(&json, "transactions_salvaged", r->transactions_salvaged);
    ftr_json_count(&json, "relations_salvaged", r->relations_salvaged);
    ftr_json_count(&json, "chunks_dropped", r->chunks_dropped);
    ftr_json_count(&json, "bytes_in", r->bytes_in);
    ftr_json_count(&json, "bytes_out", r->bytes_out);
    ftr_json_count(&json, "bytes_dropped", r->bytes_dropped);
    for (size_t i = 0; i < sizeof drops / sizeof drops[0]; i++)
        ftr_json_count(&json, drops[i].member, drops[i].count);
    ftr_json_bool(&json, "was_sound", r->was_sound);
    ftr_json_bool(&json, "lost", r->lost);
    ftr_json_bool(&json, "was_open", r->was_open);
    end_json(&json);
}

static void print_report(FILE *to, const ftr_repair *r, const char *output)
{
    if (r->was_sound) {
        ftr_print_message(to, "", "%s: identical copy, nothing to repair", output);
        return;
    }
    ftr_print_message(to, "",
                      "%s: %" PRIu64 " chunks kept, %" PRIu64 " kept in part (%" PRIu64
                      " transactions, %" PRIu64 " relations); %" PRIu64 " lost; %" PRIu64
                      " bytes dropped",
                      output, r->chunks_kept, r->chunks_salvaged, r->transactions_salvaged,
                      r->relations_salvaged, r->chunks_dropped, r->bytes_dropped);
    const drop drops[] = DROPS(r);
    for (size_t i = 0; i < sizeof drops / sizeof drops[0]; i++)
        if (drops[i].count > 0)
            ftr_print_message(to, "", "%s: %" PRIu64 " %s", output, drops[i].count, drops[i].text);
}

/* ---- the output ------------------------------------------------------------------------------ */

/* The file that the library writes: the output; for stdout, a file in a temporary directory. */
typedef struct target {
    const char *name; /* name of the output, for messages */
    char path[4096];
    char directory[4096]; /* path of the temporary directory; empty: none is used */
} target;

static bool choose_target(target *to, const recover_options *options, const ftr_input_paths *inputs)
{
    *to = (target){.name = options->output};
    if (strcmp(options->output, "-") != 0) {
        /* An input is never replaced, even with --force, because a second recovery would need
         * it. */
        const size_t size = strlen(options->output) + 1;
        if (size <= sizeof to->path)
            memcpy(to->path, options->output, size);
        else
            ftr_print_error("%s: %s", options->output, strerror(ENAMETOOLONG));
        return to->path[0] != '\0' && !ftr_output_is_input(to->path, inputs) &&
               ftr_output_is_allowed(to->path, options->force, inputs);
    }
    const char *temporary = secure_getenv("TMPDIR");
    if (temporary == NULL || *temporary == '\0')
        temporary = "/tmp";
    to->name = "stdout";
    if (!ftr_stdout_is_allowed(true, inputs))
        return false;
    if (strlen(temporary) > sizeof to->path - sizeof "/ftr-XXXXXX/sound.ftr") {
        ftr_print_error("%s: %s", temporary, strerror(ENAMETOOLONG));
        return false;
    }
    (void)sprintf(to->directory, "%s/ftr-XXXXXX", temporary);
    if (mkdtemp(to->directory) == NULL) {
        ftr_print_error("%s: %s", to->directory, strerror(errno));
        return false;
    }
    (void)stpcpy(stpcpy(to->path, to->directory), "/sound.ftr");
    return true;
}

/* Copies the complete file to stdout, if the output is stdout. @return false after an error
 * message */
static bool deliver(const target *to)
{
    if (to->directory[0] == '\0')
        return true;
    const int fd = open(to->path, O_RDONLY | O_CLOEXEC);
    const bool ok = fd >= 0 && ftr_output_send(fd);
    if (fd < 0)
        ftr_print_error("%s: %s", to->path, strerror(errno));
    else
        (void)close(fd);
    return ok;
}

static void remove_target(const target *to)
{
    if (to->directory[0] == '\0')
        return;
    (void)unlink(to->path);
    (void)rmdir(to->directory);
}

/* ---- with the journal of a killed recorder --------------------------------------------------- */

/* Finds the journal of @p input: @p asked if it is not NULL, otherwise the default path of the
 * recorder. Sets @p journal to "" if there is no journal. */
static void find_journal(const char *input, const char *asked, char *journal, size_t size)
{
    journal[0] = '\0';
    if (asked != NULL) {
        if (strcmp(asked, "none") != 0)
            (void)snprintf(journal, size, "%s", asked);
        return;
    }
    if (ftr_is_summary(input))
        ftr_killed_run_journal(input, journal, size);
    if (journal[0] == '\0')
        ftr_input_find_journal(input, journal, size);
}

static void print_json_recovery(FILE *to, const ftr_recovery *r)
{
    ftr_json json = begin_json(to);
    ftr_json_count(&json, "file", r->file);
    ftr_json_count(&json, "journal_transactions", r->transactions);
    ftr_json_count(&json, "unfinished", r->unfinished);
    ftr_json_count(&json, "journal_relations", r->relations);
    ftr_json_count(&json, "torn", r->torn);
    ftr_json_count(&json, "bytes_kept", r->kept);
    ftr_json_count(&json, "bytes_cut", r->cut);
    ftr_json_count(&json, "lost", r->lost);
    ftr_json_count(&json, "lost_at_most", r->lost_at_most);
    end_json(&json);
}

static void print_recovery(FILE *to, const ftr_recovery *r, const char *output)
{
    ftr_print_message(to, "",
                      "%s: %" PRIu64 " transactions (%" PRIu64 " unfinished) and %" PRIu64
                      " relations recovered from the journal; %" PRIu64
                      " bytes of the file kept, %" PRIu64 " cut; %" PRIu64 " records torn",
                      output, r->transactions, r->unfinished, r->relations, r->kept, r->cut,
                      r->torn);
    if (r->lost > 0)
        ftr_print_message(to, "", "%s: " FTR_NOT_RECOVERED ": %" PRIu64 " transactions are lost",
                          output, r->lost);
    if (r->lost_at_most > 0)
        ftr_print_message(to, "",
                          "%s: " FTR_NOT_RECOVERED
                          ": an unknown number of transactions and relations is "
                          "lost, at most %" PRIu64,
                          output, r->lost_at_most);
    if (r->file > 1)
        ftr_print_message(to, "",
                          "%s: this is file number %" PRIu32
                          " of the run; the earlier files are complete",
                          output, r->file);
}

static bool has_losses(const ftr_recovery *r)
{
    return r->torn > 0 || r->lost > 0 || r->lost_at_most > 0;
}

/* Ends a recovery with a journal. @return the exit status of the command */
static int finish_recovery(const recover_options *options, ftr_status status, const ftr_recovery *r,
                           const target *to)
{
    FILE *messages = ftr_output_messages(options->output);
    if (status != FTR_OK) {
        ftr_print_error("%s", r->message[0] != '\0' ? r->message : ftr_status_text(status));
        return FTR_EXIT_TROUBLE;
    }
    if (!deliver(to))
        return FTR_EXIT_TROUBLE;
    if (!options->quiet && r->message[0] != '\0')
        ftr_print_error("%s", r->message);
    if (!options->quiet && options->json)
        print_json_recovery(messages, r);
    else if (!options->quiet)
        print_recovery(messages, r, to->name);
    return has_losses(r) ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

static int recover_with_journal(const recover_options *options, const char *journal,
                                const char *input, target *to)
{
    const ftr_recovery_options recovery = {.size = sizeof recovery,
                                           .threads = options->input.threads};
    ftr_recovery r = {0};
    const ftr_status status = ftr_recovery_run_with(journal, input, to->path, &recovery, &r);
    const int exit_status = finish_recovery(options, status, &r, to);
    if (status == FTR_ERR_FORMAT)
        ftr_print_error("use --journal none to recover only the file, without the journal");
    return exit_status;
}

/* Recovers the summary of a run that wrote no trace. */
static int recover_summary(const recover_options *options, const char *journal, target *to)
{
    ftr_recovery r = {0};
    const ftr_status status = ftr_recovery_summarize(journal, to->path, &r);
    return finish_recovery(options, status, &r, to);
}

/* Explains why a summary without a journal cannot be recovered. */
static int explain_summary(const char *input)
{
    char problem[FTR_MESSAGE_SIZE];
    ftr_killed_run_explain(input, problem);
    ftr_print_error("%s: %s", input, problem);
    return FTR_EXIT_TROUBLE;
}

/* ---- with the file alone --------------------------------------------------------------------- */

static bool is_journal(const char *path)
{
    static const char magic[8] = {'F', 'T', 'R', 'J', 'N', 'L', '\r', '\n'};
    char start[sizeof magic];
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return false;
    const size_t got = fread(start, 1, sizeof start, file);
    (void)fclose(file);
    return got == sizeof start && memcmp(start, magic, sizeof start) == 0;
}

static int repair_file(const recover_options *options, const char *input, target *to)
{
    const ftr_repair_options repair = {.size = sizeof repair,
                                       .threads = options->input.threads,
                                       .on_message = options->quiet ? NULL : print_message,
                                       .user = (void *)input};
    ftr_repair report;
    errno = 0;
    const ftr_status status = ftr_file_repair_with(input, to->path, &repair, &report);
    if (status == FTR_OK) {
        if (!deliver(to))
            return FTR_EXIT_TROUBLE;
        FILE *messages = ftr_output_messages(options->output);
        if (!options->quiet && options->json)
            print_json_report(messages, &report);
        else if (!options->quiet)
            print_report(messages, &report, to->name);
        return report.lost ? FTR_EXIT_FOUND : FTR_EXIT_OK;
    }
    if (status == FTR_ERR_ARGUMENT)
        ftr_print_error("%s: input and output are the same file", input);
    else if (status == FTR_ERR_IO)
        ftr_print_error("%s to %s: %s", input, to->name, strerror(errno));
    else if (status == FTR_ERR_FORMAT && is_journal(input))
        ftr_print_error("%s: it is a journal; name its trace: ftr recover TRACE -o OUTPUT", input);
    else if (status == FTR_ERR_FORMAT)
        ftr_print_error("%s: not an FTR file", input);
    else
        ftr_print_error("%s: %s", input, ftr_status_text(status));
    return FTR_EXIT_TROUBLE;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool parse_option(void *taken, int option, const char *argument)
{
    recover_options *options = taken;
    if (option == 'j')
        return ftr_input_parse_option(&options->input, option, argument);
    if (option == 'o')
        options->output = argument;
    else if (option == OPTION_JOURNAL)
        options->journal = argument;
    else if (option == OPTION_FORCE)
        options->force = true;
    else if (option == OPTION_JSON)
        options->json = true;
    else
        options->quiet = true;
    return true;
}

static const ftr_option_set OPTIONS = {&ftr_command_recover, ":hj:o:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    recover_options options = {0};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind != argc - 1)
        return ftr_misuse(&ftr_command_recover, "one file is expected");
    if (options.output == NULL)
        return ftr_misuse(&ftr_command_recover, "the output file is missing: name it with -o");
    const char *input = argv[optind];
    char journal[4096];
    find_journal(input, options.journal, journal, sizeof journal);
    const ftr_input_paths inputs = {argv + optind, 1, journal[0] != '\0' ? journal : NULL};
    target to;
    if (!choose_target(&to, &options, &inputs))
        return FTR_EXIT_TROUBLE;
    if (journal[0] == '\0' && ftr_is_summary(input))
        status = explain_summary(input);
    else if (journal[0] == '\0')
        status = repair_file(&options, input, &to);
    else if (ftr_is_summary(input) || ftr_killed_run_lacks_summary(input, journal))
        status = recover_summary(&options, journal, &to);
    else
        status = recover_with_journal(&options, journal, input, &to);
    remove_target(&to);
    return status;
}

const ftr_command ftr_command_recover = {
    "recover",
    "writes a sound file with the data of an incomplete or damaged one",
    run,
    "-o OUTPUT [OPTION]... FILE",
    "  -o, --output FILE       the file to write; - is stdout\n"
    "  --force                 replace FILE even if it is an FTR trace\n" FTR_THREADS_OPTION_TEXT
    "  --journal FILE          the journal of the killed recorder, or none; default: the journal\n"
    "                          beside FILE or in FTR_JOURNAL_DIR, if it exists\n"
    "  --json                  print the kept and the lost data as a JSON object\n"
    "  --quiet                 print only errors\n"
    "FILE is a trace, or the summary of a killed run.\n"
    "The input and its journal are never replaced. The output has the permissions of the run.\n"
    "Every complete chunk is kept byte for byte; of a damaged chunk, every complete entry is "
    "kept.\n"
    "Exit status: 0 nothing was lost, 1 something was lost (counts are printed), 2 error.\n",
};
