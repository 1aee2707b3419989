/* "How many sponsors", answered from patrons: another word for the thing that is counted or
 * listed is told, because it may be another thing. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/words/words.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/features/features.h"
#include "parser/words/lexicon.h"

enum { SUBJECT_LATEST = 4, SUBJECT_LETTERS = 4 }; /* "show me all the sponsors" */

/* What ties a word to a name: the strongest relation between it and any word of the name. */
static enum lexicon_kind relation(const struct covering *covering, const char *word,
                                  const char *name)
{
    const struct lexicon *lexicon = feature_schema_lexicon(covering->request->schema);
    enum lexicon_kind found = LEXICON_NONE;
    struct lexicon_senses own;
    struct words words;
    struct word part;
    lexicon_senses(lexicon, word, &own);
    words_init(&words, name);
    while (words_next(&words, &part)) {
        struct lexicon_senses senses;
        const char *whole = arena_copy(covering->arena, part.start, part.size);
        lexicon_senses(lexicon, str_lower(covering->arena, whole), &senses);
        enum lexicon_kind kind = lexicon_between(lexicon, &own, &senses);
        found = kind < found ? kind : found;
    }
    return found;
}

/* Does any word of the question have this name, or nearly? */
static bool is_named(const struct covering *covering, size_t place)
{
    for (size_t i = 0; i < covering->words.count; i++) {
        enum link_code code = linking_row(covering->linking, i)[place];
        if (code != LINK_NONE && code <= LINK_PARTIAL) {
            return true;
        }
    }
    return false;
}

/* The table in use that only a dictionary of the language ties to the word; -1: none, or
 * something is called so. */
static int similar_table(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, at);
    int found = -1;
    for (size_t i = 1; i < used->column_count; i++) {
        enum link_code code = codes[used->table_count + i];
        if (code != LINK_NONE && code <= LINK_PARTIAL) {
            return -1;
        }
    }
    for (size_t i = 0; i < used->table_count; i++) {
        enum link_code code = codes[i];
        if (code == LINK_NONE || code > LINK_RELATED) {
            continue;
        }
        const char *name = covering->schema->tables[used->tables[i]].name;
        enum lexicon_kind kind = relation(covering, covering->words.items[at].text, name);
        bool similar = kind == LEXICON_SYNONYM || kind == LEXICON_RELATED;
        if (code <= LINK_PARTIAL || !similar || found >= 0 || is_named(covering, i)) {
            return -1;
        }
        found = used->tables[i];
    }
    return found;
}

/* "Refunded payments" from tickets, where the word is only tied to a price that nobody asks for:
 * the only table in use. -1: it is not so. */
static int table_beside(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, at);
    bool tied = false;
    for (size_t i = 1; i < used->column_count; i++) {
        enum link_code code = codes[used->table_count + i];
        if (code == LINK_NONE) {
            continue;
        }
        bool named = covering->use.named[used->columns[i]];
        if (code <= LINK_PARTIAL ||
            (named && !is_named(covering, used->table_count + i))) {
            return -1;
        }
        tied = true;
    }
    bool single =
        used->table_count == 1 && codes[0] == LINK_NONE && !is_named(covering, 0);
    return tied && single ? used->tables[0] : -1;
}

static bool is_explained(const struct covering *covering, const char *word)
{
    const struct texts *known = covering->request->known;
    for (size_t i = 0; known && i < known->count; i++) {
        if (str_contains_nocase(known->items[i], word)) {
            return true;
        }
    }
    return false;
}

/* A noun in the plural near the beginning: what is asked about. */
static bool is_subject(const struct covering *covering, size_t at)
{
    const struct token *token = &covering->words.items[at];
    bool led = at && str_ends(token[-1].text, "ed"); /* "refunded payments" */
    return covering->placed[at] && token->kind == TOKEN_WORD && !token->quoted &&
           strlen(token->text) >= SUBJECT_LETTERS && str_ends(token->text, "s") &&
           !str_ends(token->text, "ss") && !token_is_grammar(token->text) &&
           !coverage_asks_for(token->text) && !coverage_is_time(token->text) &&
           (led || !coverage_stands_as_verb(covering, at)) &&
           !is_explained(covering, token->text);
}

static void add_similar(const struct covering *covering, struct coverage_words *out)
{
    for (size_t i = 0; i < covering->words.count && i <= SUBJECT_LATEST; i++) {
        int table = is_subject(covering, i) ? similar_table(covering, i) : -1;
        table = table < 0 && is_subject(covering, i) ? table_beside(covering, i) : table;
        if (table < 0) {
            continue;
        }
        const struct token *token = &covering->words.items[i];
        struct coverage_word word = {
            .role = COVERAGE_SUBJECT, .by_custom = true, .doubtful = true};
        word.text = arena_copy(covering->arena, covering->words.text + token->start,
                               token->end - token->start);
        const char *found = str_find_nocase(covering->request->question, word.text);
        word.position = found ? (size_t)(found - covering->request->question) : 0;
        word.taken_for = covering->schema->tables[table].name;
        if (found) {
            VEC_PUSH(covering->arena, out, word);
        }
        return;
    }
}

void coverage_tell(const struct covering *covering, struct coverage_words *out)
{
    coverage_averages(covering, out);
    coverage_money(covering, out);
    add_similar(covering, out);
    coverage_phrases(covering, out);
}
