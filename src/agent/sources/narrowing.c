/* Of several datasources the one that a question means. */
#include "agent/sources/narrowing.h"

#include <ctype.h>
#include <string.h>

#include "agent/sources/crossing.h"
#include "agent/understand/intent_rules.h"
#include "agent/sources/reach.h"
#include "base/str.h"
#include "knowledge/words/words.h"
#include "store/store.h"

enum { TABLE_WEIGHT = 4 }; /* a table's name says more than a column's */

/* What people call a kind of database, and how its URLs begin or end. */
static const struct kind {
    const char *said;
    const char *url;
} kinds[] = {
    {"postgres", "postgres:"},
    {"postgres", "postgresql:"},
    {"postgresql", "postgres:"},
    {"postgresql", "postgresql:"},
    {"pglite", "postgres:"},
    {"mysql", "mysql:"},
    {"mariadb", "mariadb:"},
    {"mongodb", "mongodb:"},
    {"mongo", "mongodb:"},
    {"clickhouse", "clickhouse:"},
    {"bigquery", "bigquery:"},
    {"sqlite", "sqlite:"},
    {"sqlite", ".db"},
    {"sqlite", ".sqlite"},
    {"sqlite", ".sqlite3"},
    {"sqlite3", ".db"},
    {"duckdb", "duckdb:"},
    {"duckdb", ".duckdb"},
    {"csv", ".csv"},
    {"parquet", ".parquet"},
    {"excel", ".xlsx"},
    {"xlsx", ".xlsx"},
    {"json", ".json"},
    {"odbc", "odbc:"},
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Past the name at the beginning of the text, where "_", "-" and " " are the same. */
static const char *past(const char *text, const char *name)
{
    for (; *name; text++, name++) {
        bool same = tolower((unsigned char)*text) == tolower((unsigned char)*name) ||
                    (strchr("_- ", *name) && *text && strchr("_- ", *text));
        if (!*text || !same) {
            return NULL;
        }
    }
    return text;
}

/* As a word of its own: "shop" is not in "shopping". */
static bool mentions(const char *text, const char *name)
{
    for (const char *at = text; *at; at++) {
        bool starts = at == text || !is_word(at[-1]);
        const char *end = starts ? past(at, name) : NULL;
        if (end && !is_word(*end)) {
            return true;
        }
    }
    return false;
}

static bool fits_kind(const char *url, const struct kind *kind)
{
    return *kind->url == '.' ? str_ends_nocase(url, kind->url)
                             : str_starts_nocase(url, kind->url);
}

/* The word that the text has for the kind of database behind the URL; or NULL. */
static const char *mentioned_kind(const char *text, const char *url)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (fits_kind(url, &kinds[i]) && mentions(text, kinds[i].said)) {
            return kinds[i].said;
        }
    }
    return NULL;
}

static bool is_kind(const char *url, const char *said)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (str_equal(kinds[i].said, said) && fits_kind(url, &kinds[i])) {
            return true;
        }
    }
    return false;
}

bool narrowing_is_kind(const char *word)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (str_equal_nocase(kinds[i].said, word)) {
            return true;
        }
    }
    return false;
}

bool narrowing_has_kind(const struct run *run, const char *word)
{
    bool found = false;
    for (size_t i = 0; i < run->sources.count && !found; i++) {
        struct datasource *source = run->sources.items[i].source;
        found = is_kind(source->url, word) ||
                str_starts_nocase(dialect_get(datasource_dialect(source))->title, word);
    }
    return found;
}

void narrowing_named(const struct run *run, const char *text, struct texts *ids)
{
    const struct datasource_setting *setting = NULL;
    for (size_t i = 0; (setting = reach_at(run, i)); i++) {
        if (mentions(text, reach_name(setting))) {
            VEC_PUSH(run->arena, ids, setting->id);
        }
    }
    size_t by_id = ids->count;
    for (size_t i = 0; (setting = reach_at(run, i)); i++) {
        const char *said = mentioned_kind(text, setting->url);
        bool known = !said;
        for (size_t k = 0; k < by_id && !known; k++) { /* "the crm (PostgreSQL)" */
            known = is_kind(reach_find(run, ids->items[k])->url, said);
        }
        if (!known) {
            VEC_PUSH(run->arena, ids, setting->id);
        }
    }
}

