/* Names for tables and columns, from names of files and from headings. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/files/files_driver.h"

enum { NAME_MOST = 120 };

/* "Sales report (2024).csv.gz": Sales_report_2024; what needs no quotes in SQL. */
static char *plain_name(struct arena *arena, const char *text)
{
    struct buf out;
    bool gap = false;
    buf_init(&out, NAME_MOST * 4);
    for (; *text; text++) {
        bool keep = isalnum((unsigned char)*text) || (unsigned char)*text >= 0x80;
        if (keep && gap && out.size > 0) {
            (void)buf_char(&out, '_');
        }
        if (keep) {
            (void)buf_char(&out, *text);
        }
        gap = !keep;
    }
    buf_truncate(&out, utf8_cut(buf_get(&out), out.size, NAME_MOST));
    char *name = buf_clone(&out, arena);
    buf_release(&out);
    return isdigit((unsigned char)name[0]) ? arena_format(arena, "t_%s", name) : name;
}

static char *stem_of(struct arena *arena, const char *file)
{
    char *stem = arena_text(arena, file);
    for (int i = 0; i < 2; i++) { /* .csv.gz */
        char *dot = strrchr(stem, '.');
        if (dot && dot != stem && strlen(dot) <= 9) {
            *dot = '\0';
        }
    }
    return stem;
}

const char *files_table_name(struct files_work *work, const char *file, const char *sheet)
{
    struct arena *arena = work->arena;
    const char *stem = plain_name(arena, work->only ? work->only : stem_of(arena, file));
    const char *name = sheet ? plain_name(arena, sheet) : stem;
    if (!*name) {
        name = *stem ? stem : "data";
    }
    if (sheet && map_get(&work->tables, name)) {
        name = arena_format(arena, "%s_%s", stem, name);
    }
    const char *free_name = name;
    for (int i = 2; map_get(&work->tables, free_name); i++) {
        free_name = arena_format(arena, "%s_%d", name, i);
    }
    (void)map_set(&work->tables, free_name, arena_text(arena, free_name));
    return free_name;
}

/* One line, no more than a name may have; "" when nothing is left. */
static const char *column_text(struct arena *arena, const char *cell)
{
    char *name = str_squeeze(arena, cell ? cell : "");
    for (char *at = name; *at; at++) {
        *at = (unsigned char)*at < 32 ? ' ' : *at;
    }
    name[utf8_cut(name, strlen(name), NAME_MOST)] = '\0';
    return name;
}

void files_column_names(struct files_work *work, const char *table,
                        const char *const *cells, size_t count, struct files_columns *out)
{
    struct map taken;
    size_t unnamed = 0;
    const char *twice = NULL;
    map_init(&taken, true);
    for (size_t i = 0; i < count; i++) {
        const char *name = column_text(work->arena, cells ? cells[i] : NULL);
        if (!*name) {
            unnamed++;
            name = arena_format(work->arena, "column%zu", i + 1);
        }
        const char *free_name = name;
        for (int n = 2; map_get(&taken, free_name); n++) {
            twice = twice ? twice : name;
            free_name = arena_format(work->arena, "%s_%d", name, n);
        }
        (void)map_set(&taken, free_name, arena_text(work->arena, "x"));
        struct files_column *column = VEC_ADD(work->arena, out);
        column->name = free_name;
    }
    map_release(&taken);
    if (cells && unnamed > 0) {
        files_warn(work, "%s: %zu %s no heading; called column1, column2 and so on",
                   table, unnamed, unnamed == 1 ? "column has" : "columns have");
    }
    if (twice) {
        files_warn(work, "%s: several columns are called '%s'; they were numbered", table,
                   twice);
    }
}
