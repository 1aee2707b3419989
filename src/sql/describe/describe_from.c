/* The tables of a SELECT in words. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe/describe_sentence.h"

const char *sentence_piece(struct sentence *sentence, const struct sql_node *node,
                           bool condition)
{
    struct buf buf;
    buf_init(&buf, DESCRIBE_MOST);
    if (condition) {
        describe_condition(&buf, &sentence->names, node);
    } else {
        describe_value(&buf, &sentence->names, node);
    }
    struct arena *arena = sentence->names.arena;
    char *text = arena_text(arena, buf_get(&buf));
    bool cut = buf.full || buf.size > DESCRIBE_PIECE_MOST;
    buf_release(&buf);
    if (cut) {
        size_t size = strlen(text);
        size = size < DESCRIBE_PIECE_MOST ? size : DESCRIBE_PIECE_MOST;
        while (size && ((unsigned char)text[size] & 0xC0) == 0x80) {
            size--;
        }
        text[size] = '\0';
        return arena_format(arena, "%s…", text);
    }
    return text;
}

/* A query in the place of a table. */
static const char *query_words(struct sentence *sentence, const struct sql_node *query)
{
    struct buf buf;
    buf_init(&buf, DESCRIBE_PIECE_MOST);
    buf_char(&buf, '(');
    describe_noun(&buf, &sentence->names, query);
    buf_text(&buf, buf.full ? "…)" : ")");
    const char *text = arena_text(sentence->names.arena, buf_get(&buf));
    buf_release(&buf);
    return text;
}

static void add_table(struct sentence *sentence, const char *gap, const char *table,
                      const struct sql_node *alias, const char *words)
{
    struct arena *arena = sentence->names.arena;
    const char *called = alias && alias->text ? alias->text : table;
    called = called ? called : "another query";
    VEC_PUSH(arena, &sentence->names.tables, table ? table : called);
    VEC_PUSH(arena, &sentence->names.aliases, called);
    VEC_PUSH(arena, &sentence->shown, arena_format(arena, "%s%s", gap, words));
}

/* A table that is used twice is named by its aliases. */
static void name_twins(struct sentence *sentence)
{
    const struct texts *tables = &sentence->names.tables;
    for (size_t i = 0; i < tables->count; i++) {
        const char *alias = sentence->names.aliases.items[i];
        bool twin = false;
        for (size_t k = 0; k < tables->count; k++) {
            twin =
                twin || (k != i && str_equal_nocase(tables->items[i], tables->items[k]));
        }
        if (twin && !str_equal(alias, tables->items[i])) {
            sentence->shown.items[i] = arena_format(sentence->names.arena, "%s (%s)",
                                                    sentence->shown.items[i], alias);
        }
    }
}

/* The table that the query calls this. */
static const char *table_called(const struct sentence *sentence, const char *alias)
{
    const struct describe_names *names = &sentence->names;
    for (size_t i = 0; i < names->aliases.count; i++) {
        if (str_equal_nocase(names->aliases.items[i], alias)) {
            return names->tables.items[i];
        }
    }
    return alias;
}

/* customer_id speaks of customers by itself; origin_id does not of airports. */
static bool speaks_of(const char *column, const char *table)
{
    enum { ENOUGH = 4 };
    size_t size = strlen(table);
    size = size < ENOUGH ? size : ENOUGH;
    char begin[ENOUGH + 1];
    memcpy(begin, table, size);
    begin[size] = '\0';
    return str_contains_nocase(column, begin);
}

/* The two columns of a.x = b.y, or of the first such condition of several. */
static const struct sql_node *first_equality(const struct sql_node *on)
{
    while (on && on->kind == SQL_BINARY && str_equal(on->text, "AND")) {
        on = on->children[PAIR_LEFT];
    }
    bool pair = sql_is(on, SQL_BINARY) && str_equal(on->text, "=");
    for (size_t i = 0; pair && i < PAIR_SLOTS; i++) {
        pair = on->children[i]->kind == SQL_COLUMN && on->children[i]->count == 2;
    }
    return pair ? on : NULL;
}

