/* The guard's front: one statement, of which kind; and the small tools of its walk. */
#include "sql/guard.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "sql/guard/guard_state.h"

static const char dialect_letters[DIALECT_COUNT + 1] = "sdpmcbo";

bool guard_refuse(struct guard *guard, const struct token *token, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    guard->out->reason = arena_vformat(guard->arena, format, args);
    va_end(args);
    guard->out->verdict = GUARD_REFUSED;
    guard->out->position = token ? (int)token->start : -1;
    guard->out->word = token && token->text[0] ? token->text : NULL;
    return false;
}

bool guard_unexpected(struct guard *guard, const struct token *token)
{
    guard->out->unparsable = true;
    return guard_refuse(guard, token, "The query could not be read at '%.60s'.",
                        token->text);
}

bool guard_enter(struct guard *guard, const struct sql_node *node)
{
    if (guard->depth >= GUARD_MAX_DEPTH) {
        return guard_refuse(guard, guard_first(guard, node),
                            "The query is nested too deeply.");
    }
    guard->depth++;
    return true;
}

const struct token *guard_token(const struct guard *guard, size_t position)
{
    const struct tokens *tokens = &guard->statement->tokens;
    size_t from = 0;
    size_t to = tokens->count; /* an end token stands there */
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (tokens->items[middle].start < position) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return &tokens->items[from];
}

const struct token *guard_last(const struct guard *guard, const struct sql_node *node)
{
    const struct token *behind = guard_token(guard, node->end);
    return behind > guard->statement->tokens.items ? behind - 1 : behind;
}

void guard_note(struct guard *guard, struct texts *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], text) == 0) {
            return;
        }
    }
    if (list->count >= GUARD_MAX_NAMES) {
        guard->flooded = true;
        return;
    }
    VEC_PUSH(guard->arena, list, text);
}

void guard_miss(struct guard *guard, const struct guard_miss *miss)
{
    if (guard->out->misses.count < GUARD_MAX_NAMES) {
        VEC_PUSH(guard->arena, &guard->out->misses, *miss);
    }
}

/* First words that are SQL, but nothing that reads rows. */
static const char *const other_statements[] = {
    "abort",    "alter",      "analyze",  "analyse",   "attach",   "begin",
    "binlog",   "cache",      "call",     "change",    "check",    "checkpoint",
    "checksum", "close",      "cluster",  "comment",   "commit",   "copy",
    "create",   "deallocate", "declare",  "delimiter", "desc",     "describe",
    "detach",   "discard",    "do",       "drop",      "end",      "exchange",
    "exec",     "execute",    "explain",  "export",    "fetch",    "flush",
    "force",    "get",        "grant",    "handler",   "help",     "if",
    "import",   "install",    "kill",     "listen",    "load",     "lock",
    "merge",    "move",       "notify",   "open",      "optimize", "pivot",
    "pragma",   "prepare",    "purge",    "reassign",  "refresh",  "reindex",
    "release",  "rename",     "repair",   "replace",   "reset",    "revoke",
    "rollback", "savepoint",  "security", "set",       "show",     "shutdown",
    "signal",   "start",      "stop",     "summarize", "system",   "table",
    "truncate", "undrop",     "unlisten", "unlock",    "unpivot",  "upsert",
    "use",      "vacuum",     "watch",    "xa",
};

static char *upper(struct arena *arena, const char *text)
{
    char *copy = arena_text(arena, text);
    for (char *c = copy; *c; c++) {
        *c = (char)toupper((unsigned char)*c);
    }
    return copy;
}

static bool refuse_statement(struct guard *guard, const struct token *first)
{
    if (first->kind == TOKEN_WORD) {
        char *word = upper(guard->arena, first->text);
        for (size_t i = 0; i < sizeof other_statements / sizeof *other_statements; i++) {
            if (token_is(first, other_statements[i])) {
                guard->out->statement = word;
                return guard_refuse(guard, first,
                                    "%s is not allowed: dragoman only reads.", word);
            }
        }
    }
    guard->out->unparsable = true;
    return guard_refuse(guard, first,
                        "This is not a query: it should begin with SELECT or WITH.");
}

static bool is_write(const struct token *first)
{
    return first->keyword == KEYWORD_insert || first->keyword == KEYWORD_update ||
           first->keyword == KEYWORD_delete;
}

