/* What ODBC drivers say, in our words. The class (SQLSTATE) decides where it is told. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "datasource/failures.h"
#include "datasource/odbc/odbc_driver.h"

/* By SQLSTATE, five characters or the first two for a whole class. */
static const struct err_row classes[] = {
    {"25006", FAILS_WRITE, NULL},
    {"42501", FAILS_READ_RIGHT, NULL},
    {"28", FAILS_LOGIN, NULL},
    {"08001", FAILS_NO_SERVER, NULL},
    {"08004", FAILS_LOGIN, NULL},
    {"08", FAILS_LOST, NULL},
    {"57014", FAILS_ENDED, NULL},
    {"57", FAILS_CLOSED, NULL},
    {"HY008", FAILS_ENDED, NULL},
    {"HYT", FAILS_TOO_LONG, NULL},
    {"70100", FAILS_ENDED, NULL},
    {"IM002", ERR_DATASOURCE_NOT_FOUND, "There is no such ODBC driver or DSN.", NULL},
    {"IM", ERR_DATASOURCE_NOT_FOUND, "The ODBC driver cannot be used.", NULL},
    {"01000", ERR_DATASOURCE_NOT_FOUND, "The ODBC driver cannot be loaded.", NULL},
    {"3D000", FAILS_NO_DATABASE, NULL},
    {"53300", FAILS_CROWDED, NULL},
    {"40", FAILS_CONFLICT, NULL},
    {"55", FAILS_TABLE_LOCKED, NULL},
    {NULL, ERR_COUNT, NULL, NULL},
};

/* Numbers and words of drivers that give everything one class. */
static const struct err_row words[] = {
    {"READ ONLY transaction", FAILS_WRITE, NULL},
    {"read-only transaction", FAILS_WRITE, NULL},
    {"readonly database", FAILS_WRITE, NULL},
    {"Unknown database", FAILS_NO_DATABASE, NULL},
    {"Access denied", FAILS_LOGIN, NULL},
    {"command denied", FAILS_READ_RIGHT, NULL},
    {"permission denied", FAILS_READ_RIGHT, NULL},
    {"password authentication failed", FAILS_LOGIN, NULL},
    {"Lost connection", FAILS_LOST, NULL},
    {"gone away", FAILS_LOST, NULL},
    {"Connection was killed", FAILS_CLOSED, NULL},
    {"terminating connection", FAILS_CLOSED, NULL},
    {"server closed the connection", FAILS_LOST, NULL},
    {"could not connect", FAILS_NO_SERVER, NULL},
    {"Can't connect", FAILS_NO_SERVER, NULL},
    {"does not exist, or the database", FAILS_NO_DATABASE, NULL},
    {"execution was interrupted", FAILS_ENDED, NULL},
    {"interrupted", FAILS_ENDED, NULL},
    {"unable to open database", ERR_DATASOURCE_NOT_FOUND,
     "The database file cannot be opened.", NULL},
    {"database is locked", FAILS_TABLE_LOCKED, NULL},
    {"not a database", ERR_NOT_A_DATABASE, "The file is not a database.", NULL},
    {NULL, ERR_COUNT, NULL, NULL},
};

bool odbc_lost(const struct err *err)
{
    return err->code == ERR_DATASOURCE_UNREACHABLE;
}

/* The name behind a mark of the product, without qualifiers. */
static bool named(const char *message, const char *before, char name[FAILURE_NAME])
{
    char whole[FAILURE_NAME];
    bool found = failure_name_after(whole, message, before);
    (void)failure_name_copy(name, failure_last_part(whole),
                            strlen(failure_last_part(whole)));
    return found;
}

static void phrase_invalid(const struct odbc_product *product, const char *message,
                           const char *sql, struct err *err)
{
    char name[FAILURE_NAME] = "";
    enum dialect dialect = product ? product->dialect : DIALECT_ODBC;
    if (product && named(message, product->function_missing, name)) {
        (void)failure_tell_missing(FAILURE_FUNCTION_FOR, name, err);
    } else if (product && named(message, product->column_missing, name)) {
        (void)failure_tell_missing(FAILURE_COLUMN, name, err);
    } else if (product && named(message, product->table_missing, name)) {
        (void)failure_tell_missing(FAILURE_TABLE, name, err);
    } else if (named(message, "near ", name) ||
               str_contains_nocase(message, "syntax error")) {
        name[strcspn(name, " \n")] = '\0';
        (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error near '%s'.",
                      name);
    } else {
        (void)failure_tell_refused(err);
    }
    err->position = name[0] ? failure_place_of(dialect, sql, name) : -1;
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
        return err_set(err, FAILS_NO_DATABASE);
    }
    const struct err_row *row = err_rows_find(words, ERR_ROWS_WORDS, message);
    row = row ? row : err_rows_find(classes, ERR_ROWS_START, (const char *)class);
    if (row) {
        (void)err_rows_tell(row, err);
        return connecting ? false : err_detail(err, "%s", message);
    }
    if (connecting) { /* its words may hold the connection string */
        return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                       "The database cannot be reached over ODBC.");
    }
    phrase_invalid(product, message, sql, err);
    return err_detail(err, "%s", message);
}
