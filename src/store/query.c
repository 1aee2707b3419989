/* Statements, run by whichever database the connection leads to. */
#include "base/arena.h"
#include "store/tables/table.h"

struct store_cursor *store_query_start(struct store_connection *connection,
                                       enum store_query query, struct err *err,
                                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct store_cursor *cursor =
        connection->backend->start(connection, query, err, format, args);
    va_end(args);
    return cursor;
}

bool store_query_next(struct store_connection *connection, struct store_cursor *cursor,
                      struct err *err)
{
    return connection->backend->next(cursor, err) == STORE_STEP_ROW;
}

void store_query_end(struct store_cursor *cursor)
{
    if (cursor) {
        cursor->connection->backend->end(cursor);
    }
}

bool store_query_run(struct store_connection *connection, enum store_query query,
                     struct err *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct store_cursor *cursor =
        connection->backend->start(connection, query, err, format, args);
    va_end(args);
    if (!cursor) {
        return false;
    }
    enum store_step step = connection->backend->next(cursor, err);
    store_query_end(cursor);
    return step != STORE_STEP_FAILED;
}

const char *store_query_text(struct store_cursor *cursor, int column, struct arena *arena)
{
    size_t size = 0;
    const char *text = cursor->connection->backend->text(cursor, column, &size);
    return text ? arena_copy(arena, text, size) : NULL;
}

const char *store_query_borrow(struct store_cursor *cursor, int column)
{
    size_t size = 0;
    return cursor->connection->backend->text(cursor, column, &size);
}

size_t store_query_size(struct store_cursor *cursor, int column)
{
    size_t size = 0;
    (void)cursor->connection->backend->text(cursor, column, &size);
    return size;
}

int64_t store_query_integer(struct store_cursor *cursor, int column)
{
    return cursor->connection->backend->integer(cursor, column);
}

double store_query_real(struct store_cursor *cursor, int column)
{
    return cursor->connection->backend->real(cursor, column);
}

int64_t store_query_changes(struct store_connection *connection)
{
    return connection->backend->changes(connection);
}

bool store_in_transaction(struct store_connection *connection,
                          bool (*work)(struct store_connection *connection,
                                       const void *context, struct err *err),
                          const void *context, struct err *err)
{
    if (!store_query_run(connection, QUERY_BEGIN, err, "")) {
        return false;
    }
    if (work(connection, context, err) &&
        store_query_run(connection, QUERY_COMMIT, err, "")) {
        return true;
    }
    struct err ignored = {0};
    (void)store_query_run(connection, QUERY_ROLLBACK, &ignored, "");
    return false;
}
