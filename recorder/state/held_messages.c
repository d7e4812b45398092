/* Keeps messages in the order in which they were added. */
#include "held_messages.h"

#include <stdlib.h>
#include <string.h>

struct ftr_held_message {
    ftr_held_message *next;
    ftr_severity severity;
    char text[];
};

static _Thread_local ftr_held_messages *held;

void ftr_messages_hold(ftr_held_messages *messages)
{
    held = messages;
}

bool ftr_messages_add(ftr_severity severity, const char *text)
{
    const size_t size = strlen(text) + 1;
    ftr_held_message *message = held != NULL ? malloc(sizeof *message + size) : NULL;
    if (message == NULL)
        return false;
    message->next = NULL;
    message->severity = severity;
    memcpy(message->text, text, size);
    if (held->last != NULL)
        held->last->next = message;
    else
        held->first = message;
    held->last = message;
    return true;
}

void ftr_messages_pass_on(ftr_held_messages *messages, const ftr_recorder_options *options)
{
    ftr_held_message *message = messages->first;
    *messages = (ftr_held_messages){0};
    while (message != NULL) {
        ftr_held_message *next = message->next;
        if (options->report != NULL)
            options->report(options->report_user, message->severity, message->text);
        free(message);
        message = next;
    }
}
