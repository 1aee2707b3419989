/*
 * A left-over word may say which rows are meant ("vegan customers") or nothing that the SQL lacks ("which vessel
 * carries the most people"). A logistic model over what the words mean to the network, and over what stands around
 * the word, says how likely the first is. Fitted by train/restricts.py.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/features/features.h"
#include "parser/network/network.h"

#define IS_IN(word, list) str_is_among((word), (list), sizeof(list) / sizeof *(list))

enum { WIDTH_MOST = 512 };

/* Below the first the word is passed over; below the second the answer says what it was taken to mean. */
static const double SILENT = 0.045;
static const double ASSUMED = 0.25;
static const double NAMED = 0.5; /* a likeness that is worth saying */
static const double SAMPLE_SLACK = 0.002;

static const struct {
    const char *one;
    const char *other;
    double likeness;
} samples[] = {
#define SAMPLE(one, other, likeness) {one, other, likeness},
#include "parser/coverage/coverage_weights.def"
#undef SAMPLE
};

static const double trait_weights[COVERAGE_TRAITS] = {
#define WEIGHT(name, weight) [COVERAGE_TRAIT_##name] = (weight),
#include "parser/coverage/coverage_weights.def"
#undef WEIGHT
};

static const float direction[] = {
#define MEANING(number) number,
#include "parser/coverage/coverage_weights.def"
#undef MEANING
};

enum { DIRECTION = sizeof direction / sizeof *direction };

struct vector {
    float numbers[WIDTH_MOST];
    double length; /* 0: the word is not known */
};

static void look_up(const struct network *network, const char *word, struct vector *out)
{
    size_t width = network_word(network, word, out->numbers, WIDTH_MOST);
    out->length = 0;
    for (size_t i = 0; i < width; i++) {
        out->length += (double)out->numbers[i] * (double)out->numbers[i];
    }
    out->length = width ? sqrt(out->length / (double)width) : 0;
    for (size_t i = 0; i < width; i++) {
        out->numbers[i] /= (float)(out->length > 0 ? out->length : 1);
    }
    memset(out->numbers + width, 0, (WIDTH_MOST - width) * sizeof *out->numbers);
}

/* The cosine of two vectors, whose numbers have a mean square of 1. */
static double likeness(const struct network *network, const struct vector *a,
                       const struct vector *b)
{
    size_t width = network_width(network);
    double sum = 0;
    for (size_t i = 0; i < width && a->length > 0 && b->length > 0; i++) {
        sum += (double)a->numbers[i] * (double)b->numbers[i];
    }
    return sum / (double)width;
}

/* The weights were fitted to the words of one network: another one's are not compared with them. */
static bool is_fitted(const struct network *network)
{
    struct vector one;
    struct vector other;
    bool same = network && network_width(network) == DIRECTION;
    for (size_t i = 0; same && i < sizeof samples / sizeof *samples; i++) {
        look_up(network, samples[i].one, &one);
        look_up(network, samples[i].other, &other);
        same = fabs(likeness(network, &one, &other) - samples[i].likeness) < SAMPLE_SLACK;
    }
    return same;
}

/* One word that is weighed. */
struct weighed {
    struct covering *covering;
    const struct network *network;
    size_t at;
    struct vector vector;
    double *traits;
    const char *nearest; /* the table or column in use that it is most like */
    double like;         /* how much */
};

static double compare(struct weighed *weighed, const char *word,
                      enum coverage_trait trait)
{
    struct vector other;
    const char *own = weighed->covering->words.items[weighed->at].text;
    look_up(weighed->network, word, &other);
    double like = likeness(weighed->network, &weighed->vector, &other);
    size_t same = 0;
    while (own[same] && own[same] == word[same]) {
        same++;
    }
    size_t longest = strlen(own) > strlen(word) ? strlen(own) : strlen(word);
    double letters = same >= 4 ? (double)same / (double)longest : 0;
    like = letters > like ? letters : like;
    weighed->traits[trait] = fmax(weighed->traits[trait], like);
    return like;
}

