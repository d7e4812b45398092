/* Names of classes, events, thread states and kernel calls. The numbers are those of QNX's public
 * headers sys/trace.h, sys/states.h and sys/kercalls.h. */
#include "kev_names.h"

#define COUNT(names) (sizeof(names) / sizeof(names)[0])
#define RELEASE_8 8

static const char *name_at(const char *const *names, size_t count, unsigned number)
{
    return number < count ? names[number] : NULL;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Returns the name of a state that has another number in QNX 8 than before; NULL for other
 * states. */
static const char *state_of_8(unsigned state)
{
    switch (state) {
    case 7:
        return "MQ_SEND";
    case 8:
        return "MQ_RECEIVE";
    case 19:
        return "RWLOCK_READ";
    case 20:
        return "RWLOCK_WRITE";
    case 21:
        return "BARRIER";
    case 22:
        return "PIPE";
    case 26:
        return "MUON_MUTEX";
    case 27:
        return "TRACEBUFFER";
    case 28:
        return "INTR_ATTACH_EV";
    case 29:
        return "TIMER_DELEGATE";
    case 30:
        return "SEND_NOTIFY";
    default:
        return NULL;
    }
}

const char *ftr_kev_state_name(unsigned state, unsigned release)
{
    static const char *const NAMES[] = {
        "DEAD",    "RUNNING",    "READY",    "STOPPED",    "SEND",        "RECEIVE",   "REPLY",
        "STACK",   "WAITTHREAD", "WAITPAGE", "SIGSUSPEND", "SIGWAITINFO", "NANOSLEEP", "MUTEX",
        "CONDVAR", "JOIN",       "INTR",     "SEM",        "WAITCTX",     "NET_SEND",  "NET_REPLY",
        NULL,      NULL,         NULL,       "CREATE",     "DESTROY"};
    const char *name = release >= RELEASE_8 ? state_of_8(state) : NULL;
    return name != NULL ? name : name_at(NAMES, COUNT(NAMES), state);
}

static const char *process_name(unsigned number)
{
    static const char *const NAMES[] = {NULL,          "CREATE",       "DESTROY",
                                        "CREATE_NAME", "DESTROY_NAME", "THREAD_NAME"};
    return number % 64 == 0 ? name_at(NAMES, COUNT(NAMES), number / 64) : NULL;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static const char *call_of_8(unsigned call)
{
    switch (call) {
    case 61:
        return "InterruptUnblock";
    case 62:
        return "InterruptCtl";
    case 76:
        return "TimerDelegate";
    case 77:
        return "SyncRwlock";
    case 87:
        return "SyncBarrierWait";
    case 93:
        return "MsgQueueOpen";
    case 94:
        return "MsgQueueSend";
    case 95:
        return "MsgQueueReceive";
    case 96:
        return "MsgQueueClose";
    case 97:
        return "MsgQueueCtl";
    case 100:
        return "PipeClose";
    case 104:
        return "SyncTypeDestroy";
    default:
        return NULL;
    }
}

const char *ftr_kev_call_name(unsigned call, unsigned release)
{
    static const char *const NAMES[] = {/*   0 */ "Nop",
                                        "TraceEvent",
                                        "Ring0",
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL,
                                        "SysCpupageGet",
                                        /*   8 */ "SysCpupageSet",
                                        NULL,
                                        "MsgCurrent",
                                        "MsgSendv",
                                        "MsgSendvnc",
                                        "MsgError",
                                        /*  14 */ "MsgReceivev",
                                        "MsgReplyv",
                                        "MsgReadv",
                                        "MsgWritev",
                                        "MsgReadwritev",
                                        "MsgInfo",
                                        /*  20 */ "MsgSendPulse",
                                        "MsgDeliverEvent",
                                        "MsgKeyData",
                                        "MsgReadiov",
                                        /*  24 */ "MsgReceivePulsev",
                                        "MsgVerifyEvent",
                                        "SignalKill",
                                        "SignalReturn",
                                        /*  28 */ "SignalFault",
                                        "SignalAction",
                                        "SignalProcmask",
                                        "SignalSuspend",
                                        /*  32 */ "SignalWaitinfo",
                                        NULL,
                                        NULL,
                                        "ChannelCreate",
                                        "ChannelDestroy",
                                        "ChanconAttr",
                                        /*  38 */ NULL,
                                        "ConnectAttach",
                                        "ConnectDetach",
                                        "ConnectServerInfo",
                                        "ConnectClientInfo",
                                        /*  43 */ "ConnectFlags",
                                        NULL,
                                        NULL,
                                        "ThreadCreate",
                                        "ThreadDestroy",
                                        "ThreadDestroyAll",
                                        /*  49 */ "ThreadDetach",
                                        "ThreadJoin",
                                        "ThreadCancel",
                                        "ThreadCtl",
                                        NULL,
                                        NULL,
                                        /*  55 */ "InterruptAttach",
                                        "InterruptDetachFunc",
                                        "InterruptDetach",
                                        "InterruptWait",
                                        /*  59 */ "InterruptMask",
                                        "InterruptUnmask",
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL,
                                        "ClockTime",
                                        /*  66 */ "ClockAdjust",
                                        "ClockPeriod",
                                        "ClockId",
                                        NULL,
                                        "TimerCreate",
                                        "TimerDestroy",
                                        /*  72 */ "TimerSettime",
                                        "TimerInfo",
                                        "TimerAlarm",
                                        "TimerTimeout",
                                        NULL,
                                        NULL,
                                        /*  78 */ "SyncCreate",
                                        "SyncDestroy",
                                        "SyncMutexLock",
                                        "SyncMutexUnlock",
                                        /*  82 */ "SyncCondvarWait",
                                        "SyncCondvarSignal",
                                        "SyncSemPost",
                                        "SyncSemWait",
                                        "SyncCtl",
                                        /*  87 */ "SyncMutexRevive",
                                        "SchedGet",
                                        "SchedSet",
                                        "SchedYield",
                                        "SchedInfo",
                                        "SchedCtl",
                                        /*  93 */ "NetCred",
                                        "NetVtid",
                                        "NetUnblock",
                                        "NetInfoscoid",
                                        "NetSignalKill"};
    const char *name = release >= RELEASE_8 ? call_of_8(call) : NULL;
    return name != NULL ? name : name_at(NAMES, COUNT(NAMES), call);
}

/* ---- other classes --------------------------------------------------------------------------- */

static const char *control_name(unsigned number)
{
    switch (number) {
    case FTR_KEV_TIME:
        return "TIME";
    case FTR_KEV_BUFFER:
        return "BUFFER";
    case FTR_KEV_BUFFER_END:
        return "BUFFER_END";
    case FTR_KEV_DROPPED:
        return "DROPPED";
    default:
        return NULL;
    }
}

static const char *interrupt_name(unsigned number)
{
    static const char *const NAMES[] = {
        NULL,     "ENTRY", "EXIT", "HANDLER_ENTRY", "HANDLER_EXIT", "ENTRY_64", "HANDLER_ENTRY_64",
        "DELIVER"};
    return name_at(NAMES, COUNT(NAMES), number);
}

static const char *system_name(unsigned number)
{
    static const char *const NAMES[] = {
        NULL,         "RESERVED",     "PATHMGR",    "APS_NAME",    "APS_BUDGETS", "APS_BNKR",
        "MMAP",       "MUNMAP",       "MAPNAME",    "ADDRESS",     "FUNC_ENTER",  "FUNC_EXIT",
        "SLOG",       "DEFRAG_START", "RUNSTATE",   "POWER",       "IPI",         "PAGEWAIT",
        "TIMER",      "DEFRAG_END",   "PROFILE",    "MAPNAME_64",  "APS_PSTATS",  "APS_OSTATS",
        "APS_INFO",   "APS_JOIN",     "APS_THREAD", "APS_PROCESS", "SCHED_CONF",  "IST_ATTACH",
        "IST_DETACH", "PCTRACE",      "SEND_IPI"};
    switch (number) {
    case FTR_KEV_64 | 9:
        return "ADDRESS_64";
    case FTR_KEV_64 | FTR_KEV_FUNCTION_ENTER:
        return "FUNC_ENTER_64";
    case FTR_KEV_64 | FTR_KEV_FUNCTION_EXIT:
        return "FUNC_EXIT_64";
    case FTR_KEV_64 | 16:
        return "IPI_64";
    case FTR_KEV_64 | 20:
        return "PROFILE_64";
    case FTR_KEV_64 | 32:
        return "SEND_IPI_64";
    default:
        return name_at(NAMES, COUNT(NAMES), number);
    }
}

static const char *communication_name(unsigned number)
{
    static const char *const NAMES[] = {"SMSG",       "SPULSE",     "RMSG",       "RPULSE",
                                        "SPULSE_EXE", "SPULSE_DIS", "SPULSE_DEA", "SPULSE_UN",
                                        "SPULSE_QUN", "SIGNAL",     "REPLY",      "ERROR"};
    return name_at(NAMES, COUNT(NAMES), number);
}

static const char *security_name(unsigned number)
{
    static const char *const NAMES[] = {"ABLE",        "ABLE_LOOKUP", "PATH_ATTACH", "QNET_CONNECT",
                                        "PERM_LOOKUP", "PERM_TEST",   "UNREG_EVENT", "OPEN_EVENT"};
    return name_at(NAMES, COUNT(NAMES), number);
}

static const char *qvm_name(unsigned number)
{
    static const char *const NAMES[] = {"GUEST_ENTER", "GUEST_EXIT", "CREATE_VCPU_THREAD",
                                        "RAISE_INTR",  "LOWER_INTR", "TIMER_CREATE",
                                        "TIMER_FIRE",  "CYCLES"};
    return name_at(NAMES, COUNT(NAMES), number);
}

const char *ftr_kev_name_of(const ftr_kev_event *event, unsigned release)
{
    static const char *const PMU[] = {"EVENT_TYPE", "EVENT_COUNTER"};
    switch (event->class_) {
    case FTR_KEV_CONTROL:
        return control_name(event->number);
    case FTR_KEV_CALL:
        return ftr_kev_call_name(event->number % FTR_KEV_CALL_NUMBERS, release);
    case FTR_KEV_INTERRUPT:
        return interrupt_name(event->number);
    case FTR_KEV_THREAD:
        return event->number < 64 ? ftr_kev_state_name(event->number, release)
                                  : process_name(event->number);
    case FTR_KEV_SYSTEM:
        return system_name(event->number);
    case FTR_KEV_COMMUNICATION:
        return communication_name(event->number);
    case FTR_KEV_SECURITY:
        return security_name(event->number);
    case FTR_KEV_QVM:
        return qvm_name(event->number);
    case FTR_KEV_PMU:
        return name_at(PMU, COUNT(PMU), event->number);
    default:
        return NULL;
    }
}

const char *ftr_kev_class_name(const ftr_kev_event *event)
{
    static const char *const NAMES[] = {"EMPTY",  "CONTROL",  "KER_CALL", "INT",
                                        "THREAD", "SYSTEM",   "USREVENT", "COMM",
                                        "QUIP",   "SECURITY", "QVM",      "PMU"};
    if (event->class_ == FTR_KEV_THREAD && event->number >= 64)
        return "PROCESS";
    return name_at(NAMES, COUNT(NAMES), event->class_);
}
