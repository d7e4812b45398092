/* Counts, describes and reports invalid calls. Nothing in this file is on a fast path: a public
 * call calls ftr_recorder_misuse() with its arguments only after it has found an error. */
#define _GNU_SOURCE
#include "misuse.h"

#include <stdarg.h>
#include <stdio.h>

#include "attribute_types.h"

/* ---- description ----------------------------------------------------------------------------- */

typedef struct misuse_text {
    char *at;
    size_t size;
    size_t length;
} misuse_text;

__attribute__((format(printf, 2, 3))) static void add(misuse_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at + text->length, text->size - text->length, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->length += (size_t)length;
    if (text->length >= text->size)
        text->length = text->size - 1;
}

static const ftr_entity *entity_of(const ftr_recorder *rec, uint32_t handle, uint32_t kind)
{
    if (handle == 0 || handle >= __atomic_load_n(&rec->front.entity_count, __ATOMIC_ACQUIRE))
        return NULL;
    const ftr_entity *entity = &rec->front.entities[handle];
    return (entity->kind & FTR_ENTITY_KIND_MASK) == kind ? entity : NULL;
}

/* Returns the generator of an open transaction, otherwise NULL. */
static const ftr_entity *generator_of(ftr_recorder *rec, ftr_tx tx)
{
    const ftr_slot *slot = ftr_slot_of(ftr_recorder_trace_of(rec, tx), tx);
    return ftr_slot_holds(slot, tx) ? slot->entity : NULL;
}

static void add_generator(misuse_text *text, const ftr_recorder *rec, const ftr_entity *generator)
{
    const ftr_entity *stream = entity_of(rec, generator->stream, FTR_ENTITY_STREAM);
    add(text, "generator \"%.80s\" in stream \"%.80s\"", generator->name,
        stream != NULL ? stream->name : "");
}

/* Describes the transaction or the invalid handle. Returns whether the handle belongs to an open or
 * ended transaction of @p rec. */
static bool add_transaction(misuse_text *text, ftr_recorder *rec, ftr_tx tx)
{
    const ftr_recorder *trace = ftr_recorder_trace_of(rec, tx);
    if (tx.id == 0) {
        add(text, "the handle {0} (no transaction)");
    } else if (((uint32_t)tx.place ^ trace->open.slot_tag) & ~FTR_SLOT_PLACE) {
        add(text, "a handle of another recorder, #%llu,", (unsigned long long)tx.id);
    } else if (!ftr_recorder_began(rec, tx)) {
        add(text, "the handle #%llu, which no call returned,", (unsigned long long)tx.id);
    } else {
        const ftr_entity *generator = generator_of(rec, tx);
        add(text, "transaction #%llu of ", (unsigned long long)tx.id);
        if (generator != NULL)
            add_generator(text, rec, generator);
        else
            add(text, "stream \"%.80s\"", rec->front.entities[ftr_tx_stream(tx)].name);
        return true;
    }
    return false;
}

static void add_unknown_transaction(misuse_text *text, ftr_recorder *rec, const ftr_misuse *misuse)
{
    bool is_second = misuse->set & FTR_MISUSE_TO && ftr_recorder_began(rec, misuse->tx);
    bool is_known = add_transaction(text, rec, is_second ? misuse->to : misuse->tx);
    add(text, is_known ? " has already ended" : " is not a transaction of this recorder");
}

static void add_wrong_attribute(misuse_text *text, const ftr_entity *generator, unsigned attribute)
{
    add(text, ": attribute %u does not exist, the generator declares %u", attribute,
        generator->attributes.count);
}

/* Describes the first wrong value of a call that records a whole transaction. Returns false if
 * there is none. */
static bool add_wrong_value(misuse_text *text, const ftr_entity *generator,
                            const ftr_misuse *misuse)
{
    for (size_t i = 0; i < misuse->count && i < generator->attributes.count; i++) {
        const ftr_declared_attribute *declared = &generator->attributes.at[i];
        if ((unsigned)misuse->values[i].type == declared->type)
            continue;
        add(text, ": value %zu is %s, attribute \"%.60s\" is declared as %s", i,
            ftr_type_name((unsigned)misuse->values[i].type), declared->name,
            ftr_type_name(declared->type));
        return true;
    }
    return false;
}

