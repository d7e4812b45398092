/* The labels and arguments of events. QNX publishes them for traceprinter (System Analysis Toolkit,
 * "Table of events"): the names of arguments, their order, which of them are in the short list (*),
 * and which are hexadecimal (/x). Only examples were compared with QNX's table, and nothing was
 * compared with a real log. An event does not state whether it has the short list: an event with
 * two words has the short list. */

#include "kev_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define CALLS FTR_KEV_CALL_NUMBERS
#define CALL_KINDS 3 /* entry, exit, interruption */

static unsigned call_kind(const ftr_kev_event *event)
{
    return (event->number & ~FTR_KEV_64) / CALLS;
}

/* ---- labels ---------------------------------------------------------------------------------- */

void ftr_kev_class_label(const ftr_kev_event *event, char label[FTR_KEV_LABEL_SIZE])
{
    static const char *const CALL_LABELS[CALL_KINDS] = {"KER_CALL", "KER_EXIT", "INT_CALL"};
    static const char *const INTERRUPT_LABELS[] = {
        NULL,       "INT_ENTR",         "INT_EXIT",   "INT_HANDLER_ENTR", "INT_HANDLER_EXIT",
        "INT_ENTR", "INT_HANDLER_ENTR", "INT_DELIVER"};
    const char *name = ftr_kev_class_name(event);
    if (event->class_ == FTR_KEV_CALL && call_kind(event) < CALL_KINDS)
        name = CALL_LABELS[call_kind(event)];
    else if (event->class_ == FTR_KEV_INTERRUPT && event->number >= FTR_KEV_INTERRUPT_ENTRY &&
             event->number <= FTR_KEV_INTERRUPT_DELIVER)
        name = INTERRUPT_LABELS[event->number];
    if (name != NULL)
        (void)snprintf(label, FTR_KEV_LABEL_SIZE, "%s", name);
    else
        (void)snprintf(label, FTR_KEV_LABEL_SIZE, "class:%u", event->class_);
}

/* Formats MsgSendv as MSG_SENDV. */
static void upper_case(const char *name, char *label, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; name[i] != '\0' && used + 2 < size; i++) {
        if (i > 0 && isupper((unsigned char)name[i]))
            label[used++] = '_';
        label[used++] = (char)toupper((unsigned char)name[i]);
    }
    label[used] = '\0';
}

static void call_label(const ftr_kev_event *event, unsigned release, char *label)
{
    static const char *const JOINED[] = {"MSG_RECEIVE_PULSEV", "MSG_KEY_DATA",
                                         "THREAD_DESTROY_ALL"};
    const unsigned call = event->number % CALLS;
    const char *name = ftr_kev_call_name(call, release);
    char upper[FTR_KEV_LABEL_SIZE - 8];
    if (name == NULL) {
        (void)snprintf(label, FTR_KEV_LABEL_SIZE, "%u", call);
        return;
    }
    upper_case(name, upper, sizeof upper);
    for (size_t i = 0; i < sizeof JOINED / sizeof JOINED[0]; i++)
        if (strcmp(upper, JOINED[i]) == 0) {
            char *bar = strrchr(upper, '_');
            memmove(bar, bar + 1, strlen(bar));
        }
    (void)snprintf(label, FTR_KEV_LABEL_SIZE, "%s/%02u", upper, call);
}

static const char *system_label(unsigned number)
{
    switch (number & ~FTR_KEV_64) {
    case 2:
        return "PATHMGR_OPEN";
    case 4:
        return "APS_NEW_BUDGET";
    case 5:
        return "APS_BANKRUPTCY";
    case 21:
        return "MAPNAME";
    default:
        return NULL;
    }
}

static const char *communication_label(unsigned number)
{
    static const char *const LABELS[] = {"SND_MESSAGE",   "SND_PULSE",     "REC_MESSAGE",
                                         "REC_PULSE",     "SND_PULSE_EXE", "SND_PULSE_DIS",
                                         "SND_PULSE_DEA", "SND_PULSE_UN",  "SND_PULSE_QUN",
                                         "SIGNAL",        "REPLY_MESSAGE", "MSG_ERROR"};
    return number < sizeof LABELS / sizeof LABELS[0] ? LABELS[number] : NULL;
}

void ftr_kev_event_label(const ftr_kev_event *event, unsigned release,
                         char label[FTR_KEV_LABEL_SIZE])
{
    const bool is_thread = event->class_ == FTR_KEV_THREAD;
    const char *name = ftr_kev_name_of(event, release);
    if (event->class_ == FTR_KEV_CALL) {
        call_label(event, release, label);
        return;
    }
    if (event->class_ == FTR_KEV_INTERRUPT) {
        const bool handler =
            event->number == FTR_KEV_HANDLER_ENTRY || event->number == FTR_KEV_HANDLER_ENTRY_64;
        const uint32_t interrupt = event->words[handler ? 1 : 0];
        (void)snprintf(label, FTR_KEV_LABEL_SIZE, "0x%08x (%u)", interrupt, interrupt);
        return;
    }
    if (event->class_ == FTR_KEV_SYSTEM && system_label(event->number) != NULL)
        name = system_label(event->number);
    else if (event->class_ == FTR_KEV_COMMUNICATION)
        name = communication_label(event->number);
    if (event->class_ == FTR_KEV_USER)
        (void)snprintf(label, FTR_KEV_LABEL_SIZE, "EVENT:%u", event->number);
    else if (name == NULL)
        (void)snprintf(label, FTR_KEV_LABEL_SIZE, "%u", event->number);
    else if (is_thread && event->number == FTR_KEV_THREAD_NAME)
        (void)snprintf(label, FTR_KEV_LABEL_SIZE, "PROC%s", name); /* PROCTHREAD_NAME */
    else
        (void)snprintf(label, FTR_KEV_LABEL_SIZE, "%s%s",
                       !is_thread           ? ""
                       : event->number < 64 ? "TH"
                                            : "PROC",
                       name);
}

