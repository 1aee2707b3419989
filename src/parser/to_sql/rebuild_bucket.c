/* The ranges of a number: where they end, and what they are called. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/to_sql/rebuild_state.h"
#include "parser/words/tokens.h"

enum { LADDER = 3, CUTS_MOST = 40 };

/* Ranges that people call by name, from the lowest on. */
static const char *const ladders[][LADDER] = {
    {"small", "medium", "large"},  {"small", "medium", "big"},
    {"small", "mid", "large"},     {"low", "medium", "high"},
    {"low", "middle", "high"},     {"low", "mid", "high"},
    {"short", "medium", "long"},   {"cheap", "medium", "expensive"},
    {"cheap", "mid", "expensive"}, {"light", "medium", "heavy"},
    {"cold", "warm", "hot"},       {"junior", "mid", "senior"},
};

struct cut {
    const struct ir_node *node;
    const char *text;
    double number;
    bool below; /* the number itself belongs to the range below */
};

struct cuts {
    struct cut items[CUTS_MOST];
    size_t count;
};

static const char *word_at(const struct tokens *tokens, size_t at)
{
    return at < tokens->count ? tokens->items[at].text : "";
}

static bool is_any(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equal(word, words[i])) {
            return true;
        }
    }
    return false;
}

#define IS_ANY(word, words) is_any(word, words, sizeof(words) / sizeof *(words))

static bool is_kind(const struct tokens *tokens, size_t at, enum token_kind kind)
{
    return at < tokens->count && tokens->items[at].kind == kind;
}

/* "50 to 200", "50-200", "1 kg to 10", "between 50 and 200": the second one is still in
 * the range. */
static bool ends_range(const struct tokens *tokens, size_t at)
{
    static const char *const links[] = {"to", "-", "\u2013", "until", "through"};
    size_t unit = at > 2 && is_kind(tokens, at - 2, TOKEN_WORD);
    if (at < 2 + unit || !is_kind(tokens, at - 2 - unit, TOKEN_NUMBER)) {
        return false;
    }
    return IS_ANY(word_at(tokens, at - 1), links) ||
           (at > 2 + unit && str_equal(word_at(tokens, at - 1), "and") &&
            str_equal(word_at(tokens, at - 3 - unit), "between"));
}

static bool is_pair(const struct tokens *tokens, size_t end, const char *pair)
{
    const char *first = end > 1 ? word_at(tokens, end - 2) : "";
    size_t size = strlen(first);
    return size && strncmp(pair, first, size) == 0 && pair[size] == ' ' &&
           str_equal(pair + size + 1, word_at(tokens, end - 1));
}

static bool is_any_pair(const struct tokens *tokens, size_t end, const char *const *pairs,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_pair(tokens, end, pairs[i])) {
            return true;
        }
    }
    return false;
}

/* Where the words that compare with the number end: "over $ 200". */
static size_t end_before(const struct tokens *tokens, size_t at)
{
    static const char *const signs[] = {"$", "\u20ac", "\u00a3"};
    return at && IS_ANY(word_at(tokens, at - 1), signs) ? at - 1 : at;
}

/* "over 200", "> 200", "up to 200": 200 belongs to the range below. */
static bool closes(const struct tokens *tokens, size_t at)
{
    static const char *const words[] = {"over",   "above", "exceeding",
                                        "beyond", "after", ">"};
    static const char *const pairs[] = {
        "more than",   "greater than", "larger than", "bigger than", "higher than",
        "longer than", "older than",   "up to",       "at most",     "< ="};
    size_t end = end_before(tokens, at);
    return (end && IS_ANY(word_at(tokens, end - 1), words)) ||
           is_any_pair(tokens, end, pairs, sizeof pairs / sizeof *pairs) ||
           ends_range(tokens, at);
}

/* "under 200", "from 200", "200+", "200 and more", "200 to 500": to the one above. */
static bool opens(const struct tokens *tokens, size_t at, size_t after)
{
    static const char *const words[] = {"under", "below", "before", "from", "<"};
    static const char *const pairs[] = {"less than", "fewer than", "at least", "> ="};
    static const char *const next[] = {"+", "to", "-", "\u2013", "until", "through"};
    static const char *const tails[] = {"more",    "over",  "above", "up",
                                        "upwards", "older", "higher"};
    size_t end = end_before(tokens, at);
    const char *follows = word_at(tokens, after);
    bool joined = str_equal(follows, "and") || str_equal(follows, "or");
    bool ends = !is_kind(tokens, after + 2, TOKEN_NUMBER); /* not "and over 200" */
    return (end && IS_ANY(word_at(tokens, end - 1), words)) ||
           is_any_pair(tokens, end, pairs, sizeof pairs / sizeof *pairs) ||
           IS_ANY(follows, next) ||
           (joined && ends && IS_ANY(word_at(tokens, after + 1), tails));
}

/* The number of a token, "40k" with its k; *after is where the words go on. */
static bool number_at(const struct tokens *tokens, size_t at, double *out, size_t *after)
{
    if (!is_kind(tokens, at, TOKEN_NUMBER) || !str_to_real(word_at(tokens, at), out)) {
        return false;
    }
    bool thousands = str_equal(word_at(tokens, at + 1), "k");
    *out *= thousands ? 1000 : 1;
    *after = at + 1 + thousands;
    return true;
}

