/* Medians, percentiles and deviations, read as averages and exchanged afterwards. */
#include "parser/search/statistic.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/words/tokens.h"

static const struct phrase {
    const char *said;
    enum ir_keyword word;
    const char *percent;
    const char *name; /* no column or table may be called so */
} phrases[] = {
    {"median", IR_MEDIAN, NULL, "median"},
    {"standard deviation", IR_DEVIATION, NULL, "deviation"},
    {"std dev", IR_DEVIATION, NULL, "dev"},
    {"stddev", IR_DEVIATION, NULL, "stddev"},
    {"stdev", IR_DEVIATION, NULL, "stdev"},
    {"variance", IR_VARIANCE, NULL, "variance"},
    {"first quartile", IR_PERCENTILE, "25", "quartile"},
    {"lower quartile", IR_PERCENTILE, "25", "quartile"},
    {"third quartile", IR_PERCENTILE, "75", "quartile"},
    {"upper quartile", IR_PERCENTILE, "75", "quartile"},
    {"percentile", IR_PERCENTILE, NULL, "percentile"},
};

enum { PHRASES = sizeof phrases / sizeof *phrases };

/* Where a phrase stands among the tokens. */
struct found {
    const struct phrase *phrase;
    size_t first;
    size_t end;
    const char *percent;
};

static bool is_ending(const char *text)
{
    static const char *const endings[] = {"st", "nd", "rd", "th", "-"};
    return str_is_among(text, endings, sizeof endings / sizeof *endings);
}

/* "the 90th percentile", "90 percentile": the number before; false if there is none. */
static bool take_percent(struct arena *arena, const struct tokens *tokens,
                         struct found *found)
{
    size_t at = found->first;
    while (at > 0 && is_ending(tokens->items[at - 1].text)) {
        at--;
    }
    if (at == 0 || tokens->items[at - 1].kind != TOKEN_NUMBER) {
        return false;
    }
    const char *text = tokens->items[at - 1].text;
    found->first = at - 1;
    found->percent = arena_text(arena, text);
    return strlen(text) <= 2 && strspn(text, "0123456789") == strlen(text);
}

static bool is_name(const struct ir_schema *schema, const char *word)
{
    for (int i = 0; i < schema->table_count; i++) {
        if (str_contains_nocase(schema->tables[i].source->name, word)) {
            return true;
        }
    }
    for (int i = 1; i < schema->column_count; i++) {
        if (str_contains_nocase(schema->columns[i].name, word)) {
            return true;
        }
    }
    return false;
}

/* False: there is none, or there are several. */
static bool find(struct arena *arena, const struct tokens *tokens, struct found *out)
{
    size_t count = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        for (size_t k = 0; k < PHRASES; k++) {
            size_t size = tokens_phrase(tokens, i, phrases[k].said);
            if (size) {
                *out = (struct found){&phrases[k], i, i + size, phrases[k].percent};
                count++;
                break;
            }
        }
        count += strcmp(tokens->items[i].text, "average") == 0; /* both: not for us */
    }
    return count == 1 && out->phrase &&
           (out->phrase->word != IR_PERCENTILE || out->percent ||
            take_percent(arena, tokens, out));
}

const char *statistic_as_average(struct arena *arena, const struct ir_schema *schema,
                                 const struct tokens *words, size_t keywords,
                                 struct statistic *out)
{
    struct found found = {0};
    *out = (struct statistic){IR_PAD, NULL};
    if (!find(arena, words, &found) || (size_t)found.phrase->word < keywords ||
        is_name(schema, found.phrase->name)) {
        return NULL;
    }
    *out = (struct statistic){found.phrase->word, found.percent};
    return arena_format(arena, "%.*saverage%s", (int)words->items[found.first].start,
                        words->text, words->text + words->items[found.end - 1].end);
}

/* A percentile has its number after the value, which must be a single column for that. */
static bool put_percent(struct arena *arena, const struct ir_tokens *tokens, size_t at,
                        int percent, struct ir_tokens *out)
{
    if (at + 1 >= tokens->count || tokens->items[at + 1].kind != IR_COLUMN) {
        return false;
    }
    VEC_PUSH(arena, out, tokens->items[at + 1]);
    VEC_PUSH(arena, out, ((struct ir_token){IR_VALUE, percent}));
    return true;
}

bool statistic_put(struct arena *arena, const struct statistic *statistic, int percent,
                   struct ir_tokens *tokens)
{
    struct ir_tokens out = {0};
    bool found = false;
    for (size_t i = 0; i < tokens->count; i++) {
        if (!ir_is(tokens->items[i], IR_AVG)) {
            VEC_PUSH(arena, &out, tokens->items[i]);
            continue;
        }
        found = true;
        VEC_PUSH(arena, &out, ir_word(statistic->word));
        if (statistic->percent && !put_percent(arena, tokens, i++, percent, &out)) {
            return false;
        }
    }
    *tokens = out;
    return found;
}