/* ---- arguments ------------------------------------------------------------------------------- */

#define SIGEVENT                                                                  \
    "*event->sigev_notify event->sigev_notify_function_p/x event->sigev_value/x " \
    "event->sigev_notify_attributes_p/x"
#define MESSAGE_INFO                                                     \
    "info->srcnd info->pid info->tid info->chid info->scoid info->coid " \
    "info->msglen info->srcmsglen info->dstmsglen info->priority info->flags"
#define STATUS "*ret_val *empty/x"

static const char *call_arguments(unsigned call)
{
    switch (call) {
    case 0:
        return "*dummy/x *empty/x";
    case 1:
        return "*mode/x *class[header]/x event[time_off]/x data_1/x data_2/x";
    case 2:
        return "*func_p/x *arg_p/x";
    case 7:
        return "*index *empty/x";
    case 8:
        return "*index *value/x";
    case 10:
        return "*rcvid/x *empty/x";
    case 11:
    case 12:
        return "*coid/x sparts rparts *msg/s /s /s";
    case 13:
        return "*rcvid/x *err";
    case 14:
    case 24:
        return "*chid/x *rparts";
    case 15:
        return "*rcvid/x sparts *status/x smsg/s /s /s";
    case 16:
        return "*rcvid/x rmsg_p/x rparts *offset/x";
    case 17:
        return "*rcvid/x sparts *offset/x msg/s /s /s";
    case 18:
        return "*src_rcvid/x *dst_rcvid/x";
    case 19:
        return "*rcvid/x *info_p/x";
    case 20:
        return "*coid/x priority *code/x value/x";
    case 21:
    case 25:
        return "*rcvid/x " SIGEVENT;
    case 22:
        return "*rcvid/x *op/x";
    case 23:
        return "*rcvid/x parts *offset/x flags/x";
    case 26:
        return "nd/x *pid tid *signo code/x value/x";
    case 28:
        return "*sigcode *addr/x";
    case 35:
        return "*flags/x *empty/x";
    case 36:
        return "*chid/x *empty/x";
    case 37:
        return "*chid *flags/x";
    case 39:
        return "nd/x *pid chid/x index flags/x";
    case 40:
        return "*coid/x *empty/x";
    case 41:
        return "*pid *coid/x";
    case 42:
        return "*scoid/x *ngroups";
    case 43:
        return "pid *coid/x masks/x *bits/x";
    case 47:
        return "*tid priority *status_p/x";
    case 48:
    case 90:
        return "*empty/x *empty/x";
    case 49:
        return "*tid *empty/x";
    case 50:
        return "*tid *status_p/x";
    case 51:
        return "*tid *canstub_p/x";
    case 52:
        return "*cmd/x *data_p/x";
    case 55:
        return "*intr handler_p/x area_p/x areasize *flags/x";
    case 56:
        return "*intr *handler_p/x";
    case 57:
        return "*id *empty/x";
    case 58:
        return "*flags/x *timeout_tv_sec timeout_tv_nsec";
    case 59:
    case 60:
        return "*intr *id";
    case 65:
        return "*id *new(sec) new(nsec)";
    case 66:
        return "*id *new->tick_count new->tick_nsec_inc";
    case 67:
        return "*id *new->nsec new->fract";
    case 68:
    case 88:
        return "*pid *tid";
    case 70:
        return "*id/x " SIGEVENT;
    case 71:
        return "*id/x *empty/x";
    case 72:
        return "*id/x flags/x *itime->nsec(sec) itime->nsec(nsec) itime->interval_nsec(sec) "
               "itime->interval_nsec(nsec)";
    case 73:
        return "*pid *id/x flags/x info_p/x";
    case 79:
    case 80:
    case 81:
        return "*sync_p/x count *owner";
    case 82:
        return "*sync_p/x *mutex_p/x sync->count sync->owner mutex->count mutex->owner";
    case 83:
        return "*sync_p/x *all sync->count sync->owner";
    case 84:
        return "*sync_p/x *count owner";
    case 85:
        return "*sync_p/x try *count owner";
    case 86:
        return "*cmd *sync_p/x data_p/x count owner";
    case 91:
        return "*pid *policy";
    case 92:
        return "*cmd/x *empty/x";
    default:
        return NULL;
    }
}

