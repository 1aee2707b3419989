/* Connections to a server: never more than allowed, and the last one is not for who has
 * one already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/memory.h"
#include "datasource/server/server_pool.h"

static atomic_int connected; /* now */

static struct server_session *
connect_one(void *state, const struct datasource_limits *limits, struct err *err)
{
    (void)state;
    (void)err;
    struct server_session *session = memory_alloc(sizeof *session);
    session->limits = limits;
    atomic_fetch_add(&connected, 1);
    return session;
}

static void disconnect_one(struct server_session *session)
{
    atomic_fetch_sub(&connected, 1);
    memory_free(session);
}

static bool is_alive(struct server_session *session, bool ask)
{
    (void)session;
    return !ask;
}

static bool is_clean(const struct server_session *session)
{
    return session != NULL;
}

static const struct server_kind kind = {.connect = connect_one,
                                        .disconnect = disconnect_one,
                                        .alive = is_alive,
                                        .clean = is_clean};

/* A query that runs until it is let go. */
struct query {
    struct server_pool *pool;
    const char *owner;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool runs;
    bool ends;
    bool ok;
};

static bool run_until_let_go(struct server_session *session, void *context,
                             struct err *err)
{
    (void)session;
    (void)err;
    struct query *query = context;
    (void)pthread_mutex_lock(&query->lock);
    query->runs = true;
    (void)pthread_cond_broadcast(&query->change);
    while (!query->ends) {
        (void)pthread_cond_wait(&query->change, &query->lock);
    }
    (void)pthread_mutex_unlock(&query->lock);
    return true;
}

static void *query_main(void *context)
{
    struct query *query = context;
    struct err err;
    err_clear(&err);
    struct datasource_limits limits = {.owner = query->owner};
    query->ok = server_pool_with(query->pool, &limits, run_until_let_go, query, &err);
    return NULL;
}

static void query_start(struct query *query, struct server_pool *pool, const char *owner)
{
    *query = (struct query){.pool = pool,
                            .owner = owner,
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .change = PTHREAD_COND_INITIALIZER};
    assert_int_equal(pthread_create(&query->thread, NULL, query_main, query), 0);
}

static void query_runs(struct query *query)
{
    (void)pthread_mutex_lock(&query->lock);
    while (!query->runs) {
        (void)pthread_cond_wait(&query->change, &query->lock);
    }
    (void)pthread_mutex_unlock(&query->lock);
}

static void query_end(struct query *query)
{
    (void)pthread_mutex_lock(&query->lock);
    query->ends = true;
    (void)pthread_cond_broadcast(&query->change);
    (void)pthread_mutex_unlock(&query->lock);
    (void)pthread_join(query->thread, NULL);
    assert_true(query->ok);
}

/* Would a connection be had now? The answer comes at once. */
static bool work_nothing(struct server_session *session, void *context, struct err *err)
{
    (void)err;
    (void)context;
    return session != NULL;
}

static bool gets_one(struct server_pool *pool, const char *owner)
{
    struct err err;
    err_clear(&err);
    struct datasource_limits limits = {.owner = owner, .deadline_ms = clock_ms() + 30};
    bool ok = server_pool_with(pool, &limits, work_nothing, NULL, &err);
    assert_true(ok || err.code == ERR_TIMEOUT);
    return ok;
}

static void one_account_leaves_a_connection_for_others(void **state)
{
    (void)state;
    struct server_pool pool = {0};
    struct query held[4];
    server_pool_init(&pool, &kind, NULL);
    pool.places.most = 4;
    for (size_t i = 0; i < 3; i++) {
        query_start(&held[i], &pool, "ann");
        query_runs(&held[i]);
    }
    assert_false(gets_one(&pool, "ann"));
    assert_true(gets_one(&pool, "bob"));
    assert_true(gets_one(&pool, NULL)); /* what is nobody's is in nobody's way */
    query_start(&held[3], &pool, "bob");
    query_runs(&held[3]);
    assert_false(gets_one(&pool, "carl")); /* there are no more */
    query_end(&held[0]);
    assert_false(gets_one(&pool, "bob")); /* the last one is for somebody else */
    assert_true(gets_one(&pool, "carl"));
    for (size_t i = 1; i < 4; i++) {
        query_end(&held[i]);
    }
    assert_true(gets_one(&pool, "ann"));
    assert_null(pool.places.holders);
    assert_int_equal(pool.places.held, 0);
    assert_int_equal(pool.open, 4);
    server_pool_release(&pool);
    assert_int_equal(connected, 0);
}

static void without_accounts_all_are_used(void **state)
{
    (void)state;
    static const char *const owners[] = {NULL, ""};
    for (size_t round = 0; round < 2; round++) {
        struct server_pool pool = {0};
        struct query held[4];
        server_pool_init(&pool, &kind, NULL);
        pool.places.most = 4;
        for (size_t i = 0; i < 4; i++) {
            query_start(&held[i], &pool, owners[round]);
            query_runs(&held[i]);
        }
        for (size_t i = 0; i < 4; i++) {
            query_end(&held[i]);
        }
        server_pool_release(&pool);
    }
}

/* One that needs two at a time must not wait for itself. */
static void of_few_none_is_kept(void **state)
{
    (void)state;
    struct server_pool pool = {0};
    struct query held[2];
    server_pool_init(&pool, &kind, NULL);
    pool.places.most = 2;
    for (size_t i = 0; i < 2; i++) {
        query_start(&held[i], &pool, "ann");
        query_runs(&held[i]);
    }
    for (size_t i = 0; i < 2; i++) {
        query_end(&held[i]);
    }
    server_pool_release(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_account_leaves_a_connection_for_others),
        cmocka_unit_test(without_accounts_all_are_used),
        cmocka_unit_test(of_few_none_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
