/* The last few queries that this thread put into words, or counted. */
#include "sql/describe_memory.h"

#include <string.h>

#include "base/arena.h"
#include "sql/describe.h"

enum { QUERIES = 4, TEXT_MOST = 400 };

struct described {
    enum dialect dialect;
    char sql[TEXT_MOST];  /* "": nothing here */
    char said[TEXT_MOST]; /* with its NUL, as the text; "": not said yet */
    bool shaped;          /* is the shape known? */
    struct sql_shape shape;
};

static _Thread_local struct described memory[QUERIES];
static _Thread_local size_t oldest;

static struct described *find(enum dialect dialect, const char *sql)
{
    for (size_t i = 0; i < QUERIES; i++) {
        struct described *one = &memory[i];
        if (*one->sql && one->dialect == dialect && strcmp(one->sql, sql) == 0) {
            return one;
        }
    }
    return NULL;
}

/* Where it may be noted; NULL: it is too long. */
static struct described *place(enum dialect dialect, const char *sql)
{
    struct described *one = find(dialect, sql);
    size_t size = strnlen(sql, TEXT_MOST);
    if (one || size == 0 || size == TEXT_MOST) {
        return one;
    }
    one = &memory[oldest];
    oldest = (oldest + 1) % QUERIES;
    *one = (struct described){.dialect = dialect};
    memcpy(one->sql, sql, size + 1);
    return one;
}

char *describe_recall(struct arena *arena, enum dialect dialect, const char *sql)
{
    const struct described *one = find(dialect, sql);
    return one && *one->said ? arena_text(arena, one->said) : NULL;
}

void describe_remember(enum dialect dialect, const char *sql, const char *said)
{
    size_t size = strnlen(said, TEXT_MOST);
    struct described *one = size < TEXT_MOST ? place(dialect, sql) : NULL;
    if (one) {
        memcpy(one->said, said, size + 1);
    }
}

bool describe_recall_shape(enum dialect dialect, const char *sql, struct sql_shape *out)
{
    const struct described *one = find(dialect, sql);
    if (!one || !one->shaped) {
        return false;
    }
    *out = one->shape;
    return true;
}

void describe_remember_shape(enum dialect dialect, const char *sql,
                             const struct sql_shape *shape)
{
    struct described *one = place(dialect, sql);
    if (one) {
        one->shape = *shape;
        one->shaped = true;
    }
}
