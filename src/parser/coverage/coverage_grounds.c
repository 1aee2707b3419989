/*
 * Words whose place is none: the SQL has a condition that is near to the word, but does not mean it. "Overdue orders"
 * are not those from before today, nor are "unshipped orders" those that are shipped.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/words/words.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/features/features.h"
#include "parser/values/values.h"
#include "parser/words/lexicon.h"

#define IS_IN(word, list) str_is_among((word), (list), sizeof(list) / sizeof *(list))

/* ------------------------------------------------------------------ later than agreed */

/* "late", but not "late March", "too late at night" */
static bool tells_lateness(const struct covering *covering, size_t at)
{
    static const char *const late[] = {"overdue", "late",     "delayed",
                                       "belated", "punctual", "tardy"};
    const struct tokens *tokens = &covering->words;
    const char *word = tokens->items[at].text;
    const struct token *next = at + 1 < tokens->count ? &tokens->items[at + 1] : NULL;
    if (str_equal(word, "time")) {
        return at && str_equal(tokens->items[at - 1].text, "on") &&
               (!next || next->kind == TOKEN_MARK);
    }
    if (!str_equal(word, "late")) {
        return IS_IN(word, late);
    }
    return !next || !(next->kind == TOKEN_NUMBER || coverage_is_time(next->text) ||
                      str_equal(next->text, "in") || str_equal(next->text, "at"));
}

/* "late 2023", where the SQL has no date within that year: it is after it, or before */
static bool misses_year(const struct covering *covering, size_t at)
{
    static const char *const parts[] = {"early", "mid", "late"};
    const struct token *token = &covering->words.items[at];
    const struct texts *texts = &covering->use.texts;
    if (at + 1 >= covering->words.count || !IS_IN(token->text, parts) ||
        token[1].kind != TOKEN_NUMBER || strlen(token[1].text) != 4) {
        return false;
    }
    for (size_t i = 0; i < texts->count; i++) {
        if (strstr(texts->items[i], token[1].text) &&
            !strstr(texts->items[i], "-01-01")) {
            return false;
        }
    }
    return (covering->use.operations & DOES_TIME) != 0;
}

/* "due_date", "promised_at", "days_late": agreed beforehand, or lateness itself. */
static bool tells_agreed(const char *name)
{
    static const char *const wholes[] = {"due",  "eta",   "etd", "sla",
                                         "late", "until", "req"};
    static const char *const stems[] = {"deadline", "expect",  "estimat",  "promis",
                                        "plan",     "schedul", "requir",   "target",
                                        "overdue",  "delay",   "lateness", "expir",
                                        "commit",   "agreed",  "need",     "valid"};
    struct words words;
    struct word word;
    words_init(&words, name);
    while (words_next(&words, &word)) {
        bool found = IS_IN(word.folded, wholes);
        for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
            found = found || str_starts(word.folded, stems[i]);
        }
        if (found) {
            return true;
        }
    }
    return false;
}

