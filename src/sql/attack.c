/* Reads the corpus of attacks: headers, statements and the escapes inside them. */
#include "sql/attack.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum {
    STATEMENT_MOST = 1 << 21, /* one written out; the guard's own ceiling is below */
    REPEAT_MOST = 200000,
};

static bool corpus_error(struct err *err, size_t line, const char *what)
{
    return err_set(err, ERR_INTERNAL, "Line %zu of the attacks: %s.", line, what);
}

/* --- class (escaped, policy): reason */
static bool parse_header(struct arena *arena, const char *line, struct attack *attack,
                         bool *escaped, struct err *err)
{
    const char *colon = strstr(line, ": ");
    if (!colon) {
        return corpus_error(err, attack->line, "a header needs 'class: reason'");
    }
    char *class = arena_copy(arena, line, (size_t)(colon - line));
    attack->reason = colon + 2;
    *escaped = false;
    char *flags = strchr(class, '(');
    if (flags) {
        *escaped = strstr(flags, "escaped") != NULL;
        attack->wall = strstr(flags, "policy")   ? ATTACK_POLICY
                       : strstr(flags, "limits") ? ATTACK_LIMITS
                                                 : ATTACK_GUARD;
        attack->names = strstr(flags, "names") != NULL;
        *flags = '\0';
    }
    attack->class = str_trim(arena, class);
    if (str_empty(attack->class) || str_empty(attack->reason)) {
        return corpus_error(err, attack->line, "a header needs a class and a reason");
    }
    return true;
}

/* {{text*count}}; returns how much was read, 0 when it is none. */
static size_t add_repeated(struct buf *out, const char *at)
{
    const char *end = strstr(at, "}}");
    const char *star = NULL;
    for (const char *c = at + 2; end && c < end; c++) {
        star = *c == '*' ? c : star;
    }
    int64_t count = 0;
    char number[16];
    size_t digits = star ? (size_t)(end - star - 1) : sizeof number;
    if (digits >= sizeof number) {
        return 0;
    }
    memcpy(number, star + 1, digits);
    number[digits] = '\0';
    if (!str_to_int(number, &count) || count < 0 || count > REPEAT_MOST) {
        return 0;
    }
    for (int64_t i = 0; i < count; i++) {
        buf_add(out, at + 2, (size_t)(star - at - 2));
    }
    return (size_t)(end + 2 - at);
}

static bool unescape(struct arena *arena, const char *text, struct attack *attack,
                     struct err *err)
{
    struct buf buf;
    buf_init(&buf, STATEMENT_MOST);
    bool ok = true;
    for (const char *at = text; *at && ok;) {
        size_t taken = 1;
        if (*at == '%') {
            int high = str_hex_digit(at[1]);
            int low = high >= 0 ? str_hex_digit(at[2]) : -1;
            char byte = (char)(high * 16 + low);
            ok = low >= 0;
            buf_add(&buf, &byte, 1);
            taken = 3;
        } else if (str_starts(at, "{{")) {
            taken = add_repeated(&buf, at);
            ok = taken > 0;
        } else {
            buf_add(&buf, at, 1);
        }
        at += ok ? taken : 0;
    }
    attack->size = buf.size;
    attack->sql = arena_copy(arena, buf_get(&buf), buf.size);
    buf_release(&buf);
    return ok || corpus_error(err, attack->line, "an escape is %XX or {{text*count}}");
}

static bool finish(struct arena *arena, struct attack *attack, const char *body,
                   bool escaped, struct err *err)
{
    if (!body || str_empty(body)) {
        return corpus_error(err, attack->line, "there is no statement");
    }
    attack->sql = body;
    attack->size = strlen(body);
    return !escaped || unescape(arena, body, attack, err);
}

bool attacks_parse(struct arena *arena, const char *text, size_t size,
                   struct attacks *out, struct err *err)
{
    struct texts lines = {0};
    str_split(arena, arena_copy(arena, text, size), '\n', &lines);
    struct attack *attack = NULL;
    bool escaped = false;
    char *body = NULL;
    for (size_t i = 0; i < lines.count; i++) {
        const char *line = lines.items[i];
        if (!str_starts(line, "--- ")) {
            if (attack && !(i + 1 == lines.count && !*line)) {
                body = body ? arena_format(arena, "%s\n%s", body, line)
                            : arena_text(arena, line);
            }
            continue; /* lines before the first header are for readers */
        }
        if (attack && !finish(arena, attack, body, escaped, err)) {
            return false;
        }
        attack = VEC_ADD(arena, out);
        attack->line = i + 1;
        body = NULL;
        if (!parse_header(arena, line + 4, attack, &escaped, err)) {
            return false;
        }
    }
    return !attack || finish(arena, attack, body, escaped, err);
}
