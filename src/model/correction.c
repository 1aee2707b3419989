/* A user's correction, from everyday words or from structured JSON. */
#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "model/clarification.h"

enum { TEXT_MOST = 4096, TOKENS_MOST = 64 }; /* a correction is a short sentence */

struct token {
    const char *text; /* without its quotes */
    bool quoted;      /* surely a name */
    bool literal;     /* in single quotes: a name, or a value to compare with */
};

struct tokens {
    struct token *items;
    size_t count;
    size_t capacity;
};

static char closing_quote(char c)
{
    static const char pairs[] = "''\"\"``[]";
    for (size_t i = 0; i + 1 < sizeof pairs; i += 2) {
        if (c == pairs[i]) {
            return pairs[i + 1];
        }
    }
    return '\0';
}

static bool ends_token(char c)
{
    return c == '\0' || isspace((unsigned char)c) || c == ',' || c == '=';
}

/* One word; quotes may stand around it or around its parts ("sales"."orders"). An
 * apostrophe inside a word ("don't") is no quote. */
static const char *scan_word(struct arena *arena, const char *at, struct token *token)
{
    char *word = arena_alloc(arena, strlen(at) + 1);
    size_t size = 0;
    token->literal = *at == '\'';
    while (!ends_token(*at)) {
        char close = closing_quote(*at);
        bool inside_word = *at == '\'' && size > 0;
        const char *end = close && !inside_word ? strchr(at + 1, close) : NULL;
        if (end) {
            token->quoted = true;
            memcpy(word + size, at + 1, (size_t)(end - at - 1));
            size += (size_t)(end - at - 1);
            at = end + 1;
        } else {
            word[size++] = *at++;
        }
    }
    while (!token->quoted && size && strchr(".!?;:", word[size - 1])) {
        size--;
    }
    word[size] = '\0';
    token->text = word;
    return at;
}

static bool scan(struct arena *arena, const char *text, struct tokens *tokens)
{
    for (const char *at = text; *at;) {
        if (isspace((unsigned char)*at)) {
            at++;
            continue;
        }
        struct token token = {0};
        if (*at == ',' || *at == '=') {
            token.text = *at == ',' ? "," : "=";
            at += at[0] == '=' && at[1] == '=' ? 2 : 1;
        } else {
            at = scan_word(arena, at, &token);
        }
        if (tokens->count == TOKENS_MOST) {
            return false;
        }
        if (*token.text) {
            VEC_PUSH(arena, tokens, token);
        }
    }
    return tokens->count > 0;
}

static bool is_one_of(const struct token *token, const char *const *words)
{
    for (; !token->quoted && *words; words++) {
        if (str_equal_nocase(token->text, *words)) {
            return true;
        }
    }
    return false;
}

static bool is_name(const struct token *token)
{
    static const char *const everyday[] = {
        "a",    "all",   "any",  "anything", "both", "data",   "each", "either", "every",
        "for",  "from",  "in",   "it",       "last", "me",     "mind", "more",   "my",
        "none", "now",   "of",   "on",       "only", "really", "same", "sure",   "that",
        "them", "these", "this", "those",    "what", "where",  "yet",  "your",   NULL};
    if (token->quoted) {
        return true;
    }
    bool letter = false;
    for (const char *c = token->text; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        letter = letter || isalpha(byte) || byte == '_' || byte >= 0x80;
        if (!isalnum(byte) && byte < 0x80 && !strchr("_.-$#", *c)) {
            return false;
        }
    }
    return letter && !is_one_of(token, everyday);
}

/* "orders.customer_id": a name on both sides of a dot. */
static bool is_column(const struct token *token)
{
    const char *dot = strrchr(token->text, '.');
    return !token->literal && is_name(token) && dot && dot > token->text &&
           (isalpha((unsigned char)dot[1]) || dot[1] == '_' || (dot[1] & 0x80) ||
            (token->quoted && dot[1]));
}

/* "A.id = B.a_id [and C.x = D.y]", from the first column named. */
static bool parse_joins(struct correction *correction, struct arena *arena,
                        const struct tokens *tokens)
{
    static const char *const lead[] = {"please", "use",   "join", "the", "tables", "on",
                                       "by",     "using", "is",   ",",   "no",     NULL};
    static const char *const between[] = {"=",  "with", "to",     "and",
                                          "on", "is",   "equals", NULL};
    static const char *const more[] = {"and", ",", NULL};
    size_t at = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        /* "join orders with customers on orders.customer_id = customers.id" */
        if (str_equal_nocase(tokens->items[i].text, "on") && i + 1 < tokens->count &&
            is_column(&tokens->items[i + 1]) && i >= 2 &&
            !is_column(&tokens->items[i - 1])) {
            at = i + 1;
        }
    }
    while (at < tokens->count && is_one_of(&tokens->items[at], lead)) {
        at++;
    }
    while (at + 2 < tokens->count) {
        const struct token *item = &tokens->items[at];
        if (!is_column(item) || !is_one_of(item + 1, between) || !is_column(item + 2)) {
            return false;
        }
        VEC_PUSH(arena, &correction->joins,
                 arena_format(arena, "%s = %s", item[0].text, item[2].text));
        at += 3;
        if (at < tokens->count && !is_one_of(&tokens->items[at++], more)) {
            return false;
        }
    }
    return at == tokens->count && correction->joins.count > 0;
}

