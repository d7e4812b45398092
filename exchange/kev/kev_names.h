/* Names of the numbers in a log, and labels and arguments of events. Some names depend on the
 * release of QNX. */
#ifndef FTR_KEV_NAMES_H
#define FTR_KEV_NAMES_H

#include <ftr/kev.h>

/* All names are static; NULL: unknown number. */
const char *ftr_kev_state_name(unsigned state, unsigned release);
const char *ftr_kev_call_name(unsigned call, unsigned release);
const char *ftr_kev_name_of(const ftr_kev_event *event, unsigned release);

/* ---- labels and named arguments, as QNX publishes them for its traceprinter ------------------ */

#define FTR_KEV_LABEL_SIZE 48

/* Formats the label of an event's class, for example KER_EXIT, INT_ENTR or THREAD. */
void ftr_kev_class_label(const ftr_kev_event *event, char label[FTR_KEV_LABEL_SIZE]);
/* Formats the label of an event, for example MSG_SENDV/11 or THREADY. If the label is not known,
 * formats the number of the event. */
void ftr_kev_event_label(const ftr_kev_event *event, unsigned release,
                         char label[FTR_KEV_LABEL_SIZE]);

/* Returns the descriptions of the arguments of an event, separated by blanks, in the order of the
 * words; NULL if they are unknown. Each description is [*]NAME[/TYPE]. An event with two words
 * contains only the arguments with a star. The name `-` stands for a word that the label contains.
 * Types: none: decimal number; x: hexadecimal number; X: hexadecimal number of two words; s: four
 * bytes of a message; n: the text of the event. */
const char *ftr_kev_arguments(const ftr_kev_event *event, unsigned release);

#endif
