/* What ODBC drivers say, in our words. The class (SQLSTATE) decides where it is told. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/odbc/odbc_driver.h"
#include "sql/lexer.h"

struct state_class {
    const char *state; /* five characters, or the first two for a whole class */
    enum err_code code;
    const char *message;
};

static const struct state_class classes[] = {
    {"25006", ERR_UNSAFE, "The statement would change the database."},
    {"42501", ERR_ACCESS, "The database user may not read this."},
    {"28", ERR_ACCESS, "The database refused the user name or the password."},
    {"08001", ERR_DATASOURCE_UNREACHABLE, "The database server cannot be reached."},
    {"08004", ERR_ACCESS, "The database refused the user name or the password."},
    {"08", ERR_DATASOURCE_UNREACHABLE, "The connection to the database was lost."},
    {"57014", ERR_TIMEOUT, "The query was ended on the server."},
    {"57", ERR_DATASOURCE_UNREACHABLE, "The database server ended the connection."},
    {"HY008", ERR_TIMEOUT, "The query was ended on the server."},
    {"HYT", ERR_TIMEOUT, "The query took too long and was ended."},
    {"70100", ERR_TIMEOUT, "The query was ended on the server."},
    {"IM002", ERR_DATASOURCE_NOT_FOUND, "There is no such ODBC driver or DSN."},
    {"IM", ERR_DATASOURCE_NOT_FOUND, "The ODBC driver cannot be used."},
    {"01000", ERR_DATASOURCE_NOT_FOUND, "The ODBC driver cannot be loaded."},
    {"3D000", ERR_DATASOURCE_NOT_FOUND, "The server has no such database."},
    {"53300", ERR_DATASOURCE_UNREACHABLE, "The database has too many connections."},
    {"40", ERR_DATABASE_LOCKED, "The query conflicts with a concurrent change."},
    {"55", ERR_DATABASE_LOCKED, "A table is locked by another session."},
};

/* Numbers and words of drivers that give everything one class. */
struct word_class {
    const char *part;
    enum err_code code;
    const char *message;
};

static const struct word_class words[] = {
    {"READ ONLY transaction", ERR_UNSAFE, "The statement would change the database."},
    {"read-only transaction", ERR_UNSAFE, "The statement would change the database."},
    {"readonly database", ERR_UNSAFE, "The statement would change the database."},
    {"Unknown database", ERR_DATASOURCE_NOT_FOUND, "The server has no such database."},
    {"Access denied", ERR_ACCESS, "The database refused the user name or the password."},
    {"command denied", ERR_ACCESS, "The database user may not read this."},
    {"permission denied", ERR_ACCESS, "The database user may not read this."},
    {"password authentication failed", ERR_ACCESS,
     "The database refused the user name or the password."},
    {"Lost connection", ERR_DATASOURCE_UNREACHABLE,
     "The connection to the database was lost."},
    {"gone away", ERR_DATASOURCE_UNREACHABLE, "The connection to the database was lost."},
    {"Connection was killed", ERR_DATASOURCE_UNREACHABLE,
     "The database server ended the connection."},
    {"terminating connection", ERR_DATASOURCE_UNREACHABLE,
     "The database server ended the connection."},
    {"server closed the connection", ERR_DATASOURCE_UNREACHABLE,
     "The connection to the database was lost."},
    {"could not connect", ERR_DATASOURCE_UNREACHABLE,
     "The database server cannot be reached."},
    {"Can't connect", ERR_DATASOURCE_UNREACHABLE,
     "The database server cannot be reached."},
    {"does not exist, or the database", ERR_DATASOURCE_NOT_FOUND,
     "The server has no such database."},
    {"execution was interrupted", ERR_TIMEOUT, "The query was ended on the server."},
    {"interrupted", ERR_TIMEOUT, "The query was ended on the server."},
    {"unable to open database", ERR_DATASOURCE_NOT_FOUND,
     "The database file cannot be opened."},
    {"database is locked", ERR_DATABASE_LOCKED, "A table is locked by another session."},
    {"not a database", ERR_NOT_A_DATABASE, "The file is not a database."},
};

