/* Reads the links of a trace. */
#include "run_links.h"

#include "stream_name_rules.h"

static bool is_run_stream(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return ftr_view_is(stream->name, FTR_RUN_STREAM);
}

/* Adds the links that transactions of `ftr.run` describe. @return false if out of memory */
static bool add_all(ftr_reader *reader, ftr_cursor *cursor, ftr_link_names *names)
{
    ftr_transaction tx;
    ftr_attribute_value attribute;
    bool ok = true;
    while (ok && ftr_cursor_next(cursor, &tx) == FTR_OK)
        while (ok && ftr_reader_next_attribute(reader, &tx, &attribute))
            if (attribute.form == FTR_FORM_TEXT && attribute.name.data != NULL)
                ok = ftr_link_names_add(names, attribute.name, attribute.as.text);
    return ok;
}

ftr_status ftr_run_links_read(ftr_reader *reader, ftr_link_names *names)
{
    const ftr_query query = {.size = sizeof query, .choose_stream = is_run_stream, .threads = 1};
    ftr_cursor *cursor;
    bool has_stream = false;
    *names = (ftr_link_names){0};
    for (size_t i = 0; i < ftr_reader_stream_count(reader) && !has_stream; i++)
        has_stream = is_run_stream(NULL, ftr_reader_get_stream(reader, i));
    if (!has_stream || ftr_cursor_open(reader, &query, &cursor) != FTR_OK)
        return FTR_OK;
    const bool ok = add_all(reader, cursor, names);
    ftr_cursor_close(cursor);
    if (ok && ftr_link_names_settle(names))
        return FTR_OK;
    ftr_link_names_release(names);
    return FTR_ERR_MEMORY;
}
