/*
 * Who reports to whom, in a table that refers to itself: of "employees managed by Anna" the
 * key is in the rows that are shown, of "the manager of Anna" in Anna's own.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/search/sense/sense.h"

enum { ROLE_MOST = 48, VERB_MOST = 40, PHRASE_MOST = 160 };

enum shown {
    SHOWN_UNSAID,
    SHOWN_LOWER,
    SHOWN_UPPER
}; /* who reports; who is reported to */

/* Words for the upper one where the key's name is one of them. */
static const char *const uppers[] = {"manager", "boss", "supervisor", "superior",
                                     "lead",    "head", "chief"};
static const char *const verbs[] = {"manage", "supervise", "lead", "oversee"};
enum {
    UPPERS = sizeof uppers / sizeof *uppers,
    VERBS = sizeof verbs / sizeof *verbs,
};

/* Where the phrase ends in the question; NULL: it is not there as whole words. */
static const char *after(const char *question, const char *phrase)
{
    for (const char *at = question; (at = str_find_nocase(at, phrase)); at++) {
        const char *end = at + strlen(phrase);
        bool begins = at == question || !isalnum((unsigned char)at[-1]) ||
                      !isalnum((unsigned char)phrase[0]);
        if (begins && !isalnum((unsigned char)*end)) {
            return end;
        }
    }
    return NULL;
}

static bool is_end(const char *at)
{
    while (*at && !isalnum((unsigned char)*at)) {
        at++;
    }
    return !*at;
}

static bool has(const char *question, const char *before, const char *word,
                const char *behind)
{
    char phrase[PHRASE_MOST];
    (void)snprintf(phrase, sizeof phrase, "%s%s%s", before, word, behind);
    return after(question, phrase) != NULL;
}

/* "manager_id", "ManagerId" -> "manager" */
static void role_of(const char *column, char role[ROLE_MOST])
{
    size_t size = 0;
    for (const char *at = column; *at && size < ROLE_MOST - 1; at++) {
        bool hump =
            at > column && isupper((unsigned char)*at) && islower((unsigned char)at[-1]);
        if (hump) {
            role[size++] = ' ';
        }
        if (size < ROLE_MOST - 1) {
            role[size++] = *at == '_' ? ' ' : (char)tolower((unsigned char)*at);
        }
    }
    role[size] = '\0';
    static const char *const ends[] = {" id", " no", " number", " key", " fk"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (str_ends(role, ends[i])) {
            role[strlen(role) - strlen(ends[i])] = '\0';
        }
    }
}

/* "whose manager is", "as their manager": the lower ones; "'s manager": the upper one. */
static void role_says(const char *question, const char *role, bool *lower, bool *upper)
{
    *lower |= has(question, "whose ", role, "") || has(question, "as ", role, "") ||
              has(question, "as their ", role, "");
    *upper |= has(question, "'s ", role, "") ||
              has(question, "\xE2\x80\x99s ", role, "") ||
              has(question, "", role, " of") || has(question, "", role, " for");
}

/* "who manages Anna" and "who does Anna manage", "managed by Anna" and "is Anna managed by" */
static void verb_says(const char *question, const char *verb, bool *lower, bool *upper)
{
    static const char *const passive[] = {"d by", "ed by"};
    static const char *const active[] = {"", "s"};
    char phrase[VERB_MOST];
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(phrase, sizeof phrase, "%s%s", verb, passive[i]);
        const char *end = after(question, phrase);
        *(end && is_end(end) ? upper : lower) |= end != NULL;
        (void)snprintf(phrase, sizeof phrase, "%s%s", verb, active[i]);
        end = after(question, phrase);
        *lower |= end && is_end(end);
        *upper |= has(question, "who ", phrase, "") && end && !is_end(end);
    }
}

static void reports_say(const char *question, bool *lower, bool *upper)
{
    static const char *const to[] = {"report to", "reports to", "reporting to",
                                     "reported to"};
    static const char *const below[] = {
        "reports of",      "subordinates of", "direct reports", "'s reports",   "'s team",
        "'s subordinates", "works under",     "work under",     "working under"};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        const char *end = after(question, to[i]);
        *(end && is_end(end) ? upper : lower) |= end != NULL;
    }
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        *lower |= after(question, below[i]) != NULL;
    }
}

