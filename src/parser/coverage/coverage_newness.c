/* "New patients" by their day of birth, and "refunded payments" as those paid before today: the
 * SQL has a date where the word means something else. */
#include <string.h>

#include "base/str.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/words/states.h"

#define IS_IN(word, list) str_is_among((word), (list), sizeof(list) / sizeof *(list))

static bool tells_birth(const char *name)
{
    static const char *const words[] = {"birth", "dob", "born", "bday"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(name, words[i])) {
            return true;
        }
    }
    return false;
}

/* The dates that the SQL uses are days of birth: nobody is new by them. */
bool coverage_misreads_new(const struct covering *covering, size_t at)
{
    static const char *const words[] = {"new", "newest", "recent", "latest"};
    bool born = false;
    if (!IS_IN(covering->words.items[at].text, words)) {
        return false;
    }
    for (int i = 1; i < covering->schema->column_count; i++) {
        const struct ir_column *column = &covering->schema->columns[i];
        if (!covering->use.named[i]) {
            continue;
        }
        if (tells_birth(column->name)) {
            born = true;
        } else if (column->type == IR_TYPE_TIME) {
            return false;
        }
    }
    return born;
}

static bool says_time(const struct covering *covering)
{
    static const char *const words[] = {"past", "already", "far", "still", "yet", "now"};
    for (size_t i = 0; i < covering->words.count; i++) {
        const struct token *token = &covering->words.items[i];
        if (token->kind == TOKEN_NUMBER || coverage_is_time(token->text) ||
            IS_IN(token->text, words) || states_word(token->text) != STATE_NONE) {
            return true;
        }
    }
    return false;
}

/* The condition "until today" on a date whose name has nothing to do with the word. */
const struct coverage_part *coverage_of_today(const struct covering *covering, size_t at)
{
    const struct coverage_parts *parts = &covering->use.parts;
    const struct selection *used = &covering->used;
    const char *word = covering->words.items[at].text;
    const char *today = covering->request->today;
    if (!today || !str_ends(word, "ed") || coverage_asks_for(word) ||
        says_time(covering)) {
        return NULL;
    }
    for (size_t p = 0; p < parts->count; p++) {
        const struct coverage_part *part = &parts->items[p];
        bool until = part->tests && part->column_count == 1 && part->literal &&
                     str_equal(part->literal, today) &&
                     covering->schema->columns[part->columns[0]].type == IR_TYPE_TIME;
        const uint8_t *codes = until ? linking_row(covering->linking, at) : NULL;
        for (size_t i = 1; until && i < used->column_count; i++) {
            if (used->columns[i] == part->columns[0] &&
                (codes[used->table_count + i] == LINK_NONE ||
                 codes[used->table_count + i] > LINK_PARTIAL)) {
                return part;
            }
        }
    }
    return NULL;
}
