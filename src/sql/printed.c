/* What runs: a statement read, printed and read back. */
#include "sql/printed_state.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "sql/statement.h"
#include "sql/tree/parse/parse.h"
#include "sql/tree/print/print.h"

enum { PRINTED_MAX_BYTES = 4 << 20 };

const char *printed_one(struct arena *arena, enum dialect dialect,
                        const struct sql_node *node)
{
    struct buf out;
    buf_init(&out, PRINTED_MAX_BYTES);
    sql_print(&out, dialect, node);
    const char *text = out.full ? NULL : buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

static bool reads_back(struct printed *printed)
{
    return printed->sql &&
           sql_statement_read(printed->arena, printed->dialect, printed->sql,
                              strlen(printed->sql), &printed->statement) &&
           sql_equal(printed->root, printed->statement.root);
}

bool printed_make(struct arena *arena, enum dialect dialect, const char *text,
                  struct printed *out, struct err *err)
{
    struct sql_statement statement;
    (void)sql_statement_read(arena, dialect, text, strlen(text), &statement);
    return printed_make_statement(arena, &statement, out, err);
}

bool printed_make_statement(struct arena *arena, const struct sql_statement *statement,
                            struct printed *out, struct err *err)
{
    const char *text = statement->text;
    enum dialect dialect = statement->dialect;
    *out = (struct printed){.arena = arena,
                            .dialect = dialect,
                            .text = text,
                            .sql = text,
                            .root = statement->root,
                            .statement = *statement};
    if (!statement->root) {
        (void)err_set(err, ERR_INVALID_SQL, "%s", statement->reason);
        err->position = (int)statement->position;
        return false;
    }
    printed_headings(out);
    out->sql = printed_one(arena, dialect, out->root);
    if (str_equal(out->sql, text) || reads_back(out)) {
        return true;
    }
    /* what is printed in parentheses has more levels than what was written */
    if (!out->statement.root && str_equal(out->statement.reason, SQL_TOO_DEEP)) {
        return err_set(err, ERR_UNSAFE, SQL_TOO_DEEP);
    }
    (void)err_set(err, ERR_INTERNAL, "The SQL could not be printed as it was read.");
    return err_detail(err, "Printed: %.400s", str_or_empty(out->sql));
}

/* The position is after some parts of the node: where the last of these ended. */
static size_t behind_parts(const struct printed *printed, const struct sql_pieces *pieces,
                           size_t index, size_t position)
{
    const struct sql_piece *piece = &pieces->items[index];
    size_t found = 0;
    for (size_t i = 0; i < index; i++) {
        const struct sql_piece *part = &pieces->items[i];
        if (part->start >= piece->start && part->end <= position &&
            part->node->end > found) {
            found = part->node->end;
        }
    }
    if (found == 0) {
        return piece->node->start;
    }
    while (isspace((unsigned char)printed->text[found]) || printed->text[found] == ')') {
        found++;
    }
    return found;
}

int printed_position(const struct printed *printed, int position)
{
    struct buf out;
    struct sql_pieces pieces = {0};
    int found = -1;
    if (position < 0 || !printed->root) {
        return position;
    }
    buf_init(&out, PRINTED_MAX_BYTES);
    sql_print_pieces(printed->arena, &out, printed->dialect, printed->root, &pieces);
    size_t at = (size_t)position < out.size ? (size_t)position
                : out.size                  ? out.size - 1
                                            : 0;
    for (size_t i = 0; i < pieces.count && found < 0; i++) {
        const struct sql_piece *piece = &pieces.items[i];
        const struct sql_node *node = piece->node;
        size_t size = piece->end - piece->start;
        if (at < piece->start || at >= piece->end || node->end <= node->start) {
            continue;
        }
        bool same =
            node->end - node->start == size &&
            memcmp(printed->text + node->start, out.data + piece->start, size) == 0;
        found = (int)(same ? node->start + (at - piece->start)
                           : behind_parts(printed, &pieces, i, at));
    }
    buf_release(&out);
    return found;
}