/* "crm,shop": the last question needed both. */
static const char *last_several(struct run *run, const json_t *sources)
{
    struct texts ids = {0};
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(sources, index, item)
    {
        const char *id = json_text_at(item, "id");
        if (!id || !reach_find(run, id)) {
            return NULL;
        }
        VEC_PUSH(run->scratch, &ids, id);
    }
    return ids.count ? str_join(run->arena, &ids, ",") : NULL;
}

const char *narrowing_last(struct run *run)
{
    for (size_t i = run->request.history.count; i-- > 0;) {
        const char *id = run->request.history.items[i].query_id;
        struct store_question stored = {0};
        struct err err;
        err_clear(&err);
        if (!id ||
            !store_question_get(run->agent->store, run->scratch, id, &stored, &err)) {
            continue;
        }
        const json_t *json =
            json_parse(run->scratch, stored.checkpoint, strlen(stored.checkpoint), &err);
        const json_t *sources = json_array_at(json, "sources");
        const char *source = json_text_at(json_array_get(sources, 0), "id");
        if (json_bool_at(json, "across", false)) {
            return last_several(run, sources);
        }
        if (json_array_size(sources) == 1 && reach_find(run, source)) {
            return arena_text(run->arena, source);
        }
    }
    return NULL;
}

int narrowing_weight(struct run *run, const struct schema *schema)
{
    const char *question = run_question_text(run);
    struct texts tables = {0};
    struct words words;
    struct word word;
    intent_tables(run->scratch, question, schema, &tables);
    int weight = (int)tables.count * TABLE_WEIGHT;
    words_init(&words, question);
    while (words_next(&words, &word)) {
        bool found = word_is_common(word.folded);
        for (size_t t = 0; t < schema->tables.count && !found; t++) {
            const struct columns *columns = &schema->tables.items[t].columns;
            for (size_t c = 0; c < columns->count && !found; c++) {
                found = words_hold(columns->items[c].name, word.folded);
                weight += found;
            }
        }
    }
    return weight;
}

void narrowing_keep(struct run *run, size_t index)
{
    run->sources.items[0] = run->sources.items[index];
    run->sources.count = 1;
    run->answer.datasource = run->sources.items[0].source->id;
    run->sources.several = false;
}

bool narrowing_choose(struct run *run)
{
    if (run->sources.unjoined) {
        return false; /* none of them has all that is asked for */
    }
    size_t best = 0;
    int most = -1;
    int second = -1;
    for (size_t i = 0; i < run->sources.count; i++) {
        int weight = narrowing_weight(run, run->sources.items[i].schema);
        if (weight > most) {
            second = most;
            most = weight;
            best = i;
        } else if (weight > second) {
            second = weight;
        }
    }
    /* One that names a table more, or the only one that has anything of it. */
    bool clear = run->sources.count == 1 || most - second >= TABLE_WEIGHT ||
                 (most > 0 && second == 0);
    for (size_t i = 0; !clear && run->sources.last && i < run->sources.count; i++) {
        if (str_equal(run->sources.items[i].source->id, run->sources.last)) {
            best = i;
            clear = true;
        }
    }
    if (clear) {
        narrowing_keep(run, best);
    }
    return clear;
}

void narrowing_ask(struct run *run, const struct texts *ids)
{
    struct clarification *back = &run->answer.clarification;
    *back = (struct clarification){.kind = CLARIFY_DATASOURCE};
    back->message = "Which database is the question about?";
    size_t count = ids ? ids->count : reach_count(run);
    for (size_t i = 0; i < count; i++) {
        const struct datasource_setting *setting =
            ids ? reach_find(run, ids->items[i]) : reach_at(run, i);
        struct clarification_option *option = VEC_ADD(run->arena, &back->options);
        option->value = setting->id;
        option->label = setting->description
                            ? arena_format(run->arena, "%s: %s", reach_name(setting),
                                           setting->description)
                            : reach_name(setting);
    }
}

bool narrowing_drop(struct run *run, size_t index, const struct err *why)
{
    struct run_sources *sources = &run->sources;
    /* One of several is meant, or the question is about all of them. */
    bool many = run->sources.several || run->answer.intent == INTENT_SCHEMA_QUERY;
    if (!many || sources->count < 2 ||
        (run->sources.several && crossing_names(run, sources->items[index].source->id))) {
        return false;
    }
    run_warn_system(run, "'%s' was left out: %s", sources->items[index].source->id,
                    why->message);
    for (size_t i = index; i + 1 < sources->count; i++) {
        sources->items[i] = sources->items[i + 1];
    }
    sources->count--;
    return true;
}