enum mode { MODE_NONE, MODE_USE, MODE_SELECT, MODE_REJECT };
enum { PHRASE_WORDS = 4 };

struct phrase {
    const char *words[PHRASE_WORDS];
    enum mode mode; /* MODE_NONE: a word that means nothing here */
    bool separates; /* a further name may follow */
};

/* Longer phrases stand before their parts. */
static const struct phrase phrases[] = {
    {{"instead", "of"}, MODE_REJECT, true},
    {{"rather", "than"}, MODE_REJECT, true},
    {{"do", "not", "use"}, MODE_REJECT, true},
    {{"don't", "use"}, MODE_REJECT, true},
    {{"dont", "use"}, MODE_REJECT, true},
    {{"never", "use"}, MODE_REJECT, true},
    {{"i", "do", "not", "want"}, MODE_REJECT, true},
    {{"i", "don't", "want"}, MODE_REJECT, true},
    {{"i", "dont", "want"}, MODE_REJECT, true},
    {{"i", "did", "not", "mean"}, MODE_REJECT, true},
    {{"i", "didn't", "mean"}, MODE_REJECT, true},
    {{"do", "not", "want"}, MODE_REJECT, true},
    {{"don't", "want"}, MODE_REJECT, true},
    {{"do", "not", "take"}, MODE_REJECT, true},
    {{"don't", "take"}, MODE_REJECT, true},
    {{"avoid"}, MODE_REJECT, true},
    {{"not"}, MODE_REJECT, true},
    {{"use"}, MODE_USE, true},
    {{"table"}, MODE_USE, false},
    {{"tables"}, MODE_USE, false},
    {{"i", "meant"}, MODE_SELECT, true},
    {{"i", "mean"}, MODE_SELECT, true},
    {{"choose"}, MODE_SELECT, true},
    {{"pick"}, MODE_SELECT, true},
    {{"take"}, MODE_SELECT, true},
    {{"select"}, MODE_SELECT, true},
    {{"the"}, MODE_NONE, false},
    {{"please"}, MODE_NONE, false},
    {{"instead"}, MODE_NONE, false},
    {{"no"}, MODE_NONE, false},
    {{"and"}, MODE_NONE, true},
    {{"or"}, MODE_NONE, true},
    {{"but"}, MODE_NONE, true},
    {{","}, MODE_NONE, true},
};

static size_t phrase_length(const struct phrase *phrase)
{
    size_t length = 0;
    while (length < PHRASE_WORDS && phrase->words[length]) {
        length++;
    }
    return length;
}

static const struct phrase *find_phrase(const struct tokens *tokens, size_t at)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        const struct phrase *phrase = &phrases[i];
        size_t length = phrase_length(phrase);
        bool same = at + length <= tokens->count;
        for (size_t j = 0; same && j < length; j++) {
            const struct token *token = &tokens->items[at + j];
            same = !token->quoted && str_equal_nocase(token->text, phrase->words[j]);
        }
        if (same) {
            return phrase;
        }
    }
    return NULL;
}

/* "use the orders table": the word after the name changes nothing. "not the table X"
 * stays a rejection. */
static enum mode next_mode(enum mode mode, const struct phrase *phrase)
{
    bool table_word = phrase->mode == MODE_USE && !phrase->separates;
    if (phrase->mode == MODE_NONE || (table_word && mode == MODE_REJECT)) {
        return mode;
    }
    return phrase->mode;
}

/* "X is old", "X is the wrong one": how many words say so after the name; 0: none do. */
static size_t called_old(const struct tokens *tokens, size_t at)
{
    static const char *const is[] = {"is", "are", "was", NULL};
    static const char *const article[] = {"the", "an", "a", "not", NULL};
    static const char *const old[] = {"old",     "outdated", "obsolete", "deprecated",
                                      "wrong",   "legacy",   "archived", "retired",
                                      "archive", "right",    NULL};
    static const char *const noun[] = {"one", "table", "data", NULL};
    size_t start = at;
    if (at + 1 >= tokens->count || !is_one_of(&tokens->items[at++], is)) {
        return 0;
    }
    bool denied = str_equal_nocase(tokens->items[at].text, "not");
    while (at + 1 < tokens->count && is_one_of(&tokens->items[at], article)) {
        at++;
    }
    const struct token *word = &tokens->items[at];
    if (!is_one_of(word, old) || denied != str_equal_nocase(word->text, "right")) {
        return 0;
    }
    at++;
    return at - start + (at < tokens->count && is_one_of(&tokens->items[at], noun));
}

