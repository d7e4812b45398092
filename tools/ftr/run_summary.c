/* Reads and prints the stream ftr.run. */
#include "run_summary.h"

#include "json_writer.h"
#include "stream_name_rules.h"
#include "text_view.h"
#include "transaction_text.h"

#include <string.h>

#define NAME_WIDTH 20

static bool is_run_stream(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return ftr_view_is(stream->name, FTR_RUN_STREAM);
}

typedef void attribute_taker(void *user, const ftr_attribute_value *attribute);

/* Calls @p take for each attribute that has a name. */
static ftr_status for_each_attribute(ftr_reader *reader, attribute_taker *take, void *user)
{
    const ftr_query query = {.size = sizeof query, .choose_stream = is_run_stream};
    ftr_cursor *cursor;
    ftr_status status = ftr_cursor_open(reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    ftr_transaction tx;
    ftr_attribute_value attribute;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK)
        while (ftr_reader_next_attribute(reader, &tx, &attribute))
            if (attribute.name.data != NULL)
                take(user, &attribute);
    ftr_cursor_close(cursor);
    return status;
}

static void count(void *user, const ftr_attribute_value *attribute)
{
    ftr_run_summary *summary = user;
    summary->present = true;
    if (attribute->form != FTR_FORM_NUMBER)
        return;
    if (ftr_view_is(attribute->name, "transactions")) {
        /* The number does not include the transaction that has this attribute, so 1 is added. */
        summary->transactions += attribute->as.number + 1;
        summary->counted = true;
    } else if (ftr_view_is(attribute->name, "open_transactions")) {
        /* open transactions are ended when the file is closed, so they are counted, too */
        summary->transactions += attribute->as.number;
    }
}

ftr_status ftr_run_summarize(ftr_reader *reader, ftr_run_summary *summary)
{
    *summary = (ftr_run_summary){.present = false};
    return for_each_attribute(reader, count, summary);
}

typedef struct printing {
    ftr_printer *out;
    int time_scale;
} printing;

static bool begins(ftr_view name, const char *with)
{
    return ftr_text_begins(name.data, name.size, with);
}

/* Returns true for attributes that are printed together, as a line for each link. */
static bool describes_link(const ftr_attribute_value *attribute)
{
    if (attribute->form != FTR_FORM_TEXT || attribute->as.text.size == 0)
        return false;
    return begins(attribute->name, "initiator.") || begins(attribute->name, "target.") ||
           (begins(attribute->name, "protocol.") &&
            ftr_view_is(attribute->as.text, "base-protocol"));
}

static void print_plain(void *user, const ftr_attribute_value *attribute)
{
    const printing *p = user;
    const ftr_view name = attribute->name;
    if (begins(name, "transactions.") || describes_link(attribute))
        return;
    ftr_print_string(p->out, "  ");
    ftr_print_plain(p->out, name.data, name.size);
    for (size_t i = name.size; i < NAME_WIDTH; i++)
        ftr_print_char(p->out, ' ');
    if (name.size >= NAME_WIDTH)
        ftr_print_string(p->out, "  ");
    ftr_put_value_plain(p->out, attribute, (ftr_value_style){.time_scale = p->time_scale});
    ftr_print_char(p->out, '\n');
}

ftr_status ftr_run_print_plain(ftr_printer *out, ftr_reader *reader, int time_scale)
{
    printing p = {out, time_scale};
    return for_each_attribute(reader, print_plain, &p);
}

static void put_json(void *user, const ftr_attribute_value *attribute)
{
    ftr_json_name(user, attribute->name.data, attribute->name.size);
    ftr_put_value_json(((ftr_json *)user)->out, attribute);
}

ftr_status ftr_run_put_json(ftr_json *json, const char *name, ftr_reader *reader)
{
    ftr_json_open(json, name, '{');
    const ftr_status status = for_each_attribute(reader, put_json, json);
    ftr_json_close(json, '}');
    return status;
}
