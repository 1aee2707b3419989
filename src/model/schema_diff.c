/* What has changed between two schemas of one database. */
#include "model/schema_diff.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/writer.h"

static const char ADDED[] = "added";
static const char REMOVED[] = "removed";
static const char CHANGED[] = "changed";

struct diff {
    struct arena *arena;
    struct schema_changes *out;
    const struct table *table; /* the one at hand, as it is now */
};

static void note(struct diff *diff, const char *what, const char *name, const char *from,
                 const char *to)
{
    const char *kind = !from ? ADDED : !to ? REMOVED : CHANGED;
    VEC_PUSH(
        diff->arena, diff->out,
        ((struct schema_change){kind, what, arena_text(diff->arena, diff->table->name),
                                arena_text(diff->arena, name), from, to}));
}

/* "numeric(10,2) not null default 0" */
static const char *column_text(struct arena *arena, const struct column *column)
{
    return arena_format(arena, "%s%s%s%s", column->type,
                        column->nullable ? "" : " not null",
                        column->default_value ? " default " : "",
                        column->default_value ? column->default_value : "");
}

static const char *columns_text(struct arena *arena, const struct table *table)
{
    struct texts parts = {0};
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        VEC_PUSH(arena, &parts, arena_format(arena, "%s %s", column->name, column->type));
    }
    return arena_format(arena, "(%s)", str_join(arena, &parts, ", "));
}

/* "(id, line)"; NULL when there is none. */
static const char *primary_text(struct arena *arena, const struct table *table)
{
    struct texts names = {0};
    for (size_t i = 0; i < table->columns.count; i++) {
        if (table->columns.items[i].primary) {
            VEC_PUSH(arena, &names, table->columns.items[i].name);
        }
    }
    return names.count ? arena_format(arena, "(%s)", str_join(arena, &names, ", "))
                       : NULL;
}

static const char *key_text(struct arena *arena, const struct foreign_key *key)
{
    return arena_format(arena, "(%s) -> %s (%s)", str_join(arena, &key->columns, ", "),
                        key->table, str_join(arena, &key->references, ", "));
}

static const char *index_text(struct arena *arena, const struct index *index)
{
    return arena_format(arena, "%s(%s)", index->unique ? "unique " : "",
                        str_join(arena, &index->columns, ", "));
}

/* The column of this very name: one that is only spelt otherwise is another. */
static const struct column *column_named(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->columns.count; i++) {
        if (str_equal(table->columns.items[i].name, name)) {
            return &table->columns.items[i];
        }
    }
    return NULL;
}

static void diff_comment(struct diff *diff, const char *name, const char *from,
                         const char *to)
{
    if ((from || to) && !str_equal(from ? from : "", to ? to : "")) {
        note(diff, "comment", name, arena_text(diff->arena, from),
             arena_text(diff->arena, to));
    }
}

static void diff_columns(struct diff *diff, const struct table *before,
                         const struct table *after)
{
    for (size_t i = 0; i < after->columns.count; i++) {
        const struct column *now = &after->columns.items[i];
        const struct column *was = column_named(before, now->name);
        const char *to = column_text(diff->arena, now);
        const char *from = was ? column_text(diff->arena, was) : NULL;
        if (!from || !str_equal(from, to)) {
            note(diff, "column", now->name, from, to);
        }
        if (was) {
            diff_comment(diff, now->name, was->comment, now->comment);
        }
    }
    for (size_t i = 0; i < before->columns.count; i++) {
        const struct column *was = &before->columns.items[i];
        if (!column_named(after, was->name)) {
            note(diff, "column", was->name, column_text(diff->arena, was), NULL);
        }
    }
}

static bool has_key(struct arena *arena, const struct table *table, const char *text)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        if (str_equal(key_text(arena, &table->foreign_keys.items[i]), text)) {
            return true;
        }
    }
    return false;
}

static void diff_keys(struct diff *diff, const struct table *before,
                      const struct table *after)
{
    struct arena *arena = diff->arena;
    const char *from = primary_text(arena, before);
    const char *to = primary_text(arena, after);
    if ((from || to) && !str_equal(from ? from : "", to ? to : "")) {
        note(diff, "primary key", NULL, from, to);
    }
    for (size_t i = 0; i < after->foreign_keys.count; i++) {
        const char *text = key_text(arena, &after->foreign_keys.items[i]);
        if (!has_key(arena, before, text)) {
            note(diff, "foreign key", NULL, NULL, text);
        }
    }
    for (size_t i = 0; i < before->foreign_keys.count; i++) {
        const char *text = key_text(arena, &before->foreign_keys.items[i]);
        if (!has_key(arena, after, text)) {
            note(diff, "foreign key", NULL, text, NULL);
        }
    }
}

static const struct index *index_named(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->indexes.count; i++) {
        if (str_equal(table->indexes.items[i].name, name)) {
            return &table->indexes.items[i];
        }
    }
    return NULL;
}

static void diff_indexes(struct diff *diff, const struct table *before,
                         const struct table *after)
{
    for (size_t i = 0; i < after->indexes.count; i++) {
        const struct index *now = &after->indexes.items[i];
        const struct index *was = index_named(before, now->name);
        const char *to = index_text(diff->arena, now);
        const char *from = was ? index_text(diff->arena, was) : NULL;
        if (!from || !str_equal(from, to)) {
            note(diff, "index", now->name, from, to);
        }
    }
    for (size_t i = 0; i < before->indexes.count; i++) {
        const struct index *was = &before->indexes.items[i];
        if (!index_named(after, was->name)) {
            note(diff, "index", was->name, index_text(diff->arena, was), NULL);
        }
    }
}

static const char *kind_of(const struct table *table)
{
    return table->is_view ? "view" : "table";
}

void schema_diff(struct arena *arena, const struct schema *before,
                 const struct schema *after, struct schema_changes *out)
{
    struct diff diff = {.arena = arena, .out = out};
    for (size_t i = 0; i < after->tables.count; i++) {
        const struct table *now = &after->tables.items[i];
        const struct table *was = schema_table(before, now->name);
        diff.table = now;
        if (!was || !str_equal(was->name, now->name) || was->is_view != now->is_view) {
            note(&diff, kind_of(now), NULL, NULL, columns_text(arena, now));
            continue;
        }
        diff_comment(&diff, NULL, was->comment, now->comment);
        diff_columns(&diff, was, now);
        diff_keys(&diff, was, now);
        diff_indexes(&diff, was, now);
    }
    for (size_t i = 0; i < before->tables.count; i++) {
        const struct table *was = &before->tables.items[i];
        const struct table *now = schema_table(after, was->name);
        diff.table = was;
        if (!now || !str_equal(was->name, now->name) || was->is_view != now->is_view) {
            note(&diff, kind_of(was), NULL, columns_text(arena, was), NULL);
        }
    }
}

void schema_change_write(const struct schema_change *change, struct writer *writer)
{
    writer_key_text(writer, "change", change->kind);
    writer_key_text(writer, "what", change->what);
    writer_key_text(writer, "table", change->table);
    writer_key_text(writer, "name", change->name);
    writer_key_text(writer, "from", change->from);
    writer_key_text(writer, "to", change->to);
}
