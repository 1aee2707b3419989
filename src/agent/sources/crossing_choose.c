/* Does a question need several datasources, and which? By what it names. */
#include <string.h>

#include "agent/sources/crossing.h"
#include "agent/sources/joining_files.h"
#include "agent/understand/intent_rules.h"
#include "agent/understand/intent_words.h"
#include "agent/sources/narrowing.h"
#include "agent/sources/sources.h"
#include "base/str.h"
#include "datasource/staging/staging.h"
#include "knowledge/words/fold.h"
#include "knowledge/words/words.h"
#include "knowledge/words/stem.h"

enum { SOURCES_MOST = 64, PHRASE_MOST = 3 };

/* What the tables of the sources have of the question. */
struct covering {
    struct texts words;
    uint64_t words_of[SOURCES_MOST]; /* a bit for each word that names a table */
    uint64_t all;
    bool chosen[SOURCES_MOST];
};

bool crossing_names(const struct run *run, const char *id)
{
    for (size_t i = 0; run->sources.named.count > 1 && i < run->sources.named.count;
         i++) {
        if (str_equal_nocase(run->sources.named.items[i], id)) {
            return true;
        }
    }
    return false;
}

/* "in order of name", "ordered by date": no orders are meant. */
static bool is_sorting(const struct texts *words, size_t at)
{
    bool order = str_equal(words->items[at], "order") ||
                 str_equal(words->items[at], "ordered") ||
                 str_equal(words->items[at], "sorted");
    const char *next = at + 1 < words->count ? words->items[at + 1] : "";
    const char *before = at > 0 ? words->items[at - 1] : "";
    return order &&
           (str_equal(next, "by") || str_equal(next, "of") || str_equal(before, "in"));
}

/* "ordered" names orders: what is done to things, not only what they are called. */
const struct table *crossing_table_stem(const struct schema *schema, const char *word)
{
    char mine[STEM_SIZE];
    char theirs[STEM_SIZE];
    if (word_is_common(word) || strlen(word) < 4) {
        return NULL;
    }
    (void)stem_word(mine, word);
    for (size_t i = 0; i < schema->tables.count; i++) {
        char folded[STEM_SIZE];
        const char *name = schema->tables.items[i].bare_name;
        if (strlen(name) < sizeof folded) {
            for (size_t k = 0; k <= strlen(name); k++) {
                folded[k] =
                    (char)(name[k] >= 'A' && name[k] <= 'Z' ? name[k] + 32 : name[k]);
            }
            (void)stem_word(theirs, folded);
            if (strcmp(mine, theirs) == 0) {
                return &schema->tables.items[i];
            }
        }
    }
    return NULL;
}

static uint64_t words_covered(struct run *run, const struct texts *words,
                              const struct schema *schema)
{
    uint64_t covered = 0;
    for (size_t i = 0; i < words->count && i < JOINING_WORDS; i++) {
        if (is_sorting(words, i)) {
            continue;
        }
        bool found = crossing_table_stem(schema, words->items[i]) != NULL;
        for (size_t size = PHRASE_MOST; size > 0 && !found; size--) {
            struct texts some = {words->items + i, size, size};
            found = i + size <= words->count &&
                    intent_table_named(run->scratch, schema, &some);
        }
        covered |= found ? (uint64_t)1 << i : 0;
    }
    return covered;
}

static int bits(uint64_t set)
{
    int count = 0;
    for (; set; set &= set - 1) {
        count++;
    }
    return count;
}

/* Who has the first word that is missing: the one with most of the others; -1 when two
 * have as much. */
static int best_for(struct run *run, const struct covering *covering, uint64_t missing)
{
    int best = -1;
    int most = 0;
    bool tie = false;
    for (size_t i = 0; i < run->sources.count; i++) {
        bool first = covering->words_of[i] & missing & (~missing + 1);
        int has = first ? bits(covering->words_of[i] & missing) * 1000 : 0;
        has += has ? narrowing_weight(run, run->sources.items[i].schema) : 0;
        if (has > most) {
            best = (int)i;
            most = has;
            tie = false;
        } else if (has == most && has > 0) {
            tie = true;
        }
    }
    return tie ? -1 : best;
}

/* "and those in Rome?" after a question about several. */
static bool choose_last(struct run *run, struct covering *covering)
{
    struct texts ids = {0};
    size_t count = 0;
    if (!run->sources.last || !strchr(run->sources.last, ',') || covering->all) {
        return false;
    }
    str_split(run->scratch, run->sources.last, ',', &ids);
    for (size_t i = 0; i < run->sources.count; i++) {
        for (size_t k = 0; k < ids.count; k++) {
            if (str_equal_nocase(run->sources.items[i].source->id, ids.items[k])) {
                covering->chosen[i] = true;
                count++;
            }
        }
    }
    return count > 1;
}