/* A correction that starts with a name: "X, not Y", "X instead of Y", "X is old, use Y".
 * Returns its mode; MODE_NONE: it is not of this form. *after: where the rest begins. */
static enum mode opening(const struct tokens *tokens, size_t at, size_t *after)
{
    *after = at + 1;
    size_t old = is_name(&tokens->items[at]) ? called_old(tokens, at + 1) : 0;
    if (old) {
        *after += old;
        return MODE_REJECT;
    }
    size_t next = at + 1;
    if (next < tokens->count && str_equal(tokens->items[next].text, ",")) {
        next++;
    }
    const struct phrase *phrase = next < tokens->count ? find_phrase(tokens, next) : NULL;
    return phrase && phrase->mode == MODE_REJECT ? MODE_USE : MODE_NONE;
}

static bool parse_tables(struct correction *correction, struct arena *arena,
                         const struct tokens *tokens)
{
    enum mode mode = MODE_NONE;
    bool may_follow = true;
    for (size_t at = 0; at < tokens->count;) {
        const struct token *token = &tokens->items[at];
        const struct phrase *phrase = find_phrase(tokens, at);
        if (phrase) {
            mode = next_mode(mode, phrase);
            may_follow = may_follow || phrase->separates;
            at += phrase_length(phrase);
            continue;
        }
        /* "select name and age" is a question, "use orders and customers" is not */
        bool second = mode == MODE_SELECT && correction->use_tables.count;
        size_t after = at + 1;
        mode = mode == MODE_NONE ? opening(tokens, at, &after) : mode;
        if (mode == MODE_NONE || !may_follow || second || !is_name(token)) {
            return false;
        }
        VEC_PUSH(arena,
                 mode == MODE_REJECT ? &correction->reject_tables
                                     : &correction->use_tables,
                 token->text);
        may_follow = false;
        at = after;
    }
    return correction->use_tables.count + correction->reject_tables.count > 0;
}

/* A key holds one text or a list of them. */
static void take_texts(struct arena *arena, const json_t *json, const char *key,
                       struct texts *out)
{
    const json_t *value = json_object_get(json, key);
    if (json_is_string(value) && !str_empty(json_string_value(value))) {
        VEC_PUSH(arena, out, str_trim(arena, json_string_value(value)));
    }
    size_t i = 0;
    json_t *item = NULL;
    json_array_foreach(value, i, item)
    {
        if (json_is_string(item) && !str_empty(json_string_value(item))) {
            VEC_PUSH(arena, out, str_trim(arena, json_string_value(item)));
        }
    }
}

static bool take_joins(struct correction *correction, struct arena *arena,
                       const json_t *json)
{
    static const char *const keys[] = {"join", "joins", "join_condition"};
    struct texts joins = {0};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        take_texts(arena, json, keys[i], &joins);
    }
    for (size_t i = 0; i < joins.count; i++) {
        struct tokens tokens = {0};
        if (!scan(arena, joins.items[i], &tokens) ||
            !parse_joins(correction, arena, &tokens)) {
            return false;
        }
    }
    return joins.count > 0;
}

static bool parse_json(struct correction *correction, struct arena *arena,
                       const char *text)
{
    struct err ignored;
    const json_t *json = json_parse(arena, text, strlen(text), &ignored);
    enum clarification_kind kind = clarification_kind_find(json_text_at(json, "type"));
    if (kind == CLARIFY_JOIN) {
        return take_joins(correction, arena, json);
    }
    if (kind != CLARIFY_TABLES) {
        return false;
    }
    take_texts(arena, json, "selected_table", &correction->use_tables);
    take_texts(arena, json, "selected_tables", &correction->use_tables);
    take_texts(arena, json, "rejected_tables", &correction->reject_tables);
    return correction->use_tables.count + correction->reject_tables.count > 0;
}

bool correction_parse(struct correction *correction, struct arena *arena,
                      const char *text)
{
    *correction = (struct correction){.text = arena_text(arena, text)};
    if (str_empty(text) || strlen(text) > TEXT_MOST) {
        return false;
    }
    const char *trimmed = str_trim(arena, text);
    struct tokens tokens = {0};
    bool ok = false;
    if (*trimmed == '{') {
        ok = parse_json(correction, arena, trimmed);
    } else if (scan(arena, trimmed, &tokens)) {
        ok = parse_joins(correction, arena, &tokens);
        if (!ok) {
            *correction = (struct correction){.text = correction->text};
            ok = parse_tables(correction, arena, &tokens);
        }
    }
    if (!ok) {
        *correction = (struct correction){.text = correction->text};
    }
    return ok;
}
