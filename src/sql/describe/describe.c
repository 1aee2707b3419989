/* A statement as one sentence. */
#include "sql/describe/describe.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe/describe_sentence.h"

/* SET a = 1, b = 2 -> ": sets a to 1, b to 2" */
static void add_settings(struct sentence *sentence, const struct sql_node *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct sql_node *one = list->children[i];
        buf_format(sentence->out, "%s%s to %s", i ? ", " : ": sets ",
                   sentence_piece(sentence, one->children[PAIR_LEFT], false),
                   sentence_piece(sentence, one->children[PAIR_RIGHT], false));
    }
}

static void add_write(struct sentence *sentence, const struct sql_node *root)
{
    enum { TABLE = 0 }; /* the same slot in all three */
    const char *verb = root->kind == SQL_INSERT   ? "Adds rows to"
                       : root->kind == SQL_UPDATE ? "Changes rows of"
                                                  : "Deletes rows of";
    const struct sql_node *path = root->children[TABLE]->children[TABLE_PATH];
    buf_format(sentence->out, "%s %s", verb, path->children[path->count - 1]->text);
    if (root->kind == SQL_INSERT) {
        return;
    }
    if (root->kind == SQL_UPDATE) {
        add_settings(sentence, root->children[UPDATE_ASSIGNMENTS]);
    }
    const struct sql_node *where =
        root->children[root->kind == SQL_UPDATE ? UPDATE_WHERE : DELETE_WHERE];
    if (where) {
        buf_format(sentence->out, ", where %s", sentence_piece(sentence, where, true));
    } else {
        buf_text(sentence->out, ", all of them");
    }
}

char *describe_sql(struct arena *arena, const struct sql_statement *statement)
{
    if (!statement->root) {
        return arena_text(arena, "Not a query.");
    }
    struct buf out;
    buf_init(&out, DESCRIBE_MOST);
    struct sentence sentence = {.out = &out};
    sentence.names = (struct describe_names){.arena = arena, .statement = statement};
    if (statement->root->kind == SQL_QUERY) {
        sentence_add_query(&sentence, statement->root);
    } else {
        add_write(&sentence, statement->root);
    }
    char *text = arena_format(arena, "%s%s", buf_get(&out), out.full ? "…" : ".");
    buf_release(&out);
    return str_squeeze(arena, text);
}

char *describe_sql_text(struct arena *arena, enum dialect dialect, const char *sql)
{
    struct arena *scratch = arena_new();
    struct sql_statement statement;
    (void)sql_statement_read(scratch, dialect, sql, strlen(sql), &statement);
    char *text = describe_sql(arena, &statement);
    arena_free(scratch);
    return text;
}