/* Describes the error with the arguments of the call. Returns false if the arguments say no more
 * than the status. */
static bool add_error(misuse_text *text, ftr_status status, const ftr_entity *generator,
                      const ftr_misuse *misuse)
{
    if (status == FTR_ERR_ORDER && (misuse->set & FTR_MISUSE_TIMES) == FTR_MISUSE_TIMES) {
        add(text, " cannot end at tick %llu: it begins at tick %llu",
            (unsigned long long)misuse->end, (unsigned long long)misuse->begin);
        return true;
    }
    if (misuse->set & FTR_MISUSE_DIFFERS) {
        add(text, ": it is already defined with other attributes");
        return true;
    }
    if (generator == NULL)
        return false;
    if (status == FTR_ERR_LIMIT && misuse->set == FTR_MISUSE_HANDLE) {
        add(text, ": %u transactions are open, and no more are possible", (unsigned)FTR_SLOTS_MAX);
        return true;
    }
    if (status == FTR_ERR_ATTRIBUTE && misuse->set & FTR_MISUSE_ATTRIBUTE) {
        add_wrong_attribute(text, generator, misuse->attribute);
        return true;
    }
    if (status == FTR_ERR_ATTRIBUTE) {
        add(text, ": %zu values, but the generator declares %u attributes", misuse->count,
            generator->attributes.count);
        return true;
    }
    if (status != FTR_ERR_TYPE)
        return false;
    if (misuse->values != NULL)
        return add_wrong_value(text, generator, misuse);
    if (misuse->set & FTR_MISUSE_ATTRIBUTE) {
        const ftr_declared_attribute *declared = &generator->attributes.at[misuse->attribute];
        add(text, ": attribute %u, \"%.60s\", is declared as %s", misuse->attribute, declared->name,
            ftr_type_name(declared->type));
    }
    return true;
}

/* Adds the generator of a transaction that the call would have recorded. Returns this generator;
 * NULL if @p handle does not belong to a generator. */
static const ftr_entity *add_handle(misuse_text *text, const ftr_recorder *rec, uint32_t handle)
{
    const ftr_entity *generator = entity_of(rec, handle, FTR_ENTITY_GENERATOR);
    if (generator == NULL) {
        add(text, "the handle %u", handle);
        return NULL;
    }
    add(text, "a transaction of ");
    add_generator(text, rec, generator);
    return generator;
}

