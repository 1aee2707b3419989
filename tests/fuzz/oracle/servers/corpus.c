/* Reads the statements that are changed, and takes statements to pieces. */
#include "corpus.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "sql/attack.h"

/* One statement per line; ## is a comment. A file that is not there is no error. */
static void lines_read(struct arena *arena, const char *path, struct corpus *out)
{
    struct err err;
    struct texts lines = {0};
    size_t size;
    char *text = file_read(arena, path, 1 << 20, &size, &err);
    if (!text) {
        return;
    }
    str_split(arena, text, '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        if (lines.items[i][0] && !str_starts(lines.items[i], "##")) {
            VEC_PUSH(arena, &out->statements, lines.items[i]);
        }
    }
}

bool corpus_read(struct arena *arena, const char *root, enum dialect dialect,
                 struct corpus *out, struct err *err)
{
    static const struct {
        const char *before;
        const char *after;
    } fixtures[] = {{"", ".allowed.sql"}, {"", ".refused.sql"}, {"honest/", ".sql"}};
    enum { LONGEST = 3000 };
    const char *name = dialect_name(dialect);
    struct attacks attacks = {0};
    size_t size;
    char *text = file_read(arena, arena_format(arena, "%s/attacks/%s.txt", root, name),
                           1 << 20, &size, err);
    if (!text || !attacks_parse(arena, text, size, &attacks, err)) {
        return false;
    }
    for (size_t i = 0; i < attacks.count; i++) {
        if (attacks.items[i].size < LONGEST) {
            VEC_PUSH(arena, &out->statements, attacks.items[i].sql);
        }
    }
    const char *folder = arena_format(arena, "%s/tests/fixtures/guard", root);
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        lines_read(arena,
                   arena_format(arena, "%s/%s%s%s", folder, fixtures[i].before, name,
                                fixtures[i].after),
                   out);
    }
    lines_read(arena, arena_format(arena, "%s/honest/common.sql", folder), out);
    return true;
}

static size_t quoted_end(const char *sql, size_t size, size_t at)
{
    char quote = sql[at++];
    while (at < size && sql[at] != quote) {
        at += sql[at] == '\\' && at + 1 < size ? 2 : 1;
    }
    return at < size ? at + 1 : size;
}

static size_t piece_end(const char *sql, size_t size, size_t at)
{
    static const char signs[] = "+-*/<>=~!@#%^&|?:";
    unsigned char first = (unsigned char)sql[at];
    if (first == '\'' || first == '"' || first == '`') {
        return quoted_end(sql, size, at);
    }
    size_t end = at + 1;
    if (isalnum(first) || first == '_' || first >= 0x80) {
        while (end < size && (isalnum((unsigned char)sql[end]) || sql[end] == '_' ||
                              sql[end] == '$' || (unsigned char)sql[end] >= 0x80)) {
            end++;
        }
    } else if (first && strchr(signs, first)) {
        while (end < size && sql[end] && strchr(signs, sql[end])) {
            end++;
        }
    }
    return end;
}

void pieces_read(struct arena *arena, const char *sql, size_t size, struct pieces *out)
{
    bool gap = false;
    for (size_t at = 0; at < size;) {
        if (isspace((unsigned char)sql[at])) {
            gap = true;
            at++;
            continue;
        }
        size_t end = piece_end(sql, size, at);
        VEC_PUSH(arena, out, ((struct piece){sql + at, end - at, gap}));
        gap = false;
        at = end;
    }
}

void pieces_write(const struct pieces *pieces, struct buf *out)
{
    for (size_t i = 0; i < pieces->count; i++) {
        if (i > 0 && pieces->items[i].gap) {
            (void)buf_char(out, ' ');
        }
        (void)buf_add(out, pieces->items[i].text, pieces->items[i].size);
    }
}
