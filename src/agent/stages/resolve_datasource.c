/* RESOLVE_DATASOURCE: which database is meant: by id, by what the question says, or the
 * only one. */
#include <ctype.h>
#include <string.h>

#include "agent/sources.h"
#include "agent/stages/stages.h"
#include "base/str.h"

static bool add(struct run *run, const char *id, struct err *err)
{
    struct datasource *source = sources_open(run->agent->sources, id, err);
    if (!source) {
        return false;
    }
    struct run_source *entry = VEC_ADD(run->arena, &run->sources);
    entry->source = source;
    run->answer.datasource = source->id;
    return true;
}

/* The word as a word of its own: "shop" is not in "shopping". */
static bool mentions(const char *text, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = text; *at; at++) {
        bool starts = at == text || !isalnum((unsigned char)at[-1]);
        if (starts && str_starts_nocase(at, word) && !isalnum((unsigned char)at[size])) {
            return true;
        }
    }
    return false;
}

/* "users from my PostgreSQL database", "in the shop": the id or the kind is in the text.
 */
static size_t named_in_question(struct run *run, const char **id)
{
    const struct sources *sources = run->agent->sources;
    const char *question = run_question_text(run);
    size_t found = 0;
    for (size_t i = 0; i < sources_count(sources); i++) {
        const struct datasource_setting *setting = sources_at(sources, i);
        const char *colon = strchr(setting->url, ':');
        char *kind = arena_copy(run->scratch, setting->url,
                                colon ? (size_t)(colon - setting->url) : 0);
        if (mentions(question, setting->id) || (*kind && mentions(question, kind))) {
            *id = setting->id;
            found++;
        }
    }
    return found;
}

static void offer_choice(struct run *run)
{
    struct clarification *back = &run->answer.clarification;
    *back = (struct clarification){.kind = CLARIFY_DATASOURCE};
    back->message = "Which database is the question about?";
    for (size_t i = 0; i < sources_count(run->agent->sources); i++) {
        const struct datasource_setting *setting = sources_at(run->agent->sources, i);
        struct clarification_option *option = VEC_ADD(run->arena, &back->options);
        option->value = setting->id;
        option->label =
            setting->description
                ? arena_format(run->arena, "%s: %s", setting->id, setting->description)
                : setting->id;
    }
}

static enum event resolve_all(struct run *run, struct err *err)
{
    for (size_t i = 0; i < sources_count(run->agent->sources); i++) {
        if (!add(run, sources_at(run->agent->sources, i)->id, err)) {
            return EVENT_NOT_FOUND;
        }
    }
    run->answer.datasource = NULL; /* it is about all of them */
    return EVENT_ALL;
}

static enum event work(struct run *run, struct err *err)
{
    size_t count = sources_count(run->agent->sources);
    run->sources.count = 0;
    if (count == 0) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "No database was given.");
        (void)err_hint(err, "Name one with --db, or list it under 'datasources' in "
                            "dragoman.yaml. 'dragoman sample' makes one to try.");
        return EVENT_NOT_FOUND;
    }
    const char *id = run->question.datasource;
    if (!id && count == 1) {
        id = sources_at(run->agent->sources, 0)->id;
    }
    if (!id && str_equal(run->answer.intent, "SCHEMA_QUERY")) {
        const char *named = NULL;
        if (named_in_question(run, &named) != 1) {
            return resolve_all(run, err);
        }
        id = named;
    }
    if (!id && named_in_question(run, &id) != 1) {
        offer_choice(run);
        return EVENT_UNDECIDED;
    }
    return add(run, id, err) ? EVENT_FOUND : EVENT_NOT_FOUND;
}

const struct stage stage_resolve_datasource = {.state = STATE_RESOLVE_DATASOURCE,
                                               .work = work};
