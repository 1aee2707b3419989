/* What a virtual table of SQLite shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "sql/virtual_table.h"

/* "-": only rows of its own. */
static const char *shows(struct arena *arena, const char *definition)
{
    const char *table = virtual_table_shows(arena, definition);
    return table ? table : "-";
}

static void test_shows(void **state)
{
    static const char *const rows[][2] = {
        {"CREATE VIRTUAL TABLE t USING fts5(a, b)", "-"},
        {"CREATE VIRTUAL TABLE t USING fts5(a UNINDEXED, prefix='2 3', tokenize = "
         "'porter "
         "ascii')",
         "-"},
        {"CREATE VIRTUAL TABLE IF NOT EXISTS main.t USING FTS5(a, Content=vault)",
         "vault"},
        {"CREATE VIRTUAL TABLE \"t x\" USING fts5(a, content='the vault', "
         "content_rowid=id)",
         "the vault"},
        {"CREATE VIRTUAL TABLE t USING fts4(a, content=\"vault\", tokenize=unicode61 "
         "\"tokenchars=-\")",
         "vault"},
        {"CREATE VIRTUAL TABLE t USING fts4", "-"},
        {"CREATE VIRTUAL TABLE t USING fts3(a TEXT NOT NULL, b VARCHAR(10))", "-"},
        {"CREATE VIRTUAL TABLE t USING fts5vocab(vault_search, 'row')", "vault_search"},
        {"CREATE VIRTUAL TABLE t USING fts5vocab('vault_search', instance)",
         "vault_search"},
        {"CREATE VIRTUAL TABLE t USING fts4aux([vault_search])", "vault_search"},
        {"CREATE VIRTUAL TABLE t USING rtree(id, low, high, +note)", "-"},
        /* contentless: the text is somewhere else */
        {"CREATE VIRTUAL TABLE t USING fts5(a, content='')", ""},
        /* FTS5 reads this as content */
        {"CREATE VIRTUAL TABLE t USING fts5(a, conte='vault')", ""},
        {"CREATE VIRTUAL TABLE t USING fts5(a, content='vault' || 'x')", ""},
        {"CREATE VIRTUAL TABLE t USING fts5(a, content=='vault')", ""},
        {"CREATE VIRTUAL TABLE t USING fts5vocab(main, vault_search, 'row')", ""},
        {"CREATE VIRTUAL TABLE t USING fts4aux(main, vault_search)", ""},
        {"CREATE VIRTUAL TABLE t USING fts4aux()", ""},
        {"CREATE VIRTUAL TABLE t USING dbstat(main)", ""},
        {"CREATE VIRTUAL TABLE t USING csv(filename='a.csv')", ""},
        {"CREATE VIRTUAL TABLE t USING fts5(a", ""},
        {"CREATE VIRTUAL TABLE t USING fts5(a) x", ""},
        {"CREATE VIRTUAL TABLE t", ""},
        {"CREATE TABLE t(a)", ""},
        {"", ""},
        {NULL, ""},
    };
    (void)state;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *table = shows(arena, rows[i][0]);
        if (strcmp(table, rows[i][1]) != 0) {
            fail_msg("%s shows '%s'", rows[i][0], table);
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
