/* Words of a key's name in a question. */
#include "parser/ir/ir_key_words.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "parser/ir/ir_schema.h"

enum { WORD_MAX = 64 };

/* The next word of a name or sentence, lower case, a plural s dropped; 0 at the end. */
static size_t next_word(const char **text, char word[WORD_MAX])
{
    const char *at = *text;
    size_t size = 0;
    while (*at && !isalnum((unsigned char)*at)) {
        at++;
    }
    while (isalnum((unsigned char)*at)) {
        bool hump =
            size > 0 && isupper((unsigned char)*at) && islower((unsigned char)at[-1]);
        if (hump) {
            break;
        }
        if (size < WORD_MAX - 1) {
            word[size++] = (char)tolower((unsigned char)*at);
        }
        at++;
    }
    if (size > 3 && word[size - 1] == 's') {
        size--;
    }
    word[size] = '\0';
    *text = at;
    return size;
}

static bool has_word(const char *text, const char *word)
{
    char other[WORD_MAX];
    while (next_word(&text, other)) {
        if (strcmp(word, other) == 0) {
            return true;
        }
    }
    return false;
}

/* "owned" and the "owner" who does it; "received" and its "recipient". */
static bool is_deed(const char *word, const char *role)
{
    static const char *const odd[][2] = {
        {"received", "recipient"}, {"sent", "sender"}, {"bought", "buyer"},
        {"sold", "seller"},        {"paid", "payer"},  {"taught", "teacher"}};
    static const char *const ends[] = {"er", "or", "ing", "ee"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        if (strcmp(word, odd[i][0]) == 0 && strcmp(role, odd[i][1]) == 0) {
            return true;
        }
    }
    size_t stem = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !stem; i++) {
        size_t tail = strlen(ends[i]);
        size_t size = strlen(role);
        stem =
            size > tail + 2 && strcmp(role + size - tail, ends[i]) == 0 ? size - tail : 0;
    }
    /* owned, reviewed, shipped */
    return stem && strncmp(word, role, stem) == 0 &&
           (strcmp(word + stem, "ed") == 0 || strcmp(word + stem, "s") == 0);
}

static bool has_deed(const char *text, const char *role)
{
    char other[WORD_MAX];
    while (next_word(&text, other)) {
        if (is_deed(other, role)) {
            return true;
        }
    }
    return false;
}

/* Is the column called so because of the table that it leads to? */
static bool is_of_target(const struct ir_schema *schema, int column, const char *word)
{
    for (int i = 0; i < schema->key_count; i++) {
        const struct ir_key *key = &schema->keys[i];
        if (key->from == column &&
            has_word(schema->tables[schema->columns[key->to].table].name, word)) {
            return true;
        }
    }
    return false;
}

bool ir_key_is_named(const struct ir_schema *schema, const char *question, int column)
{
    static const char general[] = "id name code type date year title description status "
                                  "address detail note number email phone age by of to";
    const struct ir_column *info = &schema->columns[column];
    const char *name = info->name;
    char word[WORD_MAX];
    while (next_word(&name, word)) {
        if (!has_word(general, word) &&
            !has_word(schema->tables[info->table].name, word) &&
            !is_of_target(schema, column, word) &&
            (has_word(question, word) || has_deed(question, word))) {
            return true;
        }
    }
    return false;
}