static void describe(misuse_text *text, ftr_recorder *rec, ftr_status status,
                     const ftr_misuse *misuse)
{
    const ftr_entity *generator = NULL;
    ftr_misuse with = *misuse;
    if (status == FTR_ERR_UNKNOWN_TX && misuse->set & FTR_MISUSE_TX) {
        add_unknown_transaction(text, rec, misuse);
        return;
    }
    if (misuse->set & FTR_MISUSE_TX && !ftr_tx_is_not_recorded(misuse->tx)) {
        (void)add_transaction(text, rec, misuse->tx);
        generator = generator_of(rec, misuse->tx);
        if (misuse->name != NULL)
            add(text, ", attribute \"%.60s\"", misuse->name);
    } else if (misuse->set & FTR_MISUSE_HANDLE) {
        generator = add_handle(text, rec, misuse->handle);
    } else if (misuse->name != NULL) {
        add(text, "\"%.80s\"", misuse->name);
    }
    if (generator != NULL && (misuse->set & FTR_MISUSE_TIMES) == FTR_MISUSE_END) {
        with.begin = ftr_slot_of(ftr_recorder_trace_of(rec, misuse->tx), misuse->tx)->begin;
        with.set |= FTR_MISUSE_TIMES;
    }
    if (!add_error(text, status, generator, &with))
        add(text, "%s%s", text->length ? ": " : "", ftr_status_text(status));
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Returns the entry of a kind; NULL if the table is full. @p is_new: the caller must describe the
 * call. Uses no lock, because the call may be in a signal handler. */
static ftr_misuse_kind *find_kind(ftr_recorder *rec, uint64_t key, bool *is_new)
{
    for (size_t i = 0; i < FTR_MISUSE_KINDS; i++) {
        ftr_misuse_kind *kind = &rec->misuses.kinds[i];
        uint64_t found = 0;
        *is_new = atomic_compare_exchange_strong(&kind->key, &found, key);
        if (*is_new || found == key)
            return kind;
    }
    return NULL;
}

/* Adds the names of a function in the adapter and in C. Returns false if the adapter itself reports
 * invalid calls of this function. */
static bool add_call(misuse_text *text, const ftr_recorder *rec, const char *call)
{
    ftr_call_namer *name = atomic_load(&rec->misuses.name);
    const char *named = name != NULL ? name(call) : NULL;
    if (named != NULL && *named)
        add(text, "%s (%s)", named, call);
    else
        add(text, "%s", call);
    return named == NULL || *named;
}

/* Calls the report function as guarded calls do: a signal that ends the program waits until the
 * function has returned. Has no effect during a guarded call of this thread; the message is then
 * reported at close. */
static void report_now(ftr_recorder *rec, ftr_misuse_kind *kind)
{
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return;
    kind->is_reported = true;
    ftr_recorder_report(rec, FTR_SEVERITY_WARNING, "%s", kind->text);
    ftr_call_leave(&call);
}

static void describe_kind(ftr_recorder *rec, ftr_misuse_kind *kind, ftr_status status,
                          const ftr_misuse *misuse)
{
    misuse_text text = {kind->text, sizeof kind->text, 0};
    kind->call = misuse->call;
    add(&text, "invalid call of ");
    kind->is_reported = !add_call(&text, rec, misuse->call) || misuse->set & FTR_MISUSE_REPORTED;
    add(&text, ": ");
    misuse_text error = {kind->text + text.length, text.size - text.length, 0};
    describe(&error, rec, status, misuse);
    if (!kind->is_reported)
        report_now(rec, kind);
    atomic_store_explicit(&kind->is_described, true, memory_order_release);
}

static bool is_misuse(ftr_status status)
{
    return status == FTR_ERR_ARGUMENT || (status >= FTR_ERR_UNDEFINED && status <= FTR_ERR_LIMIT);
}

ftr_status ftr_recorder_misuse(ftr_recorder *rec, ftr_status status, const ftr_misuse *misuse)
{
    /* If a recorder has failed or was closed, calls return this cause, which is not an error of the
     * caller. */
    if (rec == NULL || !is_misuse(status) || ftr_recorder_dead_valve(rec))
        return status;
    bool is_new;
    uint64_t key = (uint64_t)(uintptr_t)misuse->call << 5 | (unsigned)status;
    atomic_fetch_add_explicit(&rec->misuses.count, 1, memory_order_relaxed);
    ftr_misuse_kind *kind = find_kind(rec, key, &is_new);
    if (kind == NULL)
        return status;
    atomic_fetch_add_explicit(&kind->count, 1, memory_order_relaxed);
    if (is_new)
        describe_kind(rec, kind, status, misuse);
    return status;
}

void ftr_misuses_report(ftr_recorder *rec)
{
    char list[512];
    misuse_text text = {list, sizeof list, 0};
    uint64_t count = atomic_load(&rec->misuses.count);
    uint64_t others = count;
    if (count == 0)
        return;
    for (size_t i = 0; i < FTR_MISUSE_KINDS; i++) {
        ftr_misuse_kind *kind = &rec->misuses.kinds[i];
        if (!atomic_load_explicit(&kind->is_described, memory_order_acquire))
            continue;
        if (!kind->is_reported)
            ftr_recorder_report(rec, FTR_SEVERITY_WARNING, "%s", kind->text);
        ftr_status status = (ftr_status)(atomic_load(&kind->key) & 31);
        uint64_t calls = atomic_load(&kind->count);
        others -= calls;
        add(&text, "%s%llu ", text.length ? ", " : "", (unsigned long long)calls);
        (void)add_call(&text, rec, kind->call);
        add(&text, " %s", ftr_status_name(status));
    }
    if (others)
        add(&text, "%s%llu others", text.length ? ", " : "", (unsigned long long)others);
    ftr_recorder_report(rec, FTR_SEVERITY_WARNING, "%llu calls were invalid and had no effect: %s",
                        (unsigned long long)count, list);
}

void ftr_recorder_set_call_names(ftr_recorder *rec, ftr_call_namer *name)
{
    if (rec != NULL)
        atomic_store(&rec->misuses.name, name);
}