/* UNSAID also where a question says both. */
static enum shown shown_of(const char *question, const char *column)
{
    bool lower = false;
    bool upper = false;
    char role[ROLE_MOST];
    role_of(column, role);
    bool managing = str_starts(role, "report");
    for (size_t i = 0; i < UPPERS; i++) {
        managing = managing || str_contains_nocase(role, uppers[i]);
    }
    role_says(question, role, &lower, &upper);
    if (managing) {
        reports_say(question, &lower, &upper);
        for (size_t i = 0; i < UPPERS; i++) {
            role_says(question, uppers[i], &lower, &upper);
        }
        for (size_t i = 0; i < VERBS; i++) {
            verb_says(question, verbs[i], &lower, &upper);
        }
        lower |= has(question, "", "led by", "") || has(question, "", "overseen by", "");
    }
    return lower == upper ? SHOWN_UNSAID : lower ? SHOWN_LOWER : SHOWN_UPPER;
}

/* Which copy of the table the columns of a clause are of: 1, 2, 0: of none, 3: of both. */
static unsigned copies_in(const struct ir_schema *schema, const struct ir_tokens *tokens,
                          size_t from, size_t to, int table)
{
    unsigned copies = 0;
    for (size_t i = from; i < to; i++) {
        struct ir_token token = tokens->items[i];
        bool own = (token.kind == IR_COLUMN && token.index > 0 &&
                    schema->columns[token.index].table == table) ||
                   (token.kind == IR_TABLE && token.index == table);
        bool second = i > 0 && ir_is(tokens->items[i - 1], IR_SECOND);
        copies |= own ? (second ? 2U : 1U) : 0;
    }
    return copies;
}

static int self_key(const struct ir_schema *schema, int column)
{
    for (int i = 0; i < schema->key_count; i++) {
        const struct ir_key *key = &schema->keys[i];
        if (key->from == column &&
            schema->columns[key->from].table == schema->columns[key->to].table) {
            return schema->columns[column].table;
        }
    }
    return -1;
}

static void put_second(struct arena *arena, struct ir_tokens *tokens, size_t via)
{
    struct ir_tokens out = {0};
    for (size_t i = 0; i < tokens->count; i++) {
        VEC_PUSH(arena, &out, tokens->items[i]);
        if (i == via) {
            VEC_PUSH(arena, &out, ir_word(IR_SECOND));
        }
    }
    *tokens = out;
}

void sense_self(struct arena *arena, const struct ir_schema *schema, const char *question,
                struct ir_tokens *tokens)
{
    size_t via = sense_only_place(tokens, IR_VIA);
    size_t from = sense_only_place(tokens, IR_FROM);
    size_t where = sense_only_place(tokens, IR_WHERE);
    if (!via || !from || where < via || via + 2 >= tokens->count) {
        return;
    }
    bool second = ir_is(tokens->items[via + 1], IR_SECOND);
    struct ir_token key = tokens->items[via + 1 + second];
    int table = key.kind == IR_COLUMN && key.index > 0 ? self_key(schema, key.index) : -1;
    if (table < 0) {
        return;
    }
    unsigned shown = copies_in(schema, tokens, 0, from, table);
    unsigned asked = copies_in(schema, tokens, where, tokens->count, table);
    if ((asked != 1 && asked != 2) || (shown && shown != 3 - asked)) {
        return;
    }
    enum shown meant = shown_of(question, schema->columns[key.index].name);
    enum shown said = (second ? 2U : 1U) == asked ? SHOWN_UPPER : SHOWN_LOWER;
    if (meant == SHOWN_UNSAID || meant == said) {
        return;
    }
    if (!second) {
        put_second(arena, tokens, via);
    } else {
        memmove(&tokens->items[via + 1], &tokens->items[via + 2],
                (tokens->count - via - 2) * sizeof *tokens->items);
        tokens->count--;
    }
}
