/* Words that name tables and columns which the SQL leaves out. */
#include "base/arena.h"
#include "base/str.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/features/features.h"

static void select_others(struct covering *covering)
{
    const struct ir_schema *schema = covering->schema;
    int *tables =
        arena_array(covering->arena, (size_t)schema->table_count + 1, sizeof *tables);
    int *columns =
        arena_array(covering->arena, (size_t)schema->column_count + 1, sizeof *columns);
    size_t table_count = 0;
    size_t column_count = 1; /* the first one is `*` */
    for (int t = 0; t < schema->table_count; t++) {
        const struct ir_table *table = &schema->tables[t];
        if (covering->use.tables[t]) {
            continue;
        }
        tables[table_count++] = t;
        for (int c = 0; c < table->column_count; c++) {
            columns[column_count++] = table->first_column + c;
        }
    }
    covering->others = (struct selection){tables, table_count, columns, column_count};
    covering->others_linking =
        linking_new(feature_schema_linker(covering->request->schema), covering->arena,
                    &covering->words, &covering->others);
}

int coverage_elsewhere(struct covering *covering, size_t at, int *column)
{
    *column = 0;
    if (!covering->others_linking) {
        select_others(covering);
    }
    const struct selection *others = &covering->others;
    const uint8_t *codes = linking_row(covering->others_linking, at);
    for (int weakest = LINK_EXACT; weakest <= LINK_PARTIAL; weakest++) {
        for (size_t i = 0; i < others->table_count; i++) {
            if (codes[i] == weakest) {
                return others->tables[i];
            }
        }
        for (size_t i = 1; i < others->column_count; i++) {
            if (codes[others->table_count + i] == weakest) {
                *column = others->columns[i];
                return covering->schema->columns[others->columns[i]].table;
            }
        }
    }
    return -1;
}

/* Is a table in use called so, or a column in use? */
static bool is_named_well(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, at);
    for (size_t i = 0; i < used->table_count; i++) {
        if (codes[i] != LINK_NONE && codes[i] <= LINK_PARTIAL) {
            return true;
        }
    }
    for (size_t i = 1; i < used->column_count; i++) {
        int column = used->columns[i];
        enum link_code code = (enum link_code)codes[used->table_count + i];
        /* "refunded payments" is no question about the amount, though `*` shows it */
        if (covering->use.columns[column] && code != LINK_NONE &&
            (covering->use.named[column] || code <= LINK_SYNONYM)) {
            return true;
        }
    }
    return false;
}

/* "Refunded payments": the table that the word is only akin to is named by another word, so this one says which rows. */
static bool is_named_by_another(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, at);
    for (size_t i = 0; i < used->table_count; i++) {
        bool named = codes[i] == LINK_NONE || codes[i] == LINK_HYPERNYM;
        for (size_t t = 0; !named && t < covering->words.count; t++) {
            const uint8_t *others = linking_row(covering->linking, t);
            named = t != at && others[i] != LINK_NONE && others[i] <= LINK_OWN;
        }
        if (!named) {
            return false;
        }
    }
    return true;
}

/* Akin to no table, but to columns that `*` shows. */
static bool is_shown_only(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, at);
    bool shown = false;
    for (size_t i = 0; i < used->table_count; i++) {
        if (codes[i] != LINK_NONE && codes[i] <= LINK_RELATED) {
            return false;
        }
    }
    for (size_t i = 1; i < used->column_count; i++) {
        shown = shown || (codes[used->table_count + i] != LINK_NONE &&
                          covering->use.columns[used->columns[i]]);
    }
    return shown;
}

/* The best link of the word with a table or column in use. */
static enum link_code best_link(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, at);
    enum link_code best = LINK_CODES;
    for (size_t i = 0; i < used->table_count + used->column_count; i++) {
        if (i != used->table_count && codes[i] != LINK_NONE && codes[i] < best) {
            best = (enum link_code)codes[i];
        }
    }
    return best;
}

/* "Per genre", and the SQL groups by a category while another table has a genre. */
static bool groups_by_another(struct covering *covering, size_t at)
{
    static const char *const groups[] = {"per", "by", "each", "every"};
    const struct token *token = &covering->words.items[at];
    int column = 0;
    if (!at || token->kind != TOKEN_WORD || token->quoted ||
        !str_is_among(token[-1].text, groups, sizeof groups / sizeof *groups) ||
        best_link(covering, at) < LINK_SYNONYM || coverage_is_time(token->text) ||
        coverage_elsewhere(covering, at, &column) < 0 || !column) {
        return false;
    }
    const struct selection *others = &covering->others;
    const uint8_t *codes = linking_row(covering->others_linking, at);
    size_t exact = 0;
    for (size_t i = 1; i < others->column_count; i++) {
        exact += codes[others->table_count + i] == LINK_EXACT;
    }
    return exact > 0;
}

bool coverage_is_named(struct covering *covering, size_t at)
{
    if (!covering_is_linked(covering, at)) {
        return false;
    }
    if (groups_by_another(covering, at)) {
        return false;
    }
    if (is_named_well(covering, at)) {
        return true;
    }
    bool before_thing =
        at + 1 < covering->words.count && covering_names_table(covering, at + 1);
    if (before_thing &&
        (is_shown_only(covering, at) || is_named_by_another(covering, at))) {
        return false;
    }
    int column = 0;
    int table = coverage_elsewhere(covering, at, &column);
    for (size_t i = 0; table >= 0 && !column && i < covering->others.table_count; i++) {
        if (covering->others.tables[i] == table) {
            return linking_row(covering->others_linking, at)[i] != LINK_EXACT;
        }
    }
    return true;
}

void coverage_note_elsewhere(struct covering *covering, size_t at,
                             struct coverage_word *word)
{
    int column = 0;
    int table = covering->words.items[at].kind == TOKEN_WORD
                    ? coverage_elsewhere(covering, at, &column)
                    : -1;
    word->elsewhere = table >= 0 ? covering->schema->tables[table].name : NULL;
    word->elsewhere_column = column ? covering->schema->columns[column].name : NULL;
}
