/* The guard's front: one statement, of which kind, and the small tools of its parser. */
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

bool guard_unexpected(struct guard *guard)
{
    const struct token *token = guard->at;
    guard->out->unparsable = true;
    if (token->kind == TOKEN_END) {
        return guard_refuse(guard, token, "The query ends too early.");
    }
    if (token->kind == TOKEN_PARAM || token_is_punct(token, ":")) {
        guard->out->unparsable = false;
        return guard_refuse(
            guard, token, "Placeholders and variables are not allowed: write the value.");
    }
    return guard_refuse(guard, token, "The query could not be read at '%.60s'.",
                        token->text);
}

bool guard_enter(struct guard *guard)
{
    if (guard->depth >= GUARD_MAX_DEPTH) {
        return guard_refuse(guard, guard->at, "The query is nested too deeply.");
    }
    guard->depth++;
    return true;
}

bool guard_at(const struct guard *guard, enum keyword keyword)
{
    return guard->at->keyword == keyword;
}

bool guard_next_is(const struct guard *guard, enum keyword keyword)
{
    return guard->at->kind != TOKEN_END && guard->at[1].keyword == keyword;
}

bool guard_take(struct guard *guard, enum keyword keyword)
{
    if (guard->at->keyword != keyword) {
        return false;
    }
    guard->at++;
    return true;
}

static bool is_char(const struct token *token, char c)
{
    return token->kind == TOKEN_PUNCT && token->text[0] == c && token->text[1] == '\0';
}

bool guard_at_char(const struct guard *guard, char c)
{
    return is_char(guard->at, c);
}

bool guard_next_char(const struct guard *guard, char c)
{
    return guard->at->kind != TOKEN_END && is_char(guard->at + 1, c);
}

bool guard_take_char(struct guard *guard, char c)
{
    if (!is_char(guard->at, c)) {
        return false;
    }
    guard->at++;
    return true;
}

bool guard_expect_char(struct guard *guard, char c)
{
    return guard_take_char(guard, c) || guard_unexpected(guard);
}

bool guard_at_text(const struct guard *guard, const char *word)
{
    return token_is(guard->at, word);
}

bool guard_take_text(struct guard *guard, const char *word)
{
    if (!token_is(guard->at, word)) {
        return false;
    }
    guard->at++;
    return true;
}

bool guard_at_name(const struct guard *guard)
{
    return guard->at->kind == TOKEN_NAME ||
           (guard->at->kind == TOKEN_WORD && !keyword_reserved(guard->at->keyword));
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

static bool refuse_statement(struct guard *guard)
{
    const struct token *first = guard->at;
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

static bool check_statement(struct guard *guard)
{
    struct guard_result *out = guard->out;
    if (guard_at(guard, KEYWORD_insert) || guard_at(guard, KEYWORD_update) ||
        guard_at(guard, KEYWORD_delete)) {
        out->statement = upper(guard->arena, guard->at->text);
        out->verdict = GUARD_WRITE;
        return guard_write(guard);
    }
    if (!guard_at_query(guard) && !guard_at_char(guard, '(')) {
        return refuse_statement(guard);
    }
    out->statement = guard_at(guard, KEYWORD_values) ? "VALUES" : "SELECT";
    out->verdict = GUARD_READ;
    return guard_query(guard);
}

/*
 * MariaDB 10.11 ends, for everybody, when a column of three names is not found in a query
 * with NATURAL JOIN or USING. Whether it would be found is not certain here: spelling and
 * the name of the database matter.
 */
static bool ends_server(const struct guard *guard, const struct tokens *tokens)
{
    bool merges = false;
    for (size_t i = 0; i < tokens->count && !merges; i++) {
        enum keyword keyword = tokens->items[i].keyword;
        merges = keyword == KEYWORD_natural || keyword == KEYWORD_using;
    }
    return merges && guard->long_name && guard_dialect(guard, "mo");
}

/* The statement ends where the tokens do: what is left over belongs to no query we know.
 */
static void check_tokens(struct guard *guard, const struct tokens *tokens)
{
    if (!check_statement(guard)) {
        return;
    }
    if (guard->at->kind != TOKEN_END) {
        guard_unexpected(guard);
        return;
    }
    if (guard->flooded) {
        guard_refuse(guard, NULL, "The query names too many tables or columns.");
    } else if (guard->missing) {
        guard->out->verdict = GUARD_REFUSED;
    } else if (ends_server(guard, tokens)) {
        guard_refuse(guard, guard->long_name,
                     "Name the column with its table alone, as in table.column: a longer "
                     "name beside NATURAL JOIN or USING can bring MariaDB down.");
    } else if (guard_own(guard, tokens)) {
        guard_second(guard, guard->out->sql, tokens->items[0].start);
    }
    if (guard->out->verdict == GUARD_WRITE) {
        guard_refuse(guard, tokens->items, "%s changes data and needs approval.",
                     guard->out->statement);
        guard->out->verdict = GUARD_WRITE;
    }
}

/* Cuts the trailing ';'. A ';' anywhere else is a second statement. */
static bool one_statement(struct guard *guard, struct tokens *tokens)
{
    while (tokens->count && token_is_punct(&tokens->items[tokens->count - 1], ";")) {
        tokens->count--;
        tokens->items[tokens->count].kind = TOKEN_END;
        tokens->items[tokens->count].text = "";
    }
    for (size_t i = 0; i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        if (token_is_punct(token, ";")) {
            return guard_refuse(guard, token, "Only one statement at a time is allowed.");
        }
    }
    if (tokens->count == 0) {
        guard->out->unparsable = true;
        return guard_refuse(guard, NULL, "There is no SQL statement.");
    }
    return true;
}

static bool readable(struct guard *guard, const struct tokens *tokens)
{
    const struct token *last = tokens->count ? &tokens->items[tokens->count - 1] : NULL;
    if (last && last->kind == TOKEN_BAD) {
        guard->out->unparsable = true;
        guard_refuse(guard, last, "The text is not allowed: it contains %s.", last->text);
        guard->out->word = NULL;
        return false;
    }
    if (tokens->count > GUARD_MAX_TOKENS) {
        return guard_refuse(guard, NULL, "The query is too long.");
    }
    return true;
}

void guard_check(struct arena *arena, enum dialect dialect, const char *sql, size_t size,
                 const struct schema *schema, struct guard_result *out)
{
    *out = (struct guard_result){.verdict = GUARD_REFUSED,
                                 .reason = "",
                                 .position = -1,
                                 .statement = "",
                                 .sql = ""};
    struct guard guard = {
        .arena = arena, .dialect = dialect, .schema = schema, .out = out, .text = sql};
    if ((unsigned)dialect >= DIALECT_COUNT) {
        guard_refuse(&guard, NULL, "The dialect is not known.");
        return;
    }
    guard.letter = dialect_letters[dialect];
    if (size > GUARD_MAX_BYTES) {
        guard_refuse(&guard, NULL, "The query is too long.");
        return;
    }
    struct tokens tokens = {0};
    lexer_run(arena, dialect, sql, size, &tokens);
    if (!readable(&guard, &tokens) || !one_statement(&guard, &tokens)) {
        return;
    }
    size_t start = tokens.items[0].start;
    out->sql = arena_copy(arena, sql + start, tokens.items[tokens.count - 1].end - start);
    guard.at = tokens.items;
    check_tokens(&guard, &tokens);
}