/* Does a word of the question name this table or column, by its place among those in use? */
static bool is_asked_for(const struct covering *covering, size_t place)
{
    for (size_t t = 0; t < covering->words.count; t++) {
        enum link_code code = (enum link_code)linking_row(covering->linking, t)[place];
        if (code != LINK_NONE && code <= LINK_RELATED) {
            return true;
        }
    }
    return false;
}

static void compare_item(struct weighed *weighed, size_t item, enum coverage_trait trait)
{
    const struct ir_schema *schema = weighed->covering->schema;
    const struct texts *words = linker_item_words(
        feature_schema_linker(weighed->covering->request->schema), item);
    size_t tables = (size_t)schema->table_count;
    for (size_t i = 0; i < words->count; i++) {
        double like = token_is_grammar(words->items[i])
                          ? 0
                          : compare(weighed, words->items[i], trait);
        bool key = item >= tables && schema->columns[item - tables].primary;
        if (trait <= COVERAGE_TRAIT_BESIDE && !key && like > weighed->like) {
            weighed->like = like;
            weighed->nearest = item < tables ? schema->tables[item].name
                                             : schema->columns[item - tables].name;
        }
    }
}

static void compare_schema(struct weighed *weighed)
{
    const struct covering *covering = weighed->covering;
    const struct ir_schema *schema = covering->schema;
    const struct selection *used = &covering->used;
    size_t tables = (size_t)schema->table_count;
    for (size_t i = 0; i < used->table_count; i++) {
        compare_item(weighed, (size_t)used->tables[i],
                     is_asked_for(covering, i) ? COVERAGE_TRAIT_TABLE
                                               : COVERAGE_TRAIT_SILENT_TABLE);
    }
    for (size_t i = 1; i < used->column_count; i++) {
        size_t column = (size_t)used->columns[i];
        bool in_use = covering->use.columns[column] && covering->use.named[column];
        compare_item(weighed, tables + column,
                     !in_use ? COVERAGE_TRAIT_BESIDE
                     : is_asked_for(covering, used->table_count + i)
                         ? COVERAGE_TRAIT_COLUMN
                         : COVERAGE_TRAIT_SILENT_COLUMN);
    }
    for (size_t t = 0; t < tables; t++) {
        const struct ir_table *table = &schema->tables[t];
        if (covering->use.tables[t]) {
            continue;
        }
        compare_item(weighed, t, COVERAGE_TRAIT_OTHER_TABLE);
        for (int c = 0; c < table->column_count; c++) {
            compare_item(weighed, tables + (size_t)(table->first_column + c),
                         COVERAGE_TRAIT_OTHER_COLUMN);
        }
    }
}

/* A word of weight that has its place. */
static bool is_full(const struct covering *covering, size_t at)
{
    const struct token *token = &covering->words.items[at];
    return at < covering->words.count && covering->placed[at] &&
           token->kind == TOKEN_WORD && !token_is_grammar(token->text) &&
           !coverage_is_empty(token->text) && !coverage_asks_for(token->text) &&
           !coverage_is_time(token->text);
}