/* ON a.x = b.y where the names alone do not tell which key is meant. */
static void add_key(struct sentence *sentence, const struct sql_node *on)
{
    const struct sql_node *pair = first_equality(on);
    if (!pair) {
        return;
    }
    const struct sql_node *left = pair->children[PAIR_LEFT];
    const struct sql_node *right = pair->children[PAIR_RIGHT];
    const char *tables[] = {table_called(sentence, left->children[0]->text),
                            table_called(sentence, right->children[0]->text)};
    const char *columns[] = {left->children[1]->text, right->children[1]->text};
    bool first = !str_equal_nocase(columns[0], "id"); /* whose column refers */
    const char *key = columns[!first];
    if (str_equal_nocase(columns[0], columns[1]) ||
        str_equal_nocase(tables[0], tables[1]) ||
        (first && !str_equal_nocase(columns[1], "id")) || speaks_of(key, tables[first])) {
        return;
    }
    struct texts *shown = &sentence->shown;
    shown->items[shown->count - 1] = arena_format(sentence->names.arena, "%s by %s",
                                                  shown->items[shown->count - 1], key);
}

static void add_relation(struct sentence *sentence, const struct sql_node *node,
                         const char *gap);

static void add_join(struct sentence *sentence, const struct sql_node *join,
                     const char *gap)
{
    static const char *const words[] = {[JOIN_INNER] = " joined with ",
                                        [JOIN_LEFT_OUTER] = " with or without ",
                                        [JOIN_RIGHT_OUTER] = " joined with all of ",
                                        [JOIN_FULL_OUTER] = " and all of ",
                                        [JOIN_CROSS] = " in every pair with "};
    add_relation(sentence, join->children[JOIN_LEFT], gap);
    add_relation(sentence, join->children[JOIN_RIGHT], words[join->variant]);
    add_key(sentence, join->children[JOIN_ON]);
}

static void add_relations(struct sentence *sentence, const struct sql_node *list,
                          const char *gap)
{
    for (size_t i = 0; i < list->count; i++) {
        add_relation(sentence, list->children[i], i ? " joined with " : gap);
    }
}

static void add_relation(struct sentence *sentence, const struct sql_node *node,
                         const char *gap)
{
    const struct sql_node *source = node->children[DERIVED_SOURCE];
    const struct sql_node *alias = node->children[DERIVED_ALIAS];
    const char *name;
    switch (node->kind) {
    case SQL_TABLE: {
        const struct sql_node *path = node->children[TABLE_PATH];
        name = path->children[path->count - 1]->text;
        add_table(sentence, gap, name, node->children[TABLE_ALIAS], name);
        break;
    }
    case SQL_TABLE_FUNCTION:
        name = source->kind == SQL_CALL ? source->text : "JSON_TABLE";
        add_table(sentence, gap, name, alias, name);
        break;
    case SQL_DERIVED:
        add_table(sentence, gap, NULL, alias, query_words(sentence, source));
        break;
    case SQL_JOIN:
        add_join(sentence, node, gap);
        break;
    case SQL_JOIN_GROUP:
        add_relations(sentence, source, gap);
        break;
    case SQL_ARRAY_JOIN:
        add_relation(sentence, node->children[PAIR_LEFT], gap);
        name = sentence_piece(sentence, node->children[PAIR_RIGHT], false);
        add_table(sentence, " joined with ", name, NULL, name);
        break;
    default: /* PIVOT, UNPIVOT */
        add_relation(sentence, node->children[PIVOT_SOURCE], gap);
        break;
    }
}

void sentence_tables(struct sentence *sentence)
{
    const struct sql_node *from = sentence->select->children[SELECT_FROM];
    if (from) {
        add_relations(sentence, from, "");
        name_twins(sentence);
    }
}
