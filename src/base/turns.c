/* Whose turn it is: jobs by owner, and the owner who is next. */
#include "base/turns.h"

#include "base/memory.h"
#include "base/str.h"

static void owner_init(struct turns_owner *owner)
{
    *owner = (struct turns_owner){0};
    owner->last = &owner->first;
}

void turns_init(struct turns *turns, size_t threads, size_t reserve)
{
    *turns = (struct turns){.threads = threads, .reserve = reserve};
    turns->last = &turns->first;
    map_init(&turns->owners, false);
    owner_init(&turns->hurried);
}

void turns_release(struct turns *turns)
{
    map_release(&turns->owners);
}

/* Owners come and go with their jobs: there may be any number of them in a process's
 * life, and few at a time. */
static struct turns_owner *owner_get(struct turns *turns, const char *name)
{
    struct turns_owner *owner = map_get(&turns->owners, name);
    if (!owner) {
        owner = memory_alloc(sizeof *owner);
        owner_init(owner);
        owner->name = memory_text(name);
        (void)map_set(&turns->owners, name, owner);
    }
    return owner;
}

static void owner_leave(struct turns *turns, struct turns_owner *owner)
{
    if (owner->name && !owner->waiting && !owner->held) {
        (void)map_remove(&turns->owners, owner->name);
        memory_free(owner->name);
        memory_free(owner);
    }
}

/* To the end of those for whom something waits. */
static void owner_queue(struct turns *turns, struct turns_owner *owner)
{
    owner->next = NULL;
    *turns->last = owner;
    turns->last = &owner->next;
}

/* `at` is what points to it. */
static void owner_unqueue(struct turns *turns, struct turns_owner **at)
{
    struct turns_owner *owner = *at;
    *at = owner->next;
    if (turns->last == &owner->next) {
        turns->last = at;
    }
}

static void owner_add(struct turns *turns, struct turns_owner *owner,
                      struct turns_job *job)
{
    job->owner = owner;
    job->next = NULL;
    *owner->last = job;
    owner->last = &job->next;
    turns->waiting++;
    if (owner->waiting++ == 0) {
        owner_queue(turns, owner);
    }
}

/* `at` is what points to it; the owner stays queued, also with nothing left. */
static struct turns_job *owner_remove(struct turns *turns, struct turns_owner *owner,
                                      struct turns_job **at)
{
    struct turns_job *job = *at;
    *at = job->next;
    if (owner->last == &job->next) {
        owner->last = at;
    }
    owner->waiting--;
    turns->waiting--;
    return job;
}

static struct turns_job *job_new(void (*run)(void *context), void *context)
{
    struct turns_job *job = memory_alloc(sizeof *job);
    job->run = run;
    job->context = context;
    return job;
}

void turns_add(struct turns *turns, const char *owner, void (*run)(void *context),
               void *context)
{
    owner_add(turns, owner_get(turns, str_or_empty(owner)), job_new(run, context));
}

void turns_add_hurried(struct turns *turns, void (*run)(void *context), void *context)
{
    owner_add(turns, &turns->hurried, job_new(run, context));
}

/* What points to the owner who is next; NULL: nobody may have a thread. Those who hold
 * one are no more than there are threads, so this looks at few, however many wait. */
static struct turns_owner **next_owner(struct turns *turns)
{
    struct turns_owner **best = NULL;
    for (struct turns_owner **at = &turns->first; *at; at = &(*at)->next) {
        if (!best || (*at)->held < (*best)->held) {
            best = at;
        }
        if ((*best)->held == 0) {
            break;
        }
    }
    if (!best) {
        return NULL;
    }
    size_t kept = (*best)->held == 0 ? 0 : turns->reserve;
    return turns->taken + kept < turns->threads ? best : NULL;
}

bool turns_ready(struct turns *turns)
{
    return next_owner(turns) != NULL;
}

struct turns_job *turns_take(struct turns *turns)
{
    struct turns_owner **at = next_owner(turns);
    if (!at) {
        return NULL;
    }
    struct turns_owner *owner = *at;
    struct turns_job *job = owner_remove(turns, owner, &owner->first);
    owner->held++;
    turns->taken++;
    owner_unqueue(turns, at);
    if (owner->waiting) {
        owner_queue(turns, owner);
    }
    return job;
}

void turns_done(struct turns *turns, struct turns_job *job)
{
    job->owner->held--;
    turns->taken--;
    owner_leave(turns, job->owner);
    memory_free(job);
}

bool turns_hurry(struct turns *turns, const char *name, const void *context)
{
    struct turns_owner *owner = map_get(&turns->owners, str_or_empty(name));
    struct turns_job **at = owner ? &owner->first : NULL;
    while (at && *at && (*at)->context != context) {
        at = &(*at)->next;
    }
    if (!at || !*at) {
        return false;
    }
    struct turns_job *job = owner_remove(turns, owner, at);
    if (!owner->waiting) {
        struct turns_owner **queued = &turns->first;
        while (*queued != owner) {
            queued = &(*queued)->next;
        }
        owner_unqueue(turns, queued);
        owner_leave(turns, owner);
    }
    owner_add(turns, &turns->hurried, job);
    return true;
}

size_t turns_waiting(const struct turns *turns, const char *owner)
{
    const struct turns_owner *found = map_get(&turns->owners, str_or_empty(owner));
    return found ? found->waiting : 0;
}
