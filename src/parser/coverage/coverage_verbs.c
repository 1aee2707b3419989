/*
 * Everyday verbs that only say how things belong together: "which vet saw the most patients", "how many couriers ride a
 * scooter". In the active voice and with an object that has its place, they ask for nothing else.
 */
#include <string.h>

#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "knowledge/words/stem.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"

#define IS_IN(word, list) str_is_among((word), (list), sizeof(list) / sizeof *(list))

/* Base forms, and pasts that no rule makes. None tells in which state a thing is. */
/* clang-format off */
static const char *const actions[] = {
    "answer", "ask", "assist", "ate", "attract", "bake", "borrow", "borrowed", "bring", "brings", "brought", "call",
    "care", "catch", "caught", "clean", "climb", "coach", "come", "consult", "cook", "cultivate", "cure", "discuss",
    "drank", "draw", "drink", "drive", "driven", "drives", "drove", "eat", "eaten", "employ", "engage", "enjoy", "examine",
    "experience", "fed", "feed", "felt", "fix", "flew", "fly", "gave", "get", "give", "given", "go", "grow", "grown", "guide",
    "had", "hear", "heard", "help", "hire", "housed", "keep", "kept", "knew", "know", "lend", "lent", "listen", "loan", "look", "lost",
    "made", "make", "maintain", "need", "obtain", "own", "pick", "picked", "prefer", "prepare", "read", "rent", "repair", "respond",
    "rode", "ridden", "ride", "run", "ran", "said", "saw", "say", "see", "seen", "sees", "sing", "sung", "supply", "swam", "swim",
    "take", "talk", "tell", "think", "told", "took", "tour", "train", "treat", "turn", "use", "wait", "walk", "want", "wash", "watch",
    "went", "write",
    "admire", "advise", "arrange", "assemble", "babysit", "bet", "breed", "broadcast", "browse", "chair", "chase",
    "chat", "choose", "chose", "click", "compose", "contact", "coordinate", "dance", "design", "develop", "dine", "dispatch",
    "distribute", "donate", "educate", "entertain", "fund", "gather", "greet", "harvest", "haul", "inspect", "inspire", "install",
    "instruct", "interview", "introduce", "invest", "invite", "judge", "launch", "load", "manufacture", "mentor", "negotiate",
    "nurse", "occupy", "organise", "organize", "oversaw", "oversee", "pack", "park", "patrol", "phone", "plant", "pour",
    "prescribe", "recruit", "reply", "research", "sail", "score", "screen", "shop", "sponsor", "staff", "stock", "supervise",
    "test", "throw", "threw", "trade", "translate", "tutor", "unload", "vote", "weigh", "yield",
};
/* clang-format on */

/* About money: placed where the SQL looks at an amount that another word names. */
static const char *const payments[] = {"pay", "paid", "pays", "cost", "costs", "charge"};

static const char *const adverbs[] = {
    "also",   "usually", "never", "ever", "still", "really",  "actually", "mostly",
    "always", "often",   "not",   "even", "just",  "already", "only",     "t"};

static bool has_base(const char *word, const char *const *verbs, size_t count)
{
    char bases[STEM_BASES][STEM_SIZE];
    size_t found = stem_bases(bases, word);
    for (size_t i = 0; i < found; i++) {
        if (str_is_among(bases[i], verbs, count)) {
            return true;
        }
    }
    return false;
}

#define HAS_BASE(word, list) has_base((word), (list), sizeof(list) / sizeof *(list))

static bool coverage_is_action(const char *word)
{
    return HAS_BASE(word, actions);
}

/* A cell, or a column that is not in use, tells of this: then it may say which rows. */
static bool tells_state(const struct covering *covering, size_t at)
{
    enum { LEAST = 4 };
    const struct token *token = &covering->words.items[at];
    const struct value_index *index = covering->request->index;
    struct value_matches matches = {0};
    if (index) {
        value_index_find(index, covering->arena, token->text, strlen(token->text),
                         &matches);
    }
    if (matches.count) {
        return true;
    }
    size_t size = strlen(token->stem);
    for (int i = 1; size >= LEAST && i < covering->schema->column_count; i++) {
        const struct ir_column *column = &covering->schema->columns[i];
        if (covering->use.tables[column->table] && !covering->use.columns[i] &&
            str_starts_nocase(column->name, token->stem)) {
            return true;
        }
    }
    return false;
}

static bool has_auxiliary(const struct covering *covering, size_t at)
{
    static const char *const words[] = {"do",  "does", "did",    "can",  "could",
                                        "to",  "will", "should", "didn", "doesn",
                                        "don", "must", "would",  "didnt"};
    for (size_t i = 0; i < at; i++) {
        if (IS_IN(covering->words.items[i].text, words)) {
            return true;
        }
    }
    return false;
}

