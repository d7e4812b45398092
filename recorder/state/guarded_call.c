/* Enters and leaves guarded calls. Knows nothing of what they do. */
#include "guarded_call.h"

#include <pthread.h>

#include "signal_watch.h"

_Thread_local ftr_thread_call ftr_current_call;

bool ftr_call_enter(ftr_guarded_call *call, const ftr_recorder *rec, ftr_call_kind kind)
{
    ftr_thread_call *current = &ftr_current_call;
    if (current->kind != FTR_CALL_NONE && current->rec == rec)
        return false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &call->cancel_state);
    call->outer = current->rec;
    call->outer_kind = (ftr_call_kind)current->kind;
    current->rec = rec;
    current->kind = kind;
    return true;
}

void ftr_call_leave(const ftr_guarded_call *call)
{
    ftr_thread_call *current = &ftr_current_call;
    current->kind = call->outer_kind;
    current->rec = call->outer;
    if (current->kind == FTR_CALL_NONE && current->put_off)
        ftr_signal_watch_catch_up();
    pthread_setcancelstate(call->cancel_state, NULL);
}
