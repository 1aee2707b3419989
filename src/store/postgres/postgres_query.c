/*
 * The statements of queries.def on PostgreSQL: prepared at first use, values in binary.
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/postgres/postgres_backend.h"

enum { VALUES_MOST = 16, TEXT_MOST = 2048, BINARY = 1 };

/* Types by their numbers in the catalog, which never change. */
enum { TYPE_BYTES = 17, TYPE_INTEGER = 20, TYPE_TEXT = 25, TYPE_REAL = 701 };

static const char *const texts[] = {
#define QUERY(name, text)                  text,
#define QUERY_BOTH(name, sqlite, postgres) postgres,
#include "store/queries.def"
#undef QUERY
#undef QUERY_BOTH
};

struct values {
    int count;
    Oid types[VALUES_MOST];
    const char *data[VALUES_MOST];
    int sizes[VALUES_MOST];
    int formats[VALUES_MOST];
    unsigned char numbers[VALUES_MOST][8];
};

static void put_number(struct values *values, uint64_t number)
{
    unsigned char *out = values->numbers[values->count];
    for (int i = 7; i >= 0; i--) {
        out[i] = (unsigned char)(number & 0xff);
        number >>= 8;
    }
    values->data[values->count] = (const char *)out;
    values->sizes[values->count] = 8;
}

static void put_one(struct values *values, char kind, va_list *args)
{
    int at = values->count;
    values->formats[at] = BINARY;
    if (kind == 'i') {
        values->types[at] = TYPE_INTEGER;
        put_number(values, (uint64_t)va_arg(*args, int64_t));
    } else if (kind == 'r') {
        double real = va_arg(*args, double);
        uint64_t bits = 0;
        memcpy(&bits, &real, sizeof bits);
        values->types[at] = TYPE_REAL;
        put_number(values, bits);
    } else {
        const char *text = va_arg(*args, const char *);
        size_t size = kind != 't' ? va_arg(*args, size_t) : text ? strlen(text) : 0;
        values->types[at] = kind == 'x' ? TYPE_BYTES : TYPE_TEXT;
        values->data[at] = text || kind != 'x' ? text : "";
        values->sizes[at] = size > INT32_MAX ? INT32_MAX : (int)size;
    }
    values->count++;
}

/* ?1 is $1 there. No statement has a question mark of its own. */
static void translate(const char *text, char out[TEXT_MOST])
{
    size_t size = strlen(text);
    assert(size < TEXT_MOST);
    for (size_t i = 0; i <= size; i++) {
        out[i] = text[i] == '?' && isdigit((unsigned char)text[i + 1]) ? '$' : text[i];
    }
}

static bool postgres_query_prepare(struct postgres_connection *own,
                                   enum store_query query, const struct values *values,
                                   const char *name, struct err *err)
{
    char text[TEXT_MOST];
    translate(texts[query], text);
    PGresult *result = PQprepare(own->link, name, text, values->count, values->types);
    bool ok =
        PQresultStatus(result) == PGRES_COMMAND_OK || store_postgres_fail(result, err);
    PQclear(result);
    own->cursors[query].prepared = ok;
    return ok;
}

static PGresult *execute(struct postgres_connection *own, enum store_query query,
                         const struct values *values, struct err *err)
{
    char name[16];
    (void)snprintf(name, sizeof name, "q%d", (int)query);
    if (!store_postgres_ready(own, err) ||
        (!own->cursors[query].prepared &&
         !postgres_query_prepare(own, query, values, name, err))) {
        return NULL;
    }
    PGresult *result = PQexecPrepared(own->link, name, values->count, values->data,
                                      values->sizes, values->formats, BINARY);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        (void)store_postgres_fail(result, err);
        PQclear(result);
        return NULL;
    }
    return result;
}

/* Whether it changes nothing, however often it is begun. */
static bool is_harmless(enum store_query query)
{
    return query == QUERY_BEGIN || strncmp(texts[query], "SELECT", 6) == 0;
}

/* A link may be cut between the look at it and the statement: what was not in a
 * transaction and changes nothing is said once more, on a new one. */
static PGresult *execute_surely(struct postgres_connection *own, enum store_query query,
                                const struct values *values, struct err *err)
{
    bool again =
        is_harmless(query) && own->link && PQtransactionStatus(own->link) == PQTRANS_IDLE;
    PGresult *result = execute(own, query, values, err);
    if (!result && again && own->link && PQstatus(own->link) != CONNECTION_OK) {
        err_clear(err);
        result = execute(own, query, values, err);
    }
    return result;
}

struct store_cursor *store_postgres_start(struct store_connection *connection,
                                          enum store_query query, struct err *err,
                                          const char *format, va_list args)
{
    struct postgres_connection *own = (struct postgres_connection *)connection;
    struct postgres_cursor *cursor = &own->cursors[query];
    struct values values = {.count = 0};
    va_list rest;
    va_copy(rest, args);
    assert(strlen(format) <= VALUES_MOST);
    for (; *format; format++) {
        put_one(&values, *format, &rest);
    }
    va_end(rest);
    PGresult *result = execute_surely(own, query, &values, err);
    if (!result) {
        return NULL;
    }
    own->changes = strtoll(PQcmdTuples(result), NULL, 10);
    cursor->head.connection = connection;
    cursor->result = result;
    cursor->row = -1;
    return &cursor->head;
}

enum store_step store_postgres_next(struct store_cursor *cursor, struct err *err)
{
    struct postgres_cursor *own = (struct postgres_cursor *)cursor;
    (void)err;
    own->row++;
    return own->row < PQntuples(own->result) ? STORE_STEP_ROW : STORE_STEP_END;
}

void store_postgres_end(struct store_cursor *cursor)
{
    struct postgres_cursor *own = (struct postgres_cursor *)cursor;
    PQclear(own->result);
    own->result = NULL;
}

const char *store_postgres_text(struct store_cursor *cursor, int column, size_t *size)
{
    struct postgres_cursor *own = (struct postgres_cursor *)cursor;
    *size = 0;
    if (PQgetisnull(own->result, own->row, column)) {
        return NULL;
    }
    *size = (size_t)PQgetlength(own->result, own->row, column);
    return PQgetvalue(own->result, own->row, column);
}

/* A truth has one byte, counts have eight. */
static uint64_t number_at(struct store_cursor *cursor, int column)
{
    size_t size = 0;
    const char *bytes = store_postgres_text(cursor, column, &size);
    uint64_t number = size && size < 8 && (bytes[0] & 0x80) ? UINT64_MAX : 0;
    for (size_t i = 0; i < size && i < 8; i++) {
        number = number << 8 | (unsigned char)bytes[i];
    }
    return number;
}

int64_t store_postgres_integer(struct store_cursor *cursor, int column)
{
    return (int64_t)number_at(cursor, column);
}

double store_postgres_real(struct store_cursor *cursor, int column)
{
    uint64_t bits = number_at(cursor, column);
    double real = 0;
    memcpy(&real, &bits, sizeof real);
    return real;
}

int64_t store_postgres_changes(struct store_connection *connection)
{
    return ((struct postgres_connection *)connection)->changes;
}