static bool is_query(const struct guard *guard, const struct token *first)
{
    return first->keyword == KEYWORD_select || first->keyword == KEYWORD_with ||
           first->keyword == KEYWORD_values || token_is_punct(first, "(") ||
           (first->keyword == KEYWORD_from && guard_dialect(guard, "d"));
}

/* A dangerous function called before the token; NULL: none. A text that calls one is more
 * than a slip of the pen, even if it cannot be read to its end. */
static const struct token *danger_before(const struct guard *guard,
                                         const struct token *end)
{
    for (const struct token *at = guard->statement->tokens.items; at < end; at++) {
        bool word = at->kind == TOKEN_WORD || at->kind == TOKEN_NAME;
        if (word && token_is_punct(at + 1, "(") && function_danger(at->text) &&
            !function_find(guard->dialect, at->text)) {
            return at;
        }
    }
    return NULL;
}

/* What could not be read: the reader has said why. */
static void refuse_unread(struct guard *guard)
{
    const struct sql_statement *statement = guard->statement;
    const struct token *token =
        statement->placed ? guard_token(guard, statement->position) : NULL;
    const struct token *danger =
        token && statement->single ? danger_before(guard, token) : NULL;
    if (danger) {
        (void)guard_call_refuse(guard, danger, false);
        return;
    }
    guard_refuse(guard, token, "%s", statement->reason);
    guard->out->unparsable = statement->malformed;
    if (token && token->kind == TOKEN_BAD) {
        guard->out->word = NULL;
    }
}

static bool check_statement(struct guard *guard)
{
    struct guard_result *out = guard->out;
    const struct sql_node *root = guard->statement->root;
    const struct token *first = guard->statement->tokens.items;
    if (is_write(first)) {
        out->statement = upper(guard->arena, first->text);
        out->verdict = GUARD_WRITE;
    } else if (is_query(guard, first)) {
        out->statement = first->keyword == KEYWORD_values ? "VALUES" : "SELECT";
        out->verdict = GUARD_READ;
    } else {
        return refuse_statement(guard, first);
    }
    if (!root) {
        refuse_unread(guard);
        return false;
    }
    return is_write(first) ? guard_write(guard, root) : guard_query(guard, root);
}

static void check_whole(struct guard *guard)
{
    const struct tokens *tokens = &guard->statement->tokens;
    if (!check_statement(guard)) {
        return;
    }
    if (guard->flooded || guard_expands_too_far(guard->statement->root)) {
        guard_refuse(guard, NULL, "The query names too many tables or columns.");
    } else if (guard->missing) {
        guard->out->verdict = GUARD_REFUSED;
    } else if (guard_crash(guard)) {
        guard->out->verdict = GUARD_REFUSED;
    } else if (guard_session(guard) && guard_own(guard, tokens)) {
        guard_second(guard, guard->out->sql, tokens->items[0].start);
    }
    if (guard->out->verdict == GUARD_WRITE) {
        guard_refuse(guard, tokens->items, "%s changes data and needs approval.",
                     guard->out->statement);
        guard->out->verdict = GUARD_WRITE;
    }
}

void guard_check_statement(struct arena *arena, const struct sql_statement *statement,
                           const struct schema *schema, struct guard_result *out)
{
    *out = (struct guard_result){.verdict = GUARD_REFUSED,
                                 .reason = "",
                                 .position = -1,
                                 .statement = "",
                                 .sql = ""};
    struct guard guard = {.arena = arena,
                          .dialect = statement->dialect,
                          .schema = schema,
                          .out = out,
                          .statement = statement,
                          .text = statement->text};
    if ((unsigned)statement->dialect >= DIALECT_COUNT) {
        guard_refuse(&guard, NULL, "The dialect is unknown.");
        return;
    }
    guard.letter = dialect_letters[statement->dialect];
    if (!statement->single) {
        refuse_unread(&guard);
        return;
    }
    const struct tokens *tokens = &statement->tokens;
    size_t start = tokens->items[0].start;
    out->sql = arena_copy(arena, statement->text + start,
                          tokens->items[tokens->count - 1].end - start);
    check_whole(&guard);
}

void guard_check(struct arena *arena, enum dialect dialect, const char *sql, size_t size,
                 const struct schema *schema, struct guard_result *out)
{
    struct sql_statement statement = {.dialect = dialect};
    if ((unsigned)dialect < DIALECT_COUNT) {
        (void)sql_statement_read(arena, dialect, sql, size, &statement);
    }
    guard_check_statement(arena, &statement, schema, out);
}
