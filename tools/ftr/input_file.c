/* Files that subcommands read, and the messages about their errors. */
#include "input_file.h"

#include "call_roles.h"
#include "command.h"
#include "stream_name_rules.h"
#include "text_view.h"
#include "work_queue.h"

#include <ftr/detail/size_text.h>
#include <ftr/recovery.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FINDINGS_PRINTED 10
#define THREADS_MAX 1024

unsigned ftr_input_threads(const ftr_input_options *options)
{
    return options->threads > 0 ? options->threads : ftr_processor_count();
}

static void print_finding(void *user, const ftr_finding *finding)
{
    ftr_input *input = user;
    /* Only `ftr check` reports findings that concern only viewers. */
    if (!input->viewers && finding->concerns != FTR_FOR_ALL)
        return;
    if (input->growing && (strcmp(finding->rule, "end") == 0 || strcmp(finding->rule, "torn") == 0))
        return;
    if (finding->severity == FTR_SEVERITY_ERROR)
        input->errors++;
    else
        input->warnings++;
    if (input->silent || (input->printed >= FINDINGS_PRINTED && !input->print_all))
        return;
    input->printed++;
    ftr_print_error("%s: byte %" PRIu64 ": %s [%s]", input->path, finding->offset, finding->message,
                    finding->rule);
}

void ftr_input_find_journal(const char *path, char *journal, size_t size)
{
    if (ftr_recovery_find(path, secure_getenv("FTR_JOURNAL_DIR"), journal, size) != FTR_OK ||
        access(journal, F_OK) != 0)
        journal[0] = '\0';
}

/* A process that records locks its journal. If the journal is not locked, the process has
 * crashed. */
bool ftr_input_find_crash(const char *path, char *journal, size_t size)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    ftr_input_find_journal(path, journal, size);
    const int fd = journal[0] != '\0' ? open(journal, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    const bool crashed = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
    (void)close(fd);
    return crashed;
}

void ftr_input_report_crash(const char *path)
{
    char journal[4096];
    if (ftr_input_find_crash(path, journal, sizeof journal))
        ftr_print_error("%s: warning: the recording crashed; 'ftr recover %s -o OUTPUT' adds the "
                        "transactions in its journal, '%s'",
                        path, path, journal);
}

void ftr_input_report_calls(const char *path, const ftr_reader *reader)
{
    static bool is_reported;
    if (is_reported || !ftr_trace_has_calls(reader))
        return;
    is_reported = true;
    ftr_print_error("%s: has several transactions for each TLM access; 'ftr accesses %s -o OUTPUT' "
                    "folds them into one",
                    path, path);
}

bool ftr_input_is_empty(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == 0;
}

bool ftr_input_open(ftr_input *input, const char *path, const ftr_input_options *options)
{
    *input = (ftr_input){.path = path,
                         .silent = options->silent,
                         .print_all = options->print_all,
                         .viewers = options->viewers,
                         .growing = options->growing,
                         .threads = ftr_input_threads(options),
                         .memory = options->memory > 0 ? options->memory : FTR_INPUT_MEMORY};
    const ftr_reader_options reading = {
        .size = sizeof reading,
        .memory = options->memory,
        .numbering = options->numbering,
        .spool = options->spool,
        .threads = input->threads,
        .finding = print_finding,
        .finding_user = input,
        .without_index = options->without_index,
    };
    if (!options->silent)
        ftr_input_report_crash(path);
    errno = 0;
    const ftr_status status = ftr_reader_open(path, &reading, &input->reader);
    if (status == FTR_OK) {
        if (options->names_calls)
            ftr_input_report_calls(path, input->reader);
        return true;
    }
    if (status == FTR_ERR_IO)
        ftr_print_error("%s: %s", path, strerror(errno));
    else if (status == FTR_ERR_FORMAT)
        ftr_print_error("%s: %s", path,
                        ftr_input_is_empty(path) ? "the file is empty" : "not an FTR file");
    else if (status == FTR_ERR_LIMIT)
        ftr_print_error("%s: its index exceeds the memory budget; raise --memory", path);
    else
        ftr_print_error("%s: %s", path, ftr_status_text(status));
    return false;
}

