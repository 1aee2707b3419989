/* Shortens long column names for the prompt, and restores them in SQL. */
#include "knowledge/schema/schema_names.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "sql/lexer.h"

enum {
    MARK = 7, /* "_" and six digits of the name's hash */
    TABLE_MOST = 256,
};

void name_cutter_init(struct name_cutter *cutter, struct arena *arena,
                      struct schema_text_names *names, size_t length)
{
    *cutter = (struct name_cutter){.arena = arena, .names = names, .length = length};
    map_init(&cutter->full_of, true);
    for (size_t i = 0; i < names->count; i++) {
        const struct schema_text_name *name = &names->items[i];
        (void)map_set(&cutter->full_of, name->cut, arena_text(arena, name->full));
    }
}

void name_cutter_release(struct name_cutter *cutter)
{
    map_release(&cutter->full_of);
}

/* What a prompt cannot show as it is: hidden characters, or what would be a fence. */
static bool is_odd(const char *name)
{
    size_t size = strlen(name);
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        at += utf8_next(name + at, size - at, &code);
        if (utf8_is_hidden(code)) {
            return true;
        }
    }
    return strstr(name, "<<<") || strstr(name, ">>>");
}

static void put_seen(struct buf *out, const char *name, size_t size)
{
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        size_t length = utf8_next(name + at, size - at, &code);
        if (utf8_is_hidden(code) || code == '<' || code == '>') {
            (void)buf_char(out, '_');
        } else {
            (void)buf_add(out, name + at, length);
        }
        at += length;
    }
}

/* A prefix, then digits made from the whole name; `salt` makes other digits. */
static char *cut_name(struct arena *arena, const char *name, size_t length, unsigned salt)
{
    size_t size = strlen(name);
    size_t most = length > MARK ? length - MARK : 1;
    struct buf prefix;
    buf_init(&prefix, size + 1);
    put_seen(&prefix, name, utf8_cut(name, size, most));
    uint64_t hash = hash_of(name, size) + salt;
    char *cut =
        arena_format(arena, "%s_%06x", buf_get(&prefix), (unsigned)(hash & 0xffffff));
    buf_release(&prefix);
    return cut;
}

static const char *replace_name(struct name_cutter *cutter, const char *name,
                                size_t length)
{
    for (unsigned salt = 0;; salt++) {
        char *cut = cut_name(cutter->arena, name, length, salt);
        const char *taken = map_get(&cutter->full_of, cut);
        if (taken && str_equal(taken, name)) {
            return cut;
        }
        if (!taken) {
            char *full = arena_text(cutter->arena, name);
            (void)map_set(&cutter->full_of, cut, full);
            VEC_PUSH(cutter->arena, cutter->names,
                     ((struct schema_text_name){cut, full}));
            return cut;
        }
    }
}

const char *name_cutter_cut(struct name_cutter *cutter, const char *name)
{
    bool fine = strlen(name) <= cutter->length && !is_odd(name);
    return fine ? name : replace_name(cutter, name, cutter->length);
}

const char *name_cutter_plain(struct name_cutter *cutter, const char *name)
{
    size_t size = strlen(name);
    size_t most = size < TABLE_MOST ? size + MARK : TABLE_MOST;
    return size > TABLE_MOST || is_odd(name) ? replace_name(cutter, name, most) : name;
}

static const char *full_name(const struct schema_text_names *names,
                             const struct token *token)
{
    if (token->kind != TOKEN_WORD && token->kind != TOKEN_NAME) {
        return NULL;
    }
    for (size_t i = 0; i < names->count; i++) {
        if (str_equal_nocase(names->items[i].cut, token->text)) {
            return names->items[i].full;
        }
    }
    return NULL;
}

const char *schema_text_restore(struct arena *arena, enum dialect dialect,
                                const struct schema_text *text, const char *sql)
{
    if (text->names.count == 0) {
        return sql;
    }
    size_t size = strlen(sql);
    struct tokens tokens = {0};
    lexer_run(arena, dialect, sql, size, &tokens);
    struct buf out;
    buf_init(&out, size * 64 + 65536);
    size_t copied = 0;
    for (size_t i = 0; i < tokens.count; i++) {
        const char *full = full_name(&text->names, &tokens.items[i]);
        if (full) {
            (void)buf_add(&out, sql + copied, tokens.items[i].start - copied);
            dialect_quote(&out, dialect, full, false);
            copied = tokens.items[i].end;
        }
    }
    (void)buf_add(&out, sql + copied, size - copied);
    const char *restored = copied && !out.full ? buf_clone(&out, arena) : sql;
    buf_release(&out);
    return restored;
}
