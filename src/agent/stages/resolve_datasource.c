/* RESOLVE_DATASOURCE: which database is meant: by id, by what the question says, or the
 * only one. */
#include <string.h>

#include "agent/sources/crossing.h"
#include "agent/sources/narrowing.h"
#include "agent/sources/reach.h"
#include "agent/stages/stages.h"
#include "base/str.h"

static bool add(struct run *run, const char *id, struct err *err)
{
    struct datasource *source = reach_open(run, id, err);
    if (!source) {
        return false;
    }
    struct run_source *entry = VEC_ADD(run->arena, &run->sources);
    entry->source = source;
    run->answer.datasource = source->id;
    return true;
}

static void all_ids(struct run *run, struct texts *ids)
{
    const struct datasource_setting *setting = NULL;
    for (size_t i = 0; (setting = reach_at(run, i)); i++) {
        VEC_PUSH(run->arena, ids, setting->id);
    }
}

/* One that cannot be opened is left out, unless it was asked for by name. False: none can
 * be. */
static bool add_each(struct run *run, const struct texts *ids, struct err *err)
{
    for (size_t i = 0; i < ids->count; i++) {
        struct err trouble;
        err_clear(&trouble);
        if (!add(run, ids->items[i], &trouble)) {
            if (crossing_names(run, ids->items[i])) {
                *err = trouble;
                crossing_blame(err, ids->items[i]);
                return false;
            }
            run_warn_system(run, "'%s' was left out: %s", ids->items[i], trouble.message);
            *err = trouble;
        }
    }
    if (run->sources.count == 0) {
        return false;
    }
    err_clear(err);
    return true;
}

static enum event resolve_all(struct run *run, struct err *err)
{
    struct texts ids = {0};
    all_ids(run, &ids);
    if (!add_each(run, &ids, err)) {
        return EVENT_NOT_FOUND;
    }
    run->answer.datasource = NULL; /* it is about all of them */
    return EVENT_ALL;
}

/* Those that may be meant; their schemas decide. */
static enum event resolve_several(struct run *run, const struct texts *ids,
                                  struct err *err)
{
    if (!add_each(run, ids, err)) {
        return EVENT_NOT_FOUND;
    }
    run->sources.several = run->sources.count > 1;
    run->answer.datasource = run->sources.several ? NULL : run->answer.datasource;
    return run->sources.several ? EVENT_FOUND_MANY : EVENT_FOUND;
}

/* One id, or several with commas between them: then all of those are meant. */
static enum event resolve_listed(struct run *run, const char *list, struct err *err)
{
    struct texts ids = {0};
    const struct datasource_setting *setting = reach_find(run, list);
    if (setting || !strchr(list, ',')) {
        return add(run, setting ? setting->id : list, err) ? EVENT_FOUND
                                                           : EVENT_NOT_FOUND;
    }
    str_split(run->arena, list, ',', &ids);
    for (size_t i = 0; i < ids.count; i++) {
        ids.items[i] = str_trim(run->arena, ids.items[i]);
    }
    run->sources.named = ids;
    return resolve_several(run, &ids, err);
}

/* "orders" of orders.csv is the name of its table: saying it says nothing about the other
 * files. */
static bool is_table(const struct run *run, const char *id)
{
    static const char *const endings[] = {".csv",   ".tsv",     ".json", ".ndjson",
                                          ".jsonl", ".parquet", ".xlsx"};
    const struct datasource_setting *setting = reach_find(run, id);
    if (setting && setting->name) {
        return true; /* an uploaded file */
    }
    for (size_t i = 0; setting && i < sizeof endings / sizeof *endings; i++) {
        if (str_ends_nocase(setting->url, endings[i])) {
            return true;
        }
    }
    return false;
}

/* No datasource was given: chooses by the words of the question, else by the schemas. */
static enum event find(struct run *run, struct err *err)
{
    struct texts ids = {0};
    narrowing_named(run, run_question_text(run), &ids);
    bool few = reach_count(run) <= (size_t)run->options->understanding_sources;
    if (few && ids.count == 1 && is_table(run, ids.items[0])) {
        ids.count = 0; /* its tables decide */
    }
    if (ids.count == 1) {
        return add(run, ids.items[0], err) ? EVENT_FOUND : EVENT_NOT_FOUND;
    }
    if (run->answer.intent == INTENT_SCHEMA_QUERY) {
        return resolve_all(run, err);
    }
    if (ids.count > 1) { /* a table of a third may be meant, too */
        run->sources.named = ids;
        ids = (struct texts){0};
        all_ids(run, &ids);
        ids = ids.count > (size_t)run->options->understanding_sources ? run->sources.named
                                                                      : ids;
    } else {
        run->sources.last = narrowing_last(run);
        all_ids(run, &ids);
    }
    if (ids.count > (size_t)run->options->understanding_sources) {
        if (!run->sources.last) {
            narrowing_ask(run, &ids);
            return EVENT_UNDECIDED;
        }
        return resolve_listed(run, run->sources.last, err);
    }
    return resolve_several(run, &ids, err);
}

static enum event resolve_datasource_work(struct run *run, struct err *err)
{
    run->sources.count = 0;
    run->sources.several = false;
    run->sources.across = NULL;
    run->sources.named = (struct texts){0};
    const char *id = run->question.datasource;
    if (id) {
        return resolve_listed(run, id, err);
    }
    reach_datasets(run);
    size_t count = reach_count(run);
    if (count == 0) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "No database was given.");
        (void)err_hint(err, "Name one with --db, or list it under 'datasources' in "
                            "dragoman.yaml. 'dragoman sample' makes one to try.");
        return EVENT_NOT_FOUND;
    }
    return count == 1 ? resolve_listed(run, reach_at(run, 0)->id, err) : find(run, err);
}

const struct stage stage_resolve_datasource = {.state = STATE_RESOLVE_DATASOURCE,
                                               .work = resolve_datasource_work};
