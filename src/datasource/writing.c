/* The drivers' own lock on approved writes: one INSERT, UPDATE or DELETE, nothing else.
 */
#include <string.h>

#include "base/arena.h"
#include "datasource/driver.h"
#include "sql/lexer.h"

static bool lone(const struct tokens *tokens, struct err *err)
{
    size_t count = tokens->count;
    while (count > 0 && token_is_punct(&tokens->items[count - 1], ";")) {
        count--;
    }
    for (size_t i = 0; i < count; i++) {
        if (tokens->items[i].kind == TOKEN_BAD) {
            return err_set(err, ERR_INVALID_SQL, "The SQL holds %s.",
                           tokens->items[i].text);
        }
        if (token_is_punct(&tokens->items[i], ";")) {
            return err_set(err, ERR_UNSAFE, "Only one statement may run at a time.");
        }
    }
    return count > 0 || err_set(err, ERR_INVALID_SQL, "There is no statement.");
}

bool writing_holds(enum dialect dialect, const char *sql, struct err *err)
{
    static const char *const starts[] = {"insert", "update", "delete"};
    struct arena *arena = arena_new();
    struct tokens tokens;
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    bool ok = lone(&tokens, err);
    bool writes = false;
    for (size_t i = 0; ok && i < sizeof starts / sizeof *starts; i++) {
        writes = writes || token_is(&tokens.items[0], starts[i]);
    }
    if (ok && !writes) {
        ok =
            err_set(err, ERR_UNSAFE, "Only an INSERT, UPDATE or DELETE can be approved.");
    }
    arena_free(arena);
    return ok;
}

enum writing_end writing_ends(int64_t approved, int64_t touched, struct err *err)
{
    if (approved == WRITE_PREVIEW) {
        return WRITING_ROLLS_BACK;
    }
    if (approved == WRITE_ANY_ROWS || approved == touched) {
        return WRITING_COMMITS;
    }
    (void)err_set(
        err, ERR_WRITE_CHANGED,
        "The data have changed: %lld row%s %s approved, but the statement would "
        "now change %lld. Nothing was changed.",
        (long long)approved, approved == 1 ? "" : "s", approved == 1 ? "was" : "were",
        (long long)touched);
    return WRITING_DIFFERS;
}

bool writing_unsure(struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_UNREACHABLE,
                  "The connection was lost while the change was committed: it is not "
                  "known whether it took effect.");
    return err_hint(err, "Look at the data before you try again.");
}