void ftr_input_close(ftr_input *input)
{
    const uint64_t findings = input->errors + input->warnings;
    if (!input->silent && findings > input->printed)
        ftr_print_error("%s: %" PRIu64 " more findings; 'ftr check' lists them", input->path,
                        findings - input->printed);
    ftr_reader_close(input->reader);
    input->reader = NULL;
}

bool ftr_input_check_end(const ftr_input *input, ftr_status status)
{
    if (status == FTR_OK || status == FTR_ERR_END)
        return true;
    if (status == FTR_ERR_IO)
        ftr_print_error("%s: %s", input->path, strerror(errno));
    else
        ftr_print_error("%s: %s", input->path, ftr_status_text(status));
    return false;
}

/* ---- data that was lost before --------------------------------------------------------------- */

/* Losses are recognised by their texts, because other recorders of the format have no number for
 * them. */

static bool is_loss_stream(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return ftr_stream_has_losses(stream->name.data, stream->name.size, stream->kind.data,
                                 stream->kind.size);
}

static bool contains(ftr_view what, const char *part)
{
    return what.data != NULL && memmem(what.data, what.size, part, strlen(part)) != NULL;
}

/* Prints the loss @p tx if it is due to data that could not be recovered. */
static bool report_loss(ftr_reader *reader, ftr_transaction *tx, const char *path)
{
    ftr_view what = {NULL, 0};
    uint64_t count = 0;
    bool has_count = false;
    ftr_attribute_value attribute;
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        if (attribute.form == FTR_FORM_TEXT && ftr_view_is(attribute.name, "what")) {
            what = attribute.as.text;
        } else if (attribute.form == FTR_FORM_NUMBER && ftr_view_is(attribute.name, "count")) {
            count = attribute.as.number;
            has_count = true;
        }
    }
    if (!contains(what, FTR_NOT_RECOVERED))
        return false;
    if (!has_count)
        ftr_print_error("%s: %.*s", path, (int)what.size, what.data);
    else if (contains(what, FTR_LOST_AT_MOST))
        ftr_print_error("%s: " FTR_NOT_RECOVERED
                        ": an unknown number of transactions and relations "
                        "is lost, at most %" PRIu64,
                        path, count);
    else
        ftr_print_error("%s: " FTR_NOT_RECOVERED ": %" PRIu64 " transactions are lost", path,
                        count);
    return true;
}

ftr_status ftr_unrecovered_report(ftr_reader *reader, const char *path, bool *any)
{
    const ftr_query query = {.size = sizeof query, .choose_stream = is_loss_stream};
    ftr_cursor *cursor;
    ftr_transaction tx;
    bool found = false;
    ftr_status status = ftr_cursor_open(reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK)
        found |= report_loss(reader, &tx, path);
    ftr_cursor_close(cursor);
    if (status == FTR_ERR_END)
        *any = found;
    return status;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_memory(const char *text, size_t *memory)
{
    uint64_t size;
    if (!ftr_size_parse(text, &size) || size > SIZE_MAX)
        return false;
    *memory = (size_t)size;
    return true;
}

static bool parse_threads(const char *text, unsigned *threads)
{
    char *end;
    errno = 0;
    const unsigned long number = strtoul(text, &end, 10);
    *threads = (unsigned)number;
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && number > 0 &&
           number <= THREADS_MAX;
}

bool ftr_input_parse_option(ftr_input_options *options, int option, const char *argument)
{
    if (option == FTR_OPTION_MEMORY)
        return parse_memory(argument, &options->memory);
    if (option == 'j')
        return parse_threads(argument, &options->threads);
    if (strcmp(argument, "deployed") == 0)
        options->numbering = FTR_READER_NUMBERING_DEPLOYED;
    else if (strcmp(argument, "spec") == 0 || strcmp(argument, "text") == 0) /* "text": ftr 0.1 */
        options->numbering = FTR_READER_NUMBERING_SPEC;
    else
        return false;
    return true;
}
