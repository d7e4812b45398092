/* Prints messages, and combines warnings of one kind. */
#include "report.h"

#include "plain_message.h"

#include <stdarg.h>
#include <string.h>

#define NAMES_SHOWN 4

static void put_place(FILE *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ftr_vprint_message(to, "", format, arguments, ": ");
    va_end(arguments);
}

static void put(const ftr_link_report *report, const char *kind, const char *where,
                const char *format, va_list arguments)
{
    if (report->program != NULL)
        fprintf(report->out, "%s: ", report->program);
    if (kind != NULL)
        fprintf(report->out, "%s: ", kind);
    if (where != NULL)
        put_place(report->out, "%s", where);
    ftr_vprint_message(report->out, "", format, arguments, "\n");
}

void ftr_report_error(ftr_link_report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(report, report->program == NULL ? "error" : NULL, where, format, arguments);
    va_end(arguments);
    report->errors++;
}

void ftr_report_warning(ftr_link_report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(report, "warning", where, format, arguments);
    va_end(arguments);
    report->warnings++;
}

void ftr_report_note(ftr_link_report *report, int level, const char *format, ...)
{
    if (report->verbosity < level)
        return;
    va_list arguments;
    va_start(arguments, format);
    put(report, "note", NULL, format, arguments);
    va_end(arguments);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool is_same_position(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

ftr_message_group *ftr_message_groups_add(ftr_link_arena *arena, ftr_message_groups *groups,
                                          const char *where, const char *text, const char *function)
{
    size_t i = 0;
    while (i < groups->count && (!is_same_position(groups->groups[i].where, where) ||
                                 strcmp(groups->groups[i].text, text) != 0))
        i++;
    if (i == groups->count) {
        ftr_message_group group = {.where = where, .text = text};
        FTR_ARENA_APPEND(arena, groups->groups, groups->count, group);
    }
    ftr_message_group *group = &groups->groups[i];
    if (!ftr_name_list_has(&group->names, function))
        ftr_name_list_add(arena, &group->names, function);
    return group;
}

void ftr_message_group_detail(ftr_link_arena *arena, ftr_message_group *group, const char *where,
                              const char *text)
{
    ftr_name_list_add(arena, &group->places, where);
    ftr_name_list_add(arena, &group->details, text);
}

static const char *names_text(ftr_link_arena *arena, const ftr_name_list *names, bool all)
{
    const char *text = "";
    size_t shown = all || names->count <= NAMES_SHOWN + 1 ? names->count : NAMES_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const char *separator = !i ? "" : i + 1 == names->count ? " and " : ", ";
        text = ftr_arena_print(arena, "%s%s%s", text, separator, names->names[i]);
    }
    if (shown < names->count)
        text = ftr_arena_print(arena, "%s and %zu more", text, names->count - shown);
    return text;
}

void ftr_message_groups_print(ftr_link_arena *arena, ftr_link_report *report,
                              const ftr_message_groups *groups)
{
    const bool verbose = report->verbosity >= 1;
    for (size_t i = 0; i < groups->count; i++) {
        const ftr_message_group *group = &groups->groups[i];
        const size_t details = group->details.count;
        if (details && (verbose || details <= NAMES_SHOWN)) {
            for (size_t k = 0; k < details; k++)
                ftr_report_warning(report, group->places.names[k], "%s", group->details.names[k]);
            continue;
        }
        const bool one = group->names.count == 1 && strncmp(group->text, "are ", 4) == 0;
        const bool more = details || group->names.count > NAMES_SHOWN + 1;
        ftr_report_warning(report, group->where, "%s %s%s%s",
                           names_text(arena, &group->names, verbose), one ? "is " : "",
                           group->text + (one ? 4 : 0), more && !verbose ? " (-v names each)" : "");
    }
}