static const char *exit_arguments(unsigned call)
{
    switch (call) {
    case 11:
        return "*status *rmsg/s /s /s";
    case 12:
        return "*ret_val/x *rmsg/s /s /s";
    case 14:
    case 24:
        return "*rcvid/x *rmsg/s /s /s info->nd " MESSAGE_INFO " info->reserved";
    case 16:
    case 23:
        return "*rbytes *rmsg/s /s /s";
    case 17:
        return "*wbytes *empty/x";
    case 18:
        return "*msglen *empty/x";
    case 19:
        return "*ret_val/x *info->nd " MESSAGE_INFO " empty/x";
    case 20:
    case 25:
        return "*status *empty/x";
    case 35:
        return "*chid/x *empty/x";
    case 39:
        return "*coid/x *empty/x";
    case 43:
        return "*old_flags/x *empty/x";
    case 46:
        return "*thread_id/x *owner/x";
    case 55:
        return "*int_fun_id/x *empty/x";
    case 59:
    case 60:
        return "*mask_level/x *empty/x";
    case 65:
        return "*ret_val *old(sec) old(nsec)";
    case 66:
        return "*ret_val *old->tick_count old->tick_nsec_inc";
    case 67:
        return "*ret_val *old->nsec old->fract";
    case 70:
        return "*timer_id/x *empty/x";
    case 75:
        return "*prev_timeout_flags/x *otime(sec) otime(nsec)";
    case 13:
    case 15:
    case 26:
    case 56:
    case 57:
    case 58:
        return STATUS;
    default:
        return call >= 78 && call <= 87 ? STATUS : "*ret_val/x *empty/x";
    }
}

static const char *thread_arguments(unsigned number)
{
    switch (number) {
    case FTR_KEV_PROCESS_CREATE:
    case FTR_KEV_PROCESS_DESTROY:
        return "*ppid *pid";
    case FTR_KEV_PROCESS_CREATE_NAME:
    case FTR_KEV_PROCESS_DESTROY_NAME:
        return "*ppid *pid name/n";
    case FTR_KEV_THREAD_NAME:
        return "*pid *tid name/n";
    default:
        return number < 64 ? "*pid *tid priority policy partition sched_flags/x" : NULL;
    }
}

static const char *system_arguments(unsigned number)
{
    switch (number) {
    case 2:
        return "*pid *tid path/n";
    case 3:
        return "*partition_id name/n";
    case 4:
        return "*partition_id *percentage_budget critical_budget";
    case 5:
        return "*pid *tid partition_id";
    case 6:
        return "*pid vaddr/X len/X flags/x prot/x fd align/X offset/X path/n";
    case 7:
        return "*pid vaddr/X len/X";
    case 8:
        return "*pid *vaddr/x len/x name/n";
    case 9:
        return "*addr/x";
    case FTR_KEV_FUNCTION_ENTER:
    case FTR_KEV_FUNCTION_EXIT:
        return "*thisfn/x *call_site/x";
    case FTR_KEV_64 | 9:
        return "addr/X";
    case FTR_KEV_64 | FTR_KEV_FUNCTION_ENTER:
    case FTR_KEV_64 | FTR_KEV_FUNCTION_EXIT:
        return "thisfn/X call_site/X";
    case 12:
        return "*opcode *severity message/n";
    case 21:
        return "pid vaddr/X len/X name/n";
    default:
        return NULL;
    }
}

const char *ftr_kev_arguments(const ftr_kev_event *event, unsigned release)
{
    const bool wide = (event->number & FTR_KEV_64) != 0;
    switch (event->class_) {
    case FTR_KEV_CONTROL:
        return event->number == FTR_KEV_TIME ? "*msb/x *lsb(offset)/x" : NULL;
    case FTR_KEV_CALL:
        if (wide || ftr_kev_call_name(event->number % CALLS, release) == NULL)
            return NULL;
        return call_kind(event) == 0   ? call_arguments(event->number)
               : call_kind(event) == 1 ? exit_arguments(event->number % CALLS)
                                       : NULL;
    case FTR_KEV_THREAD:
        return thread_arguments(event->number);
    case FTR_KEV_SYSTEM:
        return system_arguments(event->number);
    case FTR_KEV_COMMUNICATION:
        return event->number <= 1   ? (event->number == 0 ? "*rcvid/x *pid" : "*scoid/x *pid")
               : event->number == 2 ? "*rcvid/x *pid"
               : event->number <= 8 ? "*scoid/x *pid"
               : event->number == 9
                   ? "*si_signo *si_code si_errno __pad[0]/x __pad[1]/x __pad[2]/x "
                     "__pad[3]/x __pad[4]/x __pad[5]/x"
               : event->number <= 11 ? "*tid *pid"
                                     : NULL;
    case FTR_KEV_INTERRUPT:
        switch (event->number) {
        case FTR_KEV_INTERRUPT_ENTRY:
            return "- *IP/x";
        case FTR_KEV_INTERRUPT_EXIT:
            return "- *inkernel/x";
        case FTR_KEV_HANDLER_ENTRY:
            return "*PID - IP/x AREA/x";
        default:
            return NULL;
        }
    default:
        return NULL;
    }
}
