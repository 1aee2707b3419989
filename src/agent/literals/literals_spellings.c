/* Cells that differ from a text of the SQL by accents alone: 'Gdansk' and 'Gdańsk'. */
#include <string.h>

#include "agent/literals/literals.h"
#include "agent/literals/literals_state.h"
#include "agent/run_statement.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "sql/describe/describe.h"

enum { TOLD_MOST = 4, LITERALS_MOST = 6 };

/* Spellings that differ by capitals and blanks are one already (sql/kept/variants.h). */
static bool is_united(struct run *run, const struct literal *literal, const char *cell)
{
    return literal->column->samples_all &&
           str_equal_nocase(str_trim(run->scratch, cell),
                            str_trim(run->scratch, literal->text));
}

static void find_others(struct run *run, const struct value_index *cells,
                        const struct literal *literal, struct texts *out)
{
    struct value_matches matches;
    value_index_find(cells, run->scratch, literal->text, strlen(literal->text), &matches);
    *out = (struct texts){0};
    for (size_t i = 0; i < matches.count && out->count < TOLD_MOST; i++) {
        const struct value_match *match = &matches.items[i];
        if (match->exact && !str_equal(match->text, literal->text) &&
            !is_united(run, literal, match->text) && literal->column->is_text &&
            literal_stands_there(run, literal, match)) {
            VEC_PUSH(run->scratch, out, match->text);
        }
    }
}

static bool is_asked_for(const struct literals *all, const struct column *column,
                         const char *text)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].column == column && str_equal(all->items[i].text, text)) {
            return true;
        }
    }
    return false;
}

void literals_tell_spelling(struct run *run, const struct value_index *cells,
                            const struct literals *all, size_t at)
{
    const struct literal *literal = &all->items[at];
    struct texts others;
    struct texts quoted = {0};
    find_others(run, cells, literal, &others);
    for (size_t i = 0; i < others.count; i++) {
        if (!is_asked_for(all, literal->column, others.items[i])) {
            VEC_PUSH(run->scratch, &quoted,
                     arena_format(run->scratch, "'%s'", others.items[i]));
        }
    }
    if (quoted.count && sql_is(literal->node, SQL_STRING)) {
        run->query.spelled_twice = true;
        run_warn(run, "%s has %s besides '%s': only '%s' is asked for.",
                 literal->column->name, str_join(run->scratch, &quoted, ", "),
                 literal->text, literal->text);
    }
}

/* warehouse = 'Gdansk' that is to be warehouse IN ('Gdansk', 'Gdańsk') */
struct widening {
    struct run *run;
    const struct value_index *cells;
    struct literals literals;
    struct texts spellings; /* of one of them, as the SQL has it first */
};

static bool widen(void *context, struct sql_node *node)
{
    struct widening *widening = context;
    struct arena *arena = widening->run->scratch;
    struct texts others = {0};
    bool denied = node->kind == SQL_BINARY && str_equal(node->text, "<>");
    bool equal = node->kind == SQL_BINARY && (denied || str_equal(node->text, "=")) &&
                 sql_is(node->children[PAIR_RIGHT], SQL_STRING);
    for (size_t i = 0; equal && i < widening->literals.count; i++) {
        const struct literal *literal = &widening->literals.items[i];
        if (literal->node == node->children[PAIR_RIGHT]) {
            find_others(widening->run, widening->cells, literal, &others);
        }
    }
    if (!others.count) {
        return true;
    }
    struct sql_node *in = sql_node(arena, SQL_IN, NULL);
    struct sql_node *list = sql_node(arena, SQL_TUPLE, NULL);
    sql_add(arena, list, node->children[PAIR_RIGHT]);
    for (size_t i = 0; i < others.count; i++) {
        sql_add(arena, list, sql_node(arena, SQL_STRING, others.items[i]));
    }
    in->children[PAIR_LEFT] = node->children[PAIR_LEFT];
    in->children[PAIR_RIGHT] = list;
    in->flags |= denied ? FLAG_NOT : 0;
    *node = *in;
    widening->spellings = (struct texts){0};
    VEC_PUSH(arena, &widening->spellings, list->children[0]->text);
    for (size_t i = 0; i < others.count; i++) {
        VEC_PUSH(arena, &widening->spellings, others.items[i]);
    }
    return false;
}

/* The words of a reading, with all spellings: "warehouse is Gdansk or Gdańsk". */
static const char *say_all(struct run *run, const char *words,
                           const struct texts *spellings)
{
    const char *first = spellings->items[0];
    const char *at = words ? strstr(words, first) : NULL;
    size_t size = strlen(first);
    return at && !strstr(at + size, first)
               ? arena_format(run->arena, "%.*s%s%s", (int)(at - words), words,
                              str_join(run->scratch, spellings, " or "), at + size)
               : NULL;
}

const char *literals_every_spelling(struct run *run, const char *sql, const char **words)
{
    struct widening widening = {.run = run};
    struct sql_statement statement =
        sql_statement_copy(run->scratch, run_statement(run, sql));
    if (!statement.root || !run_schema(run)) {
        return NULL;
    }
    literals_find(run->scratch, statement.root,
                  sql_resolve(run->scratch, &statement, run_schema(run)), LITERALS_MOST,
                  &widening.literals);
    struct value_index *cells = widening.literals.count ? literals_cells(run) : NULL;
    widening.cells = cells;
    sql_walk(statement.root, widen, &widening);
    value_index_unref(cells);
    if (!widening.spellings.count) {
        return NULL;
    }
    const char *text = arena_text(
        run->arena, sql_statement_print(run->scratch, statement.dialect, statement.root));
    const char *said = say_all(run, *words, &widening.spellings);
    *words = said ? said : describe_sql_text(run->arena, statement.dialect, text);
    return text;
}