/* Whether the question puts the number at a cut into the range below it. Where it says
 * nothing, or both, a range starts with its number. */
static bool is_below(const struct tokens *tokens, double cut)
{
    bool below = false;
    for (size_t i = 0; i < tokens->count; i++) {
        double number = 0;
        size_t after = 0;
        if (number_at(tokens, i, &number, &after) && number >= cut && number <= cut) {
            if (opens(tokens, i, after)) {
                return false;
            }
            below = below || closes(tokens, i);
        }
    }
    return below;
}

/* In rising order: a range that is asked for after a higher one would stay empty. */
static void cut_insert(struct cuts *cuts, const struct cut *cut)
{
    size_t at = cuts->count;
    if (at == CUTS_MOST) {
        return;
    }
    for (; at && cuts->items[at - 1].number > cut->number; at--) {
        cuts->items[at] = cuts->items[at - 1];
    }
    cuts->items[at] = *cut;
    cuts->count++;
}

/* "50 to 499, 500 and more": one cut, not two. */
static void cuts_merge(struct cuts *cuts)
{
    size_t kept = 0;
    for (size_t i = 0; i < cuts->count; i++) {
        const struct cut *cut = &cuts->items[i];
        const struct cut *next = i + 1 < cuts->count ? cut + 1 : NULL;
        bool same = next && next->number <= cut->number;
        bool meets =
            next && cut->below && !next->below && next->number <= cut->number + 1;
        if (!same && !meets) {
            cuts->items[kept++] = *cut;
        }
    }
    cuts->count = kept;
}

/* False if one of them is not a number. */
static bool cuts_read(struct rebuilding *rebuilding, const struct tokens *tokens,
                      const struct ir_nodes *args, struct cuts *cuts)
{
    for (size_t i = 1; i < args->count; i++) {
        struct cut cut = {.node = args->items[i]};
        cut.text = rebuild_value_of(rebuilding, cut.node)->text;
        if (!str_to_real(cut.text, &cut.number)) {
            return rebuild_fail(rebuilding, "Ranges end at numbers.");
        }
        cut.below = is_below(tokens, cut.number);
        cut_insert(cuts, &cut);
    }
    cuts_merge(cuts);
    return cuts->count > 0 || rebuild_fail(rebuilding, "Ranges end somewhere.");
}

/* The words by which the question calls three ranges, in this order, or NULL. */
static const char *const *ladder_in(const struct tokens *tokens)
{
    for (size_t k = 0; k < sizeof ladders / sizeof *ladders; k++) {
        size_t found = 0;
        for (size_t i = 0; i < tokens->count && found < LADDER; i++) {
            const struct token *token = &tokens->items[i];
            found += str_equal(token->text, ladders[k][found]) ||
                     str_equal(token->stem, ladders[k][found]);
        }
        if (found == LADDER) {
            return ladders[k];
        }
    }
    return NULL;
}

/* "under 50", "50 to under 200", "50 to 200", and after the last cut "over 200" or "200
 * and over". */
static void write_name(struct rebuilding *rebuilding, const struct cut *low,
                       const struct cut *cut, bool last)
{
    struct buf name;
    buf_init(&name, 400);
    if (last) {
        buf_format(&name, "%s%s%s", cut->below ? "over " : "", cut->text,
                   cut->below ? "" : " and over");
    } else if (!low) {
        buf_format(&name, "%s %s", cut->below ? "up to" : "under", cut->text);
    } else {
        buf_format(&name, "%s%s to %s%s", low->below ? "over " : "", low->text,
                   cut->below ? "" : "under ", cut->text);
    }
    rebuild_text(rebuilding, "", buf_get(&name), "");
    buf_release(&name);
}

static void write_test(struct rebuilding *rebuilding, const struct ir_node *of,
                       const struct cut *cut, bool last)
{
    const char *below = last ? " > " : " <= ";
    const char *above = last ? " >= " : " < ";
    buf_text(&rebuilding->out, " WHEN ");
    rebuild_operand(rebuilding, of, REBUILD_BINDS_ALL);
    buf_text(&rebuilding->out, cut->below ? below : above);
    rebuild_value(rebuilding, cut->node, IR_TYPE_NUMBER);
    buf_text(&rebuilding->out, " THEN ");
}

void rebuild_bucket(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const char *question = rebuilding->request->question;
    struct tokens tokens = {0};
    struct cuts cuts = {.count = 0};
    tokens_split(rebuilding->arena, question ? question : "", &tokens);
    if (!cuts_read(rebuilding, &tokens, &node->args, &cuts)) {
        return;
    }
    const char *const *names = cuts.count == LADDER - 1 ? ladder_in(&tokens) : NULL;
    buf_text(&rebuilding->out, "CASE");
    for (size_t i = 0; i <= cuts.count; i++) {
        bool last = i == cuts.count;
        const struct cut *cut = &cuts.items[last ? i - 1 : i];
        write_test(rebuilding, node->args.items[0], cut, last);
        if (names) {
            rebuild_text(rebuilding, "", names[i], "");
        } else {
            write_name(rebuilding, i ? &cuts.items[i - 1] : NULL, cut, last);
        }
    }
    buf_text(&rebuilding->out, " END");
}