/* Who does it stands before it, and it is not done to it. */
static bool has_subject(const struct covering *covering, size_t at)
{
    static const char *const subjects[] = {
        "who", "that",    "which",  "we",   "you",  "they",     "i",      "people",
        "has", "have",    "had",    "one",  "ones", "everyone", "anyone", "somebody",
        "it",  "anybody", "nobody", "both", "each", "all"};
    size_t before = at;
    if (has_auxiliary(covering, at)) {
        return true;
    }
    while (before && (IS_IN(covering->words.items[before - 1].text, adverbs) ||
                      covering->words.items[before - 1].kind == TOKEN_MARK)) {
        before--;
    }
    const struct token *subject = before ? &covering->words.items[before - 1] : NULL;
    return subject &&
           (IS_IN(subject->text, subjects) ||
            (!token_is_grammar(subject->text) && covering->placed[before - 1]));
}

static bool is_small(const struct token *token)
{
    return token->kind == TOKEN_WORD &&
           (token_is_grammar(token->text) || coverage_is_empty(token->text) ||
            coverage_asks_for(token->text) != 0);
}

/* What it is done to: the next word of weight. */
static bool has_object(struct covering *covering, size_t at)
{
    static const char *const pronouns[] = {"us", "me", "them", "him", "her"};
    static const char *const amounts[] = {"money", "revenue", "income",
                                          "cash",  "sales",   "profit"};
    const struct tokens *tokens = &covering->words;
    for (size_t i = at + 1; i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        if (IS_IN(token->text, pronouns)) {
            return true;
        }
        bool amount = IS_IN(token->text, amounts);
        if (token->kind == TOKEN_MARK || (is_small(token) && !amount)) {
            continue;
        }
        return covering->placed[i] || coverage_by_context(covering, i);
    }
    return has_auxiliary(covering, at);
}

/* "answered by operators": what it is done by is a thing that the rows refer to. */
static bool is_done_by(const struct covering *covering, size_t at)
{
    const struct tokens *tokens = &covering->words;
    static const char *const articles[] = {"the", "a", "an", "our", "each", "any"};
    size_t next = at + 2;
    if (next >= tokens->count || !str_equal(tokens->items[at + 1].text, "by")) {
        return false;
    }
    while (next < tokens->count && IS_IN(tokens->items[next].text, articles)) {
        next++;
    }
    return next < tokens->count && covering_names_table(covering, next);
}

/* An amount that the SQL uses and another word of the question names. */
static bool names_amount(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    for (size_t i = 1; i < used->column_count; i++) {
        const struct ir_column *column = &covering->schema->columns[used->columns[i]];
        if (!covering->use.columns[used->columns[i]] || column->type != IR_TYPE_NUMBER ||
            column->primary || column->flag) {
            continue;
        }
        for (size_t t = 0; t < covering->words.count; t++) {
            if (t != at &&
                linking_row(covering->linking, t)[used->table_count + i] != LINK_NONE) {
                return true;
            }
        }
    }
    return false;
}

bool coverage_stands_as_verb(const struct covering *covering, size_t at)
{
    static const char *const before[] = {
        "never", "were", "was", "been", "did", "t",    "not",   "that", "who",
        "ever",  "have", "has", "had",  "to",  "does", "didnt", "we",   "they"};
    const char *word = covering->words.items[at].text;
    bool ended = str_ends(word, "ed") || str_ends(word, "ing");
    bool led = at && IS_IN(covering->words.items[at - 1].text, before);
    bool subject = at && !token_is_grammar(covering->words.items[at - 1].text) &&
                   covering->placed[at - 1];
    return coverage_is_action(word) || coverage_is_relation_verb(word) ||
                   coverage_is_making_verb(word)
               ? led || subject
               : ended && led;
}

/* "which insurer covers most patients": after what is asked for, "covers" is no noun. */
static bool is_predicate(const struct covering *covering, size_t at)
{
    enum { LATEST = 3 };
    static const char *const asking[] = {"which", "what", "who", "whose"};
    const struct tokens *tokens = &covering->words;
    return at <= LATEST && at + 1 < tokens->count &&
           IS_IN(tokens->items[0].text, asking) &&
           tokens->items[at + 1].kind == TOKEN_WORD &&
           coverage_is_relation_verb(tokens->items[at].text);
}

bool coverage_is_everyday_verb(struct covering *covering, size_t at)
{
    const struct token *token = &covering->words.items[at];
    if (token->kind != TOKEN_WORD || token->quoted || at == 0) {
        return false;
    }
    if (IS_IN(token->text, payments)) {
        return has_subject(covering, at) && names_amount(covering, at);
    }
    return (coverage_is_action(token->text) || is_predicate(covering, at)) &&
           !tells_state(covering, at) &&
           (is_done_by(covering, at) ||
            (has_subject(covering, at) && has_object(covering, at)));
}
