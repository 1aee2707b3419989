/* JSON and Parquet files as tables: the engine knows their types; objects inside objects
 * become columns of their own. */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/files/files_driver.h"

enum {
    DEPTH_MOST = 4,        /* of objects that become columns */
    NESTED_MOST = 200,     /* of anything */
    OBJECT_MOST = 8 << 20, /* bytes of one value */
    CHUNK = 1 << 20,
};

struct nested {
    struct files_work *work;
    struct files_columns columns; /* as the engine names them: sql is how to reach them */
    struct texts names;
    struct texts paths;
    struct texts types;
    const char *table;
    int64_t bad;
};

static bool describe_row(void *context, const char *const *texts)
{
    struct nested *nested = context;
    struct arena *arena = nested->work->arena;
    VEC_PUSH(arena, &nested->names, arena_text(arena, texts[0] ? texts[0] : ""));
    VEC_PUSH(arena, &nested->types, arena_text(arena, texts[1] ? texts[1] : ""));
    return (int64_t)nested->names.count <= nested->work->options->files_max_columns;
}

static const char *quoted(struct arena *arena, const char *name)
{
    struct buf out;
    buf_init(&out, 1 << 16);
    (void)buf_quote(&out, name, '"');
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

/* The next member of STRUCT(a BIGINT, "b c" STRUCT(…)): its name and type. */
static const char *member_next(struct arena *arena, const char *at, const char **name,
                               const char **type)
{
    struct buf text;
    buf_init(&text, 1 << 16);
    bool marks = *at == '"';
    at += marks;
    while (*at && (marks ? !(*at == '"' && at[1] != '"') : *at != ' ')) {
        at += marks && *at == '"';
        (void)buf_char(&text, *at++);
    }
    at += marks && *at == '"';
    *name = buf_clone(&text, arena);
    buf_release(&text);
    at += *at == ' ';
    const char *start = at;
    int depth = 0;
    bool inside = false;
    for (; *at && (depth > 0 || inside || (*at != ',' && *at != ')')); at++) {
        inside = *at == '"' ? !inside : inside;
        depth += !inside && *at == '(' ? 1 : !inside && *at == ')' ? -1 : 0;
    }
    *type = arena_copy(arena, start, (size_t)(at - start));
    return strncmp(at, ", ", 2) == 0 ? at + 2 : NULL;
}

/* address STRUCT(city …): address_city; lists stay as they are. */
static void flatten(struct nested *nested, const char *name, const char *path,
                    const char *type, int depth)
{
    struct files_work *work = nested->work;
    bool is_object = str_starts(type, "STRUCT(") && str_ends(type, ")");
    if (!is_object || depth >= DEPTH_MOST ||
        (int64_t)nested->columns.count >= work->options->files_max_columns) {
        struct files_column *column = VEC_ADD(work->arena, &nested->columns);
        column->name = name;
        column->sql = path;
        column->type = type;
        return;
    }
    const char *at = type + strlen("STRUCT(");
    while (at && (int64_t)nested->columns.count <= work->options->files_max_columns) {
        const char *member = NULL;
        const char *of = NULL;
        at = member_next(work->arena, at, &member, &of);
        flatten(nested, arena_format(work->arena, "%s_%s", name, member),
                arena_format(work->arena, "%s.%s", path, quoted(work->arena, member)), of,
                depth + 1);
    }
}

static void columns_name(struct nested *nested)
{
    struct files_columns named = {0};
    struct texts names = {0};
    for (size_t i = 0; i < nested->columns.count; i++) {
        VEC_PUSH(nested->work->arena, &names, nested->columns.items[i].name);
    }
    files_column_names(nested->work, nested->table, names.items, names.count, &named);
    for (size_t i = 0; i < nested->columns.count; i++) {
        nested->columns.items[i].name = named.items[i].name;
    }
}

static bool count_row(void *context, const char *const *texts)
{
    (void)str_to_int(texts[0] ? texts[0] : "", context);
    return false;
}

static bool rows_hold(struct nested *nested, struct err *err)
{
    struct files_work *work = nested->work;
    int64_t rows = 0;
    if (!work->load) {
        return true;
    }
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT count(*)::VARCHAR FROM ");
    (void)buf_quote(&work->sql, nested->table, '"');
    return files_run(work, count_row, &rows, err) && files_rows_hold(work, rows, err);
}

static bool columns_hold(const struct nested *nested, size_t count, struct err *err)
{
    int64_t most = nested->work->options->files_max_columns;
    return (int64_t)count <= most ||
           err_set(
               err, ERR_INVALID_DATA,
               "Its objects have more than %lld different keys, each of which becomes "
               "a column; the limit is files.max_columns.",
               (long long)most);
}

/* The columns of what `from` reads, which is SQL. */
static bool nested_describe(struct nested *nested, const char *from, bool objects,
                            struct err *err)
{
    struct files_work *work = nested->work;
    buf_clear(&work->sql);
    (void)buf_format(&work->sql,
                     "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM %s)",
                     from);
    if (!files_run(work, describe_row, nested, err) ||
        !columns_hold(nested, nested->names.count, err)) {
        return false;
    }
    for (size_t i = 0; i < nested->names.count; i++) {
        flatten(nested, nested->names.items[i],
                arena_format(work->arena, "source.%s",
                             quoted(work->arena, nested->names.items[i])),
                objects ? nested->types.items[i] : "", 0);
    }
    return columns_hold(nested, nested->columns.count, err);
}

/* Table or view of these columns. */
static bool nested_make(struct nested *nested, const char *from, bool objects, bool view,
                        struct err *err)
{
    struct files_work *work = nested->work;
    columns_name(nested);
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, view ? "CREATE VIEW " : "CREATE TABLE ");
    (void)buf_quote(&work->sql, nested->table, '"');
    (void)buf_text(&work->sql, " AS ");
    files_select(work, &nested->columns);
    (void)buf_format(&work->sql, "%s AS source", from);
    if (objects && nested->names.count > 0) { /* lines that are no JSON are all empty */
        (void)buf_text(&work->sql, " WHERE NOT (");
        for (size_t i = 0; i < nested->names.count; i++) {
            (void)buf_format(&work->sql, "%ssource.%s IS NULL", i ? " AND " : "",
                             quoted(work->arena, nested->names.items[i]));
        }
        (void)buf_char(&work->sql, ')');
    }
    files_rows_limit(work);
    if (!files_run(work, NULL, NULL, err) || !(view || rows_hold(nested, err))) {
        return false;
    }
    if (view) {
        VEC_PUSH(work->arena, &work->places, work->place);
    }
    return true;
}

