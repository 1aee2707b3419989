/* Asks a PostgreSQL server for the functions of the database's own (server_own.h). */
#include "datasource/postgres/postgres_driver.h"

#include "datasource/server/server_own.h"

/* All in one pipeline. */
static bool ask(struct postgres_session *session,
                const struct server_own_question *(*list)(size_t *count),
                struct server_own *work, struct err *err)
{
    enum { MOST = 8 };
    struct postgres_question questions[MOST];
    size_t count = 0;
    const struct server_own_question *own = list(&count);
    count = count < MOST ? count : MOST;
    for (size_t i = 0; i < count; i++) {
        questions[i] = (struct postgres_question){own[i].sql, own[i].row};
    }
    return postgres_ask(session, questions, count, work, err);
}

bool postgres_own(struct postgres_session *session, struct datasource *source,
                  struct schema *schema, struct err *err)
{
    const struct postgres_state *state = source->state;
    struct server_own work = {.schema = schema, .home = state->schema};
    return ask(session, server_own_named, &work, err) &&
           (state->allow_own_types || ask(session, server_own_unnamed, &work, err));
}
