/* Stores the messages of the writer thread while another thread waits for the writer thread. The
 * waiting thread passes the messages to the user afterwards. The callback of the user therefore
 * runs on the thread that called the recorder, and not while files are opened or closed. */
#ifndef FTR_HELD_MESSAGES_H
#define FTR_HELD_MESSAGES_H

#include <stdbool.h>

#include <ftr/recorder.h>

typedef struct ftr_held_message ftr_held_message;

typedef struct ftr_held_messages {
    ftr_held_message *first;
    ftr_held_message *last;
} ftr_held_messages;

/* From now on, messages of the calling thread are added to @p messages; NULL: no longer. */
void ftr_messages_hold(ftr_held_messages *messages);

/* Adds a message if the calling thread holds its messages. Returns false if the thread does not
 * hold messages, or if out of memory: the caller then passes the message to the user. */
bool ftr_messages_add(ftr_severity severity, const char *text);

/* Passes all messages to the callback in @p options, and frees them. */
void ftr_messages_pass_on(ftr_held_messages *messages, const ftr_recorder_options *options);

#endif