/* A text of the SQL that the word stands for: status = 'late'. */
static bool is_value(struct covering *covering, size_t at)
{
    const struct coverage_request *request = covering->request;
    struct candidates values;
    if (!covering->use.texts.count) {
        return false;
    }
    features_values(covering->arena, request->schema, request->index, &covering->words,
                    &values);
    for (size_t i = 0; i < values.count; i++) {
        const struct candidate *value = &values.items[i];
        if (at < value->first || at >= value->end || !value->value.text) {
            continue;
        }
        const char *folded = str_lower(covering->arena, value->value.text);
        for (size_t k = 0; k < covering->use.texts.count; k++) {
            if (str_equal(covering->use.texts.items[k], folded)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_agreed(const struct covering *covering)
{
    for (int i = 1; i < covering->schema->column_count; i++) {
        if (covering->use.columns[i] && tells_agreed(covering->schema->columns[i].name)) {
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------ what is missing */

static bool is_reference(const struct ir_schema *schema, int column)
{
    for (int i = 0; i < schema->key_count; i++) {
        if (schema->keys[i].from == column) {
            return !schema->columns[column].primary;
        }
    }
    return false;
}

/* "pending" as an order that has no store: any of the keys could be the missing one. */
static const struct coverage_part *missing_reference(const struct covering *covering,
                                                     size_t at)
{
    static const char *const states[] = {"pending", "open", "outstanding", "unpaid",
                                         "missing"};
    const struct coverage_parts *parts = &covering->use.parts;
    const struct coverage_part *found = NULL;
    if (!IS_IN(covering->words.items[at].text, states)) {
        return NULL;
    }
    for (size_t i = 0; i < parts->count; i++) {
        const struct coverage_part *part = &parts->items[i];
        if (part->flags && (part->column_count != 1 || !part->missing ||
                            !is_reference(covering->schema, part->columns[0]))) {
            return NULL;
        }
        found = part->flags ? part : found;
    }
    return found;
}

/* ------------------------------------------------------------------ the opposite */

/* "unshipped", where the SQL asks for 'shipped' */
static bool is_opposite(const struct covering *covering, size_t at)
{
    enum { LEAST = 4 };
    static const char *const prefixes[] = {"un", "non", "in", "dis", "not"};
    const char *word = covering->words.items[at].text;
    const struct texts *texts = &covering->use.texts;
    if (covering->use.operations & DOES_NOT) {
        return false;
    }
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
        const char *rest = word + strlen(prefixes[p]);
        if (!str_starts(word, prefixes[p]) || strlen(rest) < LEAST) {
            continue;
        }
        for (size_t i = 0; i < texts->count; i++) {
            if (str_equal(texts->items[i], rest)) {
                return true;
            }
        }
    }
    return false;
}

/* ------------------------------------------------------------------ of something else */

/* What such words are about, as columns are called. */
static const struct dimension {
    const char *const words[4];
    const char *const names[10];
} dimensions[] = {
    {{"heaviest", "lightest"},
     {"weight", "weigh", "mass", "load", "kg", "gram", "ton", "wt", "wgt"}},
    {{"tallest"},
     {"height", "hgt", "elevation", "floor", "storey", "stories", "size", "length",
      "tall"}},
    {{"hottest", "coldest", "warmest", "coolest"},
     {"temp", "degree", "heat", "celsius", "fahrenheit"}},
    {{"deepest", "shallowest"}, {"depth", "deep"}},
    {{"widest", "narrowest"}, {"width", "wide", "breadth", "span"}},
};

static bool is_among(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count && words[i]; i++) {
        if (str_equal(words[i], word)) {
            return true;
        }
    }
    return false;
}

/* "heaviest", where the SQL knows heights only */
static bool is_of_other(const struct covering *covering, size_t at)
{
    const char *word = covering->words.items[at].text;
    const struct dimension *found = NULL;
    for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions; i++) {
        const struct dimension *dimension = &dimensions[i];
        size_t count = sizeof dimension->words / sizeof *dimension->words;
        found = is_among(word, dimension->words, count) ? dimension : found;
    }
    for (int c = 1; found && c < covering->schema->column_count; c++) {
        for (size_t i = 0;
             covering->use.columns[c] && i < sizeof found->names / sizeof *found->names &&
             found->names[i];
             i++) {
            if (str_contains_nocase(covering->schema->columns[c].name, found->names[i])) {
                return false;
            }
        }
    }
    return found != NULL;
}

/* ------------------------------------------------------------------ other words */

/* Two words that only begin alike, as "discounted" and "discontinued" do. */
static bool only_begins_alike(const struct covering *covering, const struct token *token,
                              const char *name)
{
    const struct lexicon *lexicon = feature_schema_lexicon(covering->request->schema);
    struct lexicon_senses own;
    struct words words;
    struct word word;
    lexicon_senses(lexicon, token->text, &own);
    words_init(&words, name);
    while (own.count && words_next(&words, &word)) {
        struct lexicon_senses senses;
        const char *whole = arena_copy(covering->arena, word.start, word.size);
        lexicon_senses(lexicon, str_lower(covering->arena, whole), &senses);
        size_t same = 0;
        while (token->stem[same] && token->stem[same] == word.folded[same]) {
            same++;
        }
        enum lexicon_kind kind = lexicon_between(lexicon, &own, &senses);
        if (!senses.count || strlen(token->stem) <= same + 2 || !word.folded[same] ||
            kind < LEXICON_RELATED || kind == LEXICON_FORM) {
            return false; /* a short form, the same word, or a related one */
        }
    }
    return own.count > 0;
}

/* A condition about one column that says yes or no. */
static bool is_flag(const struct coverage_part *part)
{
    return part->tests && part->flags && part->column_count == 1;
}

static bool has_flag(const struct coverage_parts *parts)
{
    bool found = false;
    for (size_t i = 0; i < parts->count; i++) {
        found = found || is_flag(&parts->items[i]);
    }
    return found;
}

/* The flag whose name is all that ties the word to the SQL, and is another word. */
static const struct coverage_part *other_flag(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const struct coverage_parts *parts = &covering->use.parts;
    const struct coverage_part *found = NULL;
    if (!has_flag(parts)) {
        return NULL; /* most SQL: the row of links costs more than all else here */
    }
    const uint8_t *codes = linking_row(covering->linking, at);
    for (size_t i = 0; i < used->table_count; i++) {
        if (codes[i] != LINK_NONE && codes[i] <= LINK_RELATED) {
            return NULL;
        }
    }
    for (size_t i = 1; i < used->column_count; i++) {
        int column = used->columns[i];
        enum link_code code = (enum link_code)codes[used->table_count + i];
        if (code == LINK_NONE || !covering->use.columns[column]) {
            continue;
        }
        const struct coverage_part *part = NULL;
        for (size_t k = 0; k < parts->count; k++) {
            bool about =
                is_flag(&parts->items[k]) && parts->items[k].columns[0] == column;
            part = about ? &parts->items[k] : part;
        }
        if (!part || code != LINK_PARTIAL ||
            !only_begins_alike(covering, &covering->words.items[at],
                               covering->schema->columns[column].name)) {
            return NULL;
        }
        found = part;
    }
    return found;
}

/* ------------------------------------------------------------------ of what is only shown */

static bool is_table_word(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, at);
    for (size_t i = 0; i < used->table_count; i++) {
        if (codes[i] != LINK_NONE && codes[i] <= LINK_RELATED) {
            return true;
        }
    }
    return false;
}

/* "unpriced" and `price`: the word without its first syllable begins like the name. */
static bool shares_base(const struct covering *covering, const char *word, int column)
{
    enum { LEAST = 4 };
    static const char *const prefixes[] = {"", "un", "non", "in", "dis"};
    const char *name = covering->schema->columns[column].name;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const char *rest = word + strlen(prefixes[i]);
        if (str_starts(word, prefixes[i]) && strlen(rest) >= LEAST &&
            str_contains_nocase(name, arena_copy(covering->arena, rest, LEAST))) {
            return true;
        }
    }
    return false;
}

/* Is the word related to a column of the condition, or in its value? */
static bool is_about(const struct covering *covering, size_t at,
                     const struct coverage_part *part)
{
    const struct selection *used = &covering->used;
    const struct token *token = &covering->words.items[at];
    const uint8_t *codes = linking_row(covering->linking, at);
    for (size_t k = 0; k < part->column_count; k++) {
        if (shares_base(covering, token->text, part->columns[k])) {
            return true;
        }
        bool time = covering->schema->columns[part->columns[k]].type == IR_TYPE_TIME &&
                    coverage_is_time(token->text);
        for (size_t i = 1; i < used->column_count; i++) {
            if (used->columns[i] == part->columns[k] &&
                (time || codes[used->table_count + i] != LINK_NONE)) {
                return true;
            }
        }
    }
    return part->literal && strlen(token->stem) > 2 &&
           (strstr(part->literal, token->stem) || strstr(token->text, part->literal));
}

/* "free rides" as those without a rider: the word is related to a fare that is only shown, and
 * the one condition on something being there is about a column that no word is related to. */
static const struct coverage_part *shown_only(const struct covering *covering, size_t at)
{
    const struct coverage_parts *parts = &covering->use.parts;
    const struct coverage_part *found = NULL;
    const char *word = covering->words.items[at].text;
    bool free_of = str_equal(word, "free");
    if (at + 1 >= covering->words.count || is_table_word(covering, at) ||
        !(free_of || covering_is_linked(covering, at)) ||
        !is_table_word(covering, at + 1) || token_is_grammar(word) ||
        (coverage_asks_for(word) && !free_of) || coverage_is_time(word)) {
        return NULL;
    }
    for (size_t p = 0; p < parts->count; p++) {
        const struct coverage_part *part = &parts->items[p];
        bool presence = part->tests && part->flags && strstr(part->text, " IS ") &&
                        part->column_count == 1 &&
                        !covering->schema->columns[part->columns[0]].flag;
        bool about = false;
        for (size_t i = 0; part->tests && i < covering->words.count; i++) {
            about =
                about || (i == at && is_about(covering, i, part)) ||
                (i != at && !is_table_word(covering, i) && is_about(covering, i, part));
        }
        if (!part->tests || about) {
            continue;
        }
        if (!presence || found) {
            return NULL;
        }
        found = part;
    }
    return found;
}

/* ------------------------------------------------------------------ a limit of nobody */

static bool says_number(const struct covering *covering)
{
    long number = 0;
    for (size_t i = 0; i < covering->words.count; i++) {
        const struct token *token = &covering->words.items[i];
        if (token->kind == TOKEN_NUMBER || values_number_word(token->text, &number)) {
            return true;
        }
    }
    return false;
}

/* "elderly", where the SQL compares an age with a number that nobody said */
static const struct coverage_part *made_up_limit(const struct covering *covering,
                                                 size_t at)
{
    const struct selection *used = &covering->used;
    const struct coverage_parts *parts = &covering->use.parts;
    const char *word = covering->words.items[at].text;
    for (size_t p = 0; p < parts->count; p++) {
        const struct coverage_part *part = &parts->items[p];
        const struct ir_column *column =
            part->column_count == 1 ? &covering->schema->columns[part->columns[0]] : NULL;
        bool time = column && column->type == IR_TYPE_TIME;
        bool owing = part->zero && column && !time; /* "overdrawn" */
        bool seconds = time && (column->storage == IR_STORED_SECONDS ||
                                column->storage == IR_STORED_MILLISECONDS);
        if (!part->limit || !column || owing || seconds) {
            continue;
        }
        const uint8_t *codes = linking_row(covering->linking, at);
        for (size_t i = 1; i < used->column_count; i++) {
            bool about = used->columns[i] == part->columns[0] &&
                         codes[used->table_count + i] >= LINK_RELATED;
            if (about && !coverage_asks_for(word) && !coverage_is_time(word) &&
                !says_number(covering)) {
                return part;
            }
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------ all */

/* The condition that was written for a word of time. */
static const struct coverage_part *time_test(const struct covering *covering)
{
    const struct coverage_parts *parts = &covering->use.parts;
    for (size_t i = 0; i < parts->count; i++) {
        const struct coverage_part *part = &parts->items[i];
        for (size_t k = 0; part->tests && k < part->column_count; k++) {
            if (covering->schema->columns[part->columns[k]].type == IR_TYPE_TIME) {
                return part;
            }
        }
    }
    return NULL;
}

bool coverage_is_groundless(struct covering *covering, size_t at,
                            const struct coverage_part **written)
{
    const struct token *token = &covering->words.items[at];
    *written = NULL;
    if (token->kind != TOKEN_WORD || token->quoted) {
        return false;
    }
    if (tells_lateness(covering, at) && !has_agreed(covering) &&
        !is_value(covering, at)) {
        *written = time_test(covering);
        return true;
    }
    if (is_opposite(covering, at) || misses_year(covering, at) ||
        is_of_other(covering, at) || coverage_misses_number(covering, at) ||
        coverage_misreads_new(covering, at) || coverage_misses_rate(covering, at)) {
        return true;
    }
    *written = missing_reference(covering, at);
    *written = *written ? *written : other_flag(covering, at);
    *written = *written ? *written : made_up_limit(covering, at);
    *written = *written ? *written : shown_only(covering, at);
    *written = *written ? *written : coverage_of_today(covering, at);
    return *written != NULL;
}