/* ------------------------------------------------------------------ JSON */

static bool bad_line(void *context, const char *const *texts)
{
    struct nested *nested = context;
    int64_t line = 0;
    (void)str_to_int(texts[0] ? texts[0] : "", &line);
    struct files_reject reject = {.table = nested->table,
                                  .line = line,
                                  .reason = "a line that is no JSON",
                                  .text = texts[1] ? texts[1] : ""};
    if (nested->bad++ == 0) {
        files_warn(nested->work, "%s: %s %s left out (line %lld is no JSON)",
                   nested->table, texts[2] ? texts[2] : "",
                   str_equal(texts[2], "1") ? "row was" : "rows were", (long long)line);
    }
    files_reject(nested->work, &reject);
    return nested->work->reject != NULL;
}

/* Lines that are not JSON: counted, for the warning. */
static bool lines_check(struct nested *nested, struct err *err)
{
    struct files_work *work = nested->work;
    buf_clear(&work->sql);
    (void)buf_text(&work->sql,
                   "SELECT n::VARCHAR, left(c0, 200), (count(*) OVER ())::VARCHAR FROM "
                   "(SELECT c0, row_number() OVER () AS n FROM read_csv(");
    (void)buf_quote(&work->sql, work->place, '\'');
    (void)buf_format(
        &work->sql,
        ", auto_detect = false, delim = '\1', quote = '', escape = '', header "
        "= false, compression = '%s', max_line_size = %d, ignore_errors = "
        "true, columns = {'c0': 'VARCHAR'})) WHERE c0 IS NOT NULL AND "
        "trim(c0) <> '' AND NOT json_valid(c0) ORDER BY n LIMIT 10000",
        work->file->packed ? "gzip" : "none", OBJECT_MOST);
    return files_run(work, bad_line, nested, err);
}