static void look_around(struct weighed *weighed)
{
    static const char *const prepositions[] = {"of", "for", "with", "in", "from",
                                               "by", "on",  "at",   "to", "than"};
    static const char *const counted[] = {"many",  "much", "all", "the",
                                          "which", "what", "list"};
    const struct covering *covering = weighed->covering;
    const struct tokens *words = &covering->words;
    const struct token *token = &words->items[weighed->at];
    double *traits = weighed->traits;
    size_t at = weighed->at;
    const char *before = at ? token[-1].text : "";
    bool last = true;
    for (size_t i = at + 1; i < words->count; i++) {
        last = last && words->items[i].kind == TOKEN_MARK;
    }
    for (size_t i = 0; i < words->count; i++) {
        if (i != at && is_full(covering, i)) {
            (void)compare(weighed, words->items[i].text, COVERAGE_TRAIT_ASKED);
        }
    }
    bool next = at + 1 < words->count;
    bool verb = coverage_stands_as_verb(covering, at);
    traits[COVERAGE_TRAIT_ONE] = 1;
    traits[COVERAGE_TRAIT_KNOWN] = weighed->vector.length > 0;
    traits[COVERAGE_TRAIT_BEGINS] = at == 0;
    traits[COVERAGE_TRAIT_ENDS] = last;
    traits[COVERAGE_TRAIT_COUNTED] = at && IS_IN(before, counted);
    traits[COVERAGE_TRAIT_BEFORE_TABLE] = next && covering_names_table(covering, at + 1);
    traits[COVERAGE_TRAIT_BEFORE_FULL] = next && is_full(covering, at + 1);
    traits[COVERAGE_TRAIT_AFTER_FULL] = at && is_full(covering, at - 1);
    traits[COVERAGE_TRAIT_AFTER_NUMBER] = at && token[-1].kind == TOKEN_NUMBER;
    traits[COVERAGE_TRAIT_AFTER_PREPOSITION] = at && IS_IN(before, prepositions);
    traits[COVERAGE_TRAIT_BEFORE_PREPOSITION] =
        next && IS_IN(token[1].text, prepositions);
    traits[COVERAGE_TRAIT_VERB] = verb;
    traits[COVERAGE_TRAIT_ED] = str_ends(token->text, "ed");
    traits[COVERAGE_TRAIT_ING] = str_ends(token->text, "ing");
    traits[COVERAGE_TRAIT_S] = str_ends(token->text, "s");
}

static double restricts(const struct weighed *weighed)
{
    double sum = 0;
    for (size_t i = 0; i < COVERAGE_TRAITS; i++) {
        sum += trait_weights[i] * weighed->traits[i];
    }
    for (size_t i = 0; weighed->vector.length > 0 && i < DIRECTION; i++) {
        sum += (double)direction[i] * (double)weighed->vector.numbers[i];
    }
    return 1 / (1 + exp(-sum));
}

/* What a cell holds says which rows, whatever else it may mean. */
static bool is_cell(const struct covering *covering, size_t at)
{
    const struct value_index *index = covering->request->index;
    const struct token *token = &covering->words.items[at];
    struct value_matches matches = {0};
    if (index) {
        value_index_find(index, covering->arena, token->text, strlen(token->text),
                         &matches);
    }
    return matches.count > 0;
}

static void weigh(struct covering *covering, size_t at)
{
    struct weighed weighed = {
        .covering = covering, .network = covering->request->network, .at = at};
    struct coverage_weight *out = &covering->weights[at];
    weighed.traits = arena_array(covering->arena, COVERAGE_TRAITS, sizeof(double));
    look_up(weighed.network, covering->words.items[at].text, &weighed.vector);
    compare_schema(&weighed);
    look_around(&weighed);
    out->traits = weighed.traits;
    out->nearest = weighed.like >= NAMED ? weighed.nearest : NULL;
    out->chance =
        weighed.vector.length > 0 && !is_cell(covering, at) ? restricts(&weighed) : 1;
}

void coverage_weigh(struct covering *covering)
{
    const struct network *network = covering->request->network;
    bool all = covering->request->all;
    if (!network || (!all && !is_fitted(network))) {
        return;
    }
    for (size_t i = 0; i < covering->words.count; i++) {
        if (!covering->placed[i] && !covering->groundless[i] &&
            !coverage_misses_rest(covering, i) &&
            coverage_role_of(covering, i) <= COVERAGE_RESTRICTION) {
            weigh(covering, i);
        }
    }
    for (size_t i = 0; !all && i < covering->words.count; i++) {
        const struct coverage_weight *weight = &covering->weights[i];
        covering->placed[i] =
            covering->placed[i] || (weight->traits && weight->chance < SILENT);
    }
}

void coverage_assume(struct coverage_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        struct coverage_word *word = &words->items[i];
        if (word->weight && word->weight->chance < ASSUMED && !word->taken_for) {
            const char *nearest = word->weight->nearest;
            word->taken_for = nearest ? nearest : "what the other words say already";
            word->joined = true;
        }
    }
}
