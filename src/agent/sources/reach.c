/* Which of the instance's datasources a question may see. */
#include "agent/sources/reach.h"

#include <string.h>
#include <strings.h>

#include "agent/sources/sources.h"
#include "base/str.h"
#include "model/actor.h"
#include "store/store.h"

/* The next id of a list: its first byte and its size without blanks. NULL at the end. */
static const char *next_id(const char **at, size_t *size)
{
    *at += strspn(*at, ", ");
    const char *id = *at;
    size_t all = strcspn(id, ",");
    *at += all;
    while (all > 0 && id[all - 1] == ' ') {
        all--;
    }
    *size = all;
    return all ? id : NULL;
}

static bool holds(const char *list, const char *id, size_t id_size)
{
    size_t size = 0;
    const char *found = NULL;
    while ((found = next_id(&list, &size))) {
        if (size == id_size && strncasecmp(found, id, size) == 0) {
            return true;
        }
    }
    return false;
}

bool reach_holds(const char *list, const char *id)
{
    return str_empty(list) || (id && holds(list, id, strlen(id)));
}

bool reach_holds_all(const char *list, const char *part)
{
    size_t size = 0;
    const char *id = NULL;
    if (str_empty(part)) {
        return false;
    }
    while ((id = next_id(&part, &size))) {
        if (!str_empty(list) && !holds(list, id, size)) {
            return false;
        }
    }
    return true;
}

void reach_datasets(struct run *run)
{
    struct store_datasets all = {0};
    struct err err;
    err_clear(&err);
    run->sources.datasets.count = 0;
    if (!run->question.datasets || !run->agent->store) {
        return;
    }
    const char *account = actor_account(run->scratch, run->question.account);
    if (!store_dataset_list(run->agent->store, run->scratch, account, &all, &err)) {
        run_warn_system(run, "Uploaded datasets were left out: %s", err.message);
        return;
    }
    for (size_t i = 0; i < all.count; i++) {
        const struct datasource_setting *setting = reach_find(run, all.items[i].id);
        if (setting && setting->owner) {
            VEC_PUSH(run->arena, &run->sources.datasets, setting);
        }
    }
}

const struct datasource_setting *reach_at(const struct run *run, size_t index)
{
    const struct datasource_setting *setting = NULL;
    for (size_t i = 0; (setting = sources_at(run->agent->sources, i)); i++) {
        if (reach_holds(run->question.reach, setting->id) && index-- == 0) {
            return setting;
        }
    }
    return index < run->sources.datasets.count ? run->sources.datasets.items[index]
                                               : NULL;
}

size_t reach_count(const struct run *run)
{
    const struct datasource_setting *setting = NULL;
    size_t count = run->sources.datasets.count;
    for (size_t i = 0; (setting = sources_at(run->agent->sources, i)); i++) {
        count += reach_holds(run->question.reach, setting->id);
    }
    return count;
}

const char *reach_name(const struct datasource_setting *setting)
{
    return setting->name ? setting->name : setting->id;
}

const struct datasource_setting *reach_find(const struct run *run, const char *id)
{
    return reach_holds(run->question.reach, id)
               ? sources_seek(run->agent->sources, run->agent->store, id,
                              run->question.account)
               : NULL;
}

struct datasource *reach_open(const struct run *run, const char *id, struct err *err)
{
    if (!reach_holds(run->question.reach, id)) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "There is no datasource '%s'.", id);
        return NULL;
    }
    const struct datasource_setting *setting = reach_find(run, id);
    struct datasource *source =
        sources_open(run->agent->sources, run->arena, setting ? setting->id : id,
                     run->question.account, err);
    bool away = err->code == ERR_DATABASE_LOCKED || err->code == ERR_DATASOURCE_NOT_FOUND;
    if (!source && setting && away && run->answer.intent == INTENT_SCHEMA_QUERY) {
        /* The tables are known, as a server's are that does not answer. */
        struct err trouble;
        err_clear(&trouble);
        source = sources_open_later(run->agent->sources, run->arena, setting->id,
                                    run->question.account, &trouble);
        if (source) {
            err_clear(err);
        }
    }
    return source;
}
