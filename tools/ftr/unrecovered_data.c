/* Reads the stream of losses. Recognises losses by their texts, because other recorders of the
 * format have no number for them. */
#include "unrecovered_data.h"

#include "command.h"
#include "stream_name_rules.h"
#include "text_view.h"

#include <ftr/recovery.h>

#include <inttypes.h>
#include <string.h>

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
static bool report(ftr_reader *reader, ftr_transaction *tx, const char *path)
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
        found |= report(reader, &tx, path);
    ftr_cursor_close(cursor);
    if (status == FTR_ERR_END)
        *any = found;
    return status;
}