bool odbc_lost(const struct err *err)
{
    return err->code == ERR_DATASOURCE_UNREACHABLE;
}

/* The name behind `before`: without quotes, qualifiers and what follows. */
static bool named(const char *message, const char *before, char name[128])
{
    const char *from = before ? strstr(message, before) : NULL;
    if (!from) {
        return false;
    }
    from += strlen(before);
    char quote = *from == '"' || *from == '\'' || *from == '`' ? *from++ : '\0';
    char ends[2] = {quote, '\0'};
    size_t size = strcspn(from, quote ? ends : " (;,\n");
    for (const char *at = from; at < from + size; at++) {
        if (*at == '.' && at + 1 < from + size) {
            size -= (size_t)(at + 1 - from);
            from = at + 1;
        }
    }
    size = utf8_cut(from, size, size < 127 ? size : 127);
    memcpy(name, from, size);
    name[size] = '\0';
    return size > 0;
}

static int place_of(enum dialect dialect, const char *sql, const char *name)
{
    struct arena *arena = arena_new();
    struct tokens tokens;
    int place = -1;
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    for (size_t i = 0; i < tokens.count && place < 0; i++) {
        const struct token *token = &tokens.items[i];
        if ((token->kind == TOKEN_WORD || token->kind == TOKEN_NAME) &&
            str_equal_nocase(token->text, name)) {
            place = (int)token->start;
        }
    }
    arena_free(arena);
    return place;
}

static void phrase_invalid(const struct odbc_product *product, const char *message,
                           const char *sql, struct err *err)
{
    char name[128] = "";
    enum dialect dialect = product ? product->dialect : DIALECT_ODBC;
    if (product && named(message, product->function_missing, name)) {
        (void)err_set(err, ERR_INVALID_SQL,
                      "Function '%s' does not exist for these arguments.", name);
    } else if (product && named(message, product->column_missing, name)) {
        (void)err_set(err, ERR_INVALID_SQL, "Column '%s' does not exist.", name);
    } else if (product && named(message, product->table_missing, name)) {
        (void)err_set(err, ERR_INVALID_SQL, "Table '%s' does not exist.", name);
    } else if (named(message, "near ", name) ||
               str_contains_nocase(message, "syntax error")) {
        size_t end = strcspn(name, " \n");
        name[end] = '\0';
        (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error near '%s'.",
                      name);
    } else {
        (void)err_set(err, ERR_INVALID_SQL, "The database did not accept the SQL.");
    }
    err->position = name[0] ? place_of(dialect, sql, name) : -1;
}

bool odbc_fail(const struct odbc_product *product, SQLSMALLINT kind, SQLHANDLE handle,
               const char *sql, struct err *err)
{
    SQLCHAR class[6] = "";
    SQLCHAR text[600] = "";
    SQLINTEGER native = 0;
    SQLSMALLINT size = 0;
    if (!SQL_SUCCEEDED(odbc.GetDiagRec(kind, handle, 1, class, &native, text,
                                       (SQLSMALLINT)sizeof text, &size))) {
        (void)snprintf((char *)text, sizeof text, "no reason given");
    }
    const char *message = (const char *)text;
    bool connecting = kind == SQL_HANDLE_DBC;
    if (connecting && str_contains_nocase(message, "database") &&
        str_contains_nocase(message, "does not exist")) {
        return err_set(err, ERR_DATASOURCE_NOT_FOUND, "The server has no such database.");
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(message, words[i].part)) {
            (void)err_set(err, words[i].code, "%s", words[i].message);
            return connecting ? false : err_detail(err, "%s", message);
        }
    }
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (str_starts((const char *)class, classes[i].state)) {
            (void)err_set(err, classes[i].code, "%s", classes[i].message);
            return connecting ? false : err_detail(err, "%s", message);
        }
    }
    if (connecting) { /* its words may hold the connection string */
        return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                       "The database cannot be reached over ODBC.");
    }
    phrase_invalid(product, message, sql, err);
    return err_detail(err, "%s", message);
}
