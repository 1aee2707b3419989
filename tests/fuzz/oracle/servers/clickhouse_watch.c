/* Looks whether the world of a ClickHouse engine is as it was. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "clickhouse_judge.h"
#include "watched.h"

#define ALL " UNION ALL "
#define SUM(table)                                                                       \
    "SELECT '" table "', concat(toString(count()), ':', toString(sum(cityHash64(*))))"   \
    " FROM shop." table
#define LISTED(part, from, text)                                                         \
    "SELECT '" part "', concat(toString(count()), ':', toString(sum(cityHash64(" text    \
    ")))) FROM system." from

/* Each row is the name of a part and what it is now. The counts are of what only
 * statements other than queries do, and functions that wait or reach the network: they
 * are none from the start of the engine on. */
static const char world_sql[] =
    "SELECT * FROM (" SUM("customers") ALL SUM("orders") ALL SUM("events")
        ALL SUM("daily_sales") ALL SUM("items") ALL SUM("vault") ALL SUM("vault_one")
            ALL LISTED("tables", "tables WHERE database NOT IN ('system')",
                       "database, name, create_table_query")
                ALL LISTED("databases", "databases", "name")
                    ALL LISTED("functions", "functions WHERE origin <> 'System'",
                               "name, create_query")
                        ALL LISTED("settings", "settings WHERE changed", "name, value")
                            ALL LISTED("mutations", "mutations", "table, command") ALL
    "SELECT 'database', currentDatabase()" ALL
    "SELECT 'counts', toString(arraySort(groupArray((event, value)))) FROM system.events"
    " WHERE match(event, '^(Async|Failed)?Insert|Sleep|^Network|^DNS|HTTP|^S3|Dictionary"
    "|Executable|Backup')) AS part ORDER BY 1 SETTINGS max_execution_time = 0";

bool clickhouse_watch_unchanged(const struct place *place, char what[WHAT_SIZE])
{
    static const struct watched_folder folders[] = {{"out", true},
                                                    {"data", true},
                                                    {"engine", false},
                                                    {"engine/metadata", false},
                                                    {"engine/user_files", true}};
    static struct watched watched;
    struct arena *arena = arena_new();
    struct texts lines = {0};
    struct buf text;
    buf_init(&text, 1 << 20);
    what[0] = '\0';
    watched.count = 0;
    if (clickhouse_ask(SESSION_OPEN, world_sql, &text) != REPLY_ROWS) {
        (void)snprintf(what, WHAT_SIZE, "the engine cannot be asked: %.150s",
                       buf_get(&text));
        buf_clear(&text);
    }
    str_split(arena, buf_get(&text), '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        struct texts cells = {0};
        str_split(arena, lines.items[i], '\t', &cells);
        if (cells.count == 2) {
            watched_look(&watched, cells.items[0], cells.items[1], what);
        }
    }
    watched_files(&watched, place->folder, folders, sizeof folders / sizeof *folders,
                  what);
    buf_release(&text);
    arena_free(arena);
    return !what[0];
}