/* The only source that has every table which the question names; -1 when none or several
 * do. *enough: one of them does. */
static int only_whole(const struct run *run, const struct covering *covering,
                      bool *enough)
{
    int only = -1;
    *enough = false;
    for (size_t i = 0; i < run->sources.count; i++) {
        if ((covering->words_of[i] & covering->all) == covering->all) {
            only = *enough ? -1 : (int)i;
            *enough = true;
        }
    }
    return covering->all ? only : -1;
}

/* Those that are named, and those that have what these lack. */
static bool choose_several(struct run *run, struct covering *covering)
{
    uint64_t covered = 0;
    size_t count = 0;
    for (size_t i = 0; i < run->sources.count; i++) {
        covering->chosen[i] = crossing_names(run, run->sources.items[i].source->id);
        covered |= covering->chosen[i] ? covering->words_of[i] : 0;
        count += covering->chosen[i];
    }
    for (uint64_t missing; (missing = covering->all & ~covered);) {
        int best = best_for(run, covering, missing);
        if (best < 0) {
            return false;
        }
        covering->chosen[best] = true;
        covered |= covering->words_of[best];
        count++;
    }
    return count > 1;
}

static bool begin_with(struct run *run, const bool *chosen)
{
    struct err err;
    size_t kept = 0;
    err_clear(&err);
    for (size_t i = 0; i < run->sources.count; i++) {
        if (chosen[i]) {
            run->sources.items[kept++] = run->sources.items[i];
        }
    }
    run->sources.count = kept;
    return crossing_begin(run, &err);
}

/* Two files of which the question names columns: if they can be joined. */
static bool begin_by_columns(struct run *run, struct covering *covering)
{
    struct run_sources before = run->sources;
    struct run_source *items = arena_array(run->arena, before.count + 1, sizeof *items);
    const char *datasource = run->answer.datasource;
    const char *hash = run->answer.schema_hash;
    memcpy(items, before.items, before.count * sizeof *items);
    if (!joining_files_named(run, &covering->words, covering->words_of,
                             covering->chosen)) {
        return false;
    }
    if (begin_with(run, covering->chosen) && joining_files_joined(run)) {
        return true;
    }
    before.items = items;
    run->sources = before;
    run->sources.unjoined = true;
    run_warn(run, "The question names columns of several files, but the files have no "
                  "common column by which they can be joined.");
    run->answer.datasource = datasource;
    run->answer.schema_hash = hash;
    memset(covering->chosen, 0, sizeof covering->chosen);
    return false;
}

bool crossing_choose(struct run *run)
{
    struct covering covering = {.all = 0};
    struct err err;
    err_clear(&err);
    if (run->sources.count < 2 || run->sources.count > SOURCES_MOST ||
        !staging_ready(run->sources.items[0].source->options, &err)) {
        return false;
    }
    intent_words(run->scratch, run_question_text(run), &covering.words);
    for (size_t i = 0; i < run->sources.count; i++) {
        covering.words_of[i] =
            words_covered(run, &covering.words, run->sources.items[i].schema);
        covering.all |= covering.words_of[i];
    }
    bool enough = false;
    int only = only_whole(run, &covering, &enough);
    if (run->sources.named.count < 2 && begin_by_columns(run, &covering)) {
        return true;
    }
    if (run->sources.unjoined) {
        return false;
    }
    if (run->sources.named.count < 2 && only >= 0) {
        narrowing_keep(run, (size_t)only);
        return true;
    }
    if (!(run->sources.named.count < 2 && enough ? choose_last(run, &covering)
                                                 : choose_several(run, &covering))) {
        return false;
    }
    return begin_with(run, covering.chosen);
}

bool crossing_answer(struct run *run, const char *text, struct texts *ids)
{
    static const char *const every[] = {
        "both", "all", "all of them", "both of them", "everything", "all together", NULL};
    const struct clarification *back = &run->answer.clarification;
    if (ids->count > 1) {
        return true;
    }
    if (!intent_in_list(str_lower(run->scratch, text), every) ||
        back->options.count < 2) {
        return false;
    }
    ids->count = 0;
    for (size_t i = 0; i < back->options.count; i++) {
        VEC_PUSH(run->arena, ids, back->options.items[i].value);
    }
    return true;
}