/* The engine reads what is nested by calling itself: a file of brackets alone would end
 * the process, so they are counted before it sees them. */
struct depth {
    int64_t now;
    bool text;    /* inside quotes */
    bool escaped; /* after a backslash there */
    bool over;
};

static void depth_add(struct depth *depth, const char *data, size_t size)
{
    for (size_t i = 0; i < size && !depth->over; i++) {
        char c = data[i];
        if (depth->escaped) {
            depth->escaped = false;
        } else if (depth->text) {
            depth->escaped = c == '\\';
            depth->text = c != '"';
        } else if (c == '"') {
            depth->text = true;
        } else if (c == '[' || c == '{') {
            depth->over = ++depth->now > NESTED_MOST;
        } else if (c == ']' || c == '}') {
            depth->now -= depth->now > 0;
        }
    }
}

static bool depth_line(void *context, const char *const *texts)
{
    struct depth *depth = context;
    depth_add(depth, texts[0] ? texts[0] : "", texts[0] ? strlen(texts[0]) : 0);
    if (depth->text) { /* no text goes over the end of a line */
        *depth = (struct depth){.over = depth->over};
    }
    return !depth->over;
}

/* What is packed only the engine can unpack: line by line, none may be too long. */
static bool depth_packed(struct files_work *work, struct depth *depth, struct err *err)
{
    buf_clear(&work->sql);
    (void)buf_format(&work->sql,
                     "SELECT c0 FROM read_csv('%s', auto_detect = false, delim = '\1', "
                     "quote = '', escape = '', header = false, compression = 'gzip', "
                     "max_line_size = %d, columns = {'c0': 'VARCHAR'})",
                     work->place, OBJECT_MOST);
    return files_run(work, depth_line, depth, err);
}

static bool depth_check(struct files_work *work, int fd, struct err *err)
{
    struct depth depth = {.now = 0};
    bool ok = true;
    if (work->file->packed) {
        ok = depth_packed(work, &depth, err);
    } else {
        char *data = memory_alloc(CHUNK);
        off_t at = 0;
        for (ssize_t got; !depth.over && (got = pread(fd, data, CHUNK, at)) > 0;) {
            depth_add(&depth, data, (size_t)got);
            at += got;
            if (!limits_hold(work->session->limits, err)) {
                ok = false;
                break;
            }
        }
        memory_free(data);
    }
    return ok &&
           (!depth.over || err_set(err, ERR_INVALID_DATA,
                                   "It nests more than %d levels deep.", NESTED_MOST));
}

bool files_json(struct files_work *work, int fd, struct err *err)
{
    struct nested nested = {.work = work};
    nested.table = files_table_name(work, work->file->name, NULL);
    const char *from = arena_format(
        work->arena,
        "read_json('%s', format = '%s', compression = '%s', sample_size = %d, "
        "maximum_object_size = %d, ignore_errors = %s)",
        work->place, work->file->lines ? "newline_delimited" : "auto",
        work->file->packed ? "gzip" : "uncompressed", work->big ? 200000 : -1,
        OBJECT_MOST, work->file->lines ? "true" : "false");
    return depth_check(work, fd, err) &&
           (!work->file->lines || lines_check(&nested, err)) &&
           nested_describe(&nested, from, true, err) &&
           nested_make(&nested, from, true, work->big, err);
}

/* ------------------------------------------------------------------ Parquet */

/* Parquet is made to be read where it lies: only the columns and groups that are needed.
 * A small one is quicker in memory all the same, as it is not opened for every query. */
bool files_parquet(struct files_work *work, int fd, struct err *err)
{
    struct nested nested = {.work = work};
    (void)fd;
    nested.table = files_table_name(work, work->file->name, NULL);
    const char *from = arena_format(work->arena, "read_parquet('%s')", work->place);
    return nested_describe(&nested, from, false, err) &&
           files_parquet_hold(work, &nested.names, &nested.types, err) &&
           nested_make(&nested, from, false, work->big, err);
}
