/* What only a store in PostgreSQL has: its versions, moves from one store to another, and
 * what it says when its database is not there. Needs DRAGOMAN_TEST_STORE_URL. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "conformance/store/place.h"
#include "store/store.h"

#ifdef DRAGOMAN_HAS_POSTGRES

#include "store/migrate.h"

static void must(bool ok, const struct err *err)
{
    if (!ok) {
        fail_msg("%s: %s (%s)", err_name(err->code), err->message, err->detail);
    }
}

static struct store *open_at(const char *url, struct err *err)
{
    struct options options = {.store_url = url, .store_commit_ms = 1};
    struct store *store = store_open(&options, err);
    must(store != NULL, err);
    return store;
}

static long number(PGconn *link, const char *sql)
{
    PGresult *result = PQexec(link, sql);
    assert_int_equal(PQresultStatus(result), PGRES_TUPLES_OK);
    long value = strtol(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    return value;
}

static void test_up_and_down(void **state)
{
    (void)state;
    struct err err;
    must(place_clear(&err), &err);
    PGconn *link = store_postgres_link(place_given(), &err);
    must(link != NULL, &err);
    static const char tables[] = "SELECT count(*) FROM pg_tables WHERE schemaname ="
                                 " 'dragoman' AND tablename <> 'store_version'";
    int version = -1;
    for (int round = 0; round < 2; round++) {
        for (int target = 1; target <= store_migrate_latest(); target++) {
            must(store_postgres_migrate(link, target, &err), &err);
            must(store_postgres_version(link, &version, &err), &err);
            assert_int_equal(version, target);
        }
        assert_true(number(link, tables) > 10);
        for (int target = store_migrate_latest() - 1; target >= 0; target--) {
            must(store_postgres_migrate(link, target, &err), &err);
        }
        assert_int_equal(number(link, tables), 0);
    }
    /* What is there stays, down one version and up again. */
    struct store *store = open_at(place_given(), &err);
    struct store_session session = {
        .id = "s1", .account = "ada", .created_at = 1, .last_activity = 1};
    must(store_session_create(store, &session, &err), &err);
    must(store_audit(store, "ada", "did", NULL, &err), &err);
    store_close(store);
    must(store_postgres_migrate(link, store_migrate_latest() - 1, &err), &err);
    store = open_at(place_given(), &err);
    struct arena *arena = arena_new();
    must(store_session_get(store, arena, "s1", &session, &err), &err);
    arena_free(arena);
    store_close(store);
    assert_false(store_postgres_run(link, "DELETE FROM audit", &err));
    must(store_postgres_run(link, "UPDATE store_version SET version = 99", &err), &err);
    struct options options = {.store_url = place_given()};
    assert_null(store_open(&options, &err));
    assert_non_null(strstr(err.message, "newer dragoman"));
    PQfinish(link);
}

/* From SQLite to PostgreSQL and back, by backups. */
static void test_moves(void **state)
{
    (void)state;
    struct err err;
    struct arena *arena = arena_new();
    char folder[] = "/tmp/dragoman-moves-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *one = arena_format(arena, "%s/one.db", folder);
    const char *two = arena_format(arena, "%s/two.db", folder);
    const char *there = arena_format(arena, "sqlite:%s/there.db", folder);
    struct store *from = open_at(there, &err);
    struct store_session session = {.id = "s1",
                                    .account = "ada",
                                    .title = "Ä 'x'",
                                    .created_at = 1,
                                    .last_activity = 1};
    struct store_lesson lesson = {.account = "ada",
                                  .datasource = "shop",
                                  .kind = "k",
                                  .subject = "s",
                                  .source = "manual",
                                  .confidence = 0.1,
                                  .json = "{}"};
    char id[ID_SIZE];
    must(store_session_create(from, &session, &err), &err);
    must(store_lesson_put(from, &lesson, 9, id, &err), &err);
    must(store_values_put(from, "shop", "sig", "a\0b", 3, &err), &err);
    must(store_backup(from, one, &err), &err);
    store_close(from);
    must(place_clear(&err), &err);
    struct options options = {.store_url = place_given()};
    must(store_restore(one, &options, &err), &err);
    must(store_restore(one, &options, &err), &err); /* in the place of what is there */
    struct store *to = open_at(place_given(), &err);
    struct store_values values;
    struct store_lesson got;
    must(store_session_get(to, arena, "s1", &session, &err), &err);
    assert_string_equal(session.title, "Ä 'x'");
    must(store_lesson_get(to, arena, "ada", id, &got, &err), &err);
    assert_true(got.confidence > 0.0999 && got.confidence < 0.1001);
    must(store_values_get(to, arena, "shop", "sig", &values, &err), &err);
    assert_int_equal(values.size, 3);
    assert_memory_equal(values.data, "a\0b", 3);
    /* Numbers go on after those that came. */
    lesson.subject = "other";
    must(store_lesson_put(to, &lesson, 9, id, &err), &err);
    must(store_backup(to, two, &err), &err);
    store_close(to);
    from = open_at(arena_format(arena, "sqlite:%s", two), &err);
    must(store_lesson_get(from, arena, "ada", id, &got, &err), &err);
    must(store_values_get(from, arena, "shop", "sig", &values, &err), &err);
    assert_memory_equal(values.data, "a\0b", 3);
    store_close(from);
    assert_false(store_restore("/etc/passwd", &options, &err));
    assert_int_equal(system(arena_format(arena, "rm -rf %s", folder)), 0); /* NOLINT */
    arena_free(arena);
}

/* A connection that the server cuts, at whichever moment, is made again without anybody
 * noticing: what is read then, and what is written afterwards. */
static void test_lost_connection(void **state)
{
    (void)state;
    enum { ROUNDS = 20, READS = 8 }; /* more than there are connections */
    static const char cut[] =
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
        " WHERE application_name = 'dragoman' AND pid <> pg_backend_pid()";
    struct err err;
    struct arena *arena = arena_new();
    must(place_clear(&err), &err);
    struct store *store = open_at(place_given(), &err);
    PGconn *link = store_postgres_link(place_given(), &err);
    struct store_question question = {
        .id = "q-1", .account = "ada", .state = "FINISHED", .text = "?"};
    for (int round = 0; round < ROUNDS; round++) {
        assert_true(number(link, cut) > 0);
        (void)usleep((useconds_t)round * 200);
        struct store_sessions all;
        for (int i = 0; i < READS; i++) {
            must(store_session_list(store, arena, "ada", &all, &err), &err);
        }
    }
    store_question_save(store, &question);
    must(store_flush(store, &err), &err);
    PQfinish(link);
    store_close(store);
    arena_free(arena);
}

static void test_no_database(void **state)
{
    (void)state;
    static const char *const urls[] = {
        "postgres://who:s3cret@127.0.0.1:1/none",
        "postgres://who:s3cret@[::1/none",
        "postgres://who:s3cret@127.0.0.1:99999/none",
    };
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct err err;
        err_clear(&err);
        struct options options = {.store_url = urls[i]};
        assert_null(store_open(&options, &err));
        assert_int_equal(err.code, ERR_STORE);
        assert_null(strstr(err.message, "s3cret"));
        assert_null(strstr(err.detail, "s3cret"));
        assert_null(strstr(err.message, "127.0.0.1"));
    }
}

/* Somebody in the server's place, who answers the request for TLS and hangs up. */
struct spoiler {
    int socket;
    int port;
    char answer;
    atomic_bool ending;
    atomic_int asked; /* for TLS */
    atomic_int plain; /* logins that came in plain text */
    pthread_t thread;
};

static void *spoil(void *context)
{
    struct spoiler *spoiler = context;
    while (!atomic_load(&spoiler->ending)) {
        struct pollfd ready = {.fd = spoiler->socket, .events = POLLIN};
        if (poll(&ready, 1, 10) <= 0) {
            continue;
        }
        static const unsigned char tls[8] = {0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f};
        unsigned char head[8] = {0};
        int guest = accept(spoiler->socket, NULL, NULL);
        if (recv(guest, head, sizeof head, MSG_WAITALL) == sizeof head) {
            bool asks = memcmp(head, tls, sizeof head) == 0;
            atomic_fetch_add(asks ? &spoiler->asked : &spoiler->plain, 1);
            (void)(asks && send(guest, &spoiler->answer, 1, MSG_NOSIGNAL));
            (void)(asks && recv(guest, head, 1, 0)); /* what the client says to that */
        }
        (void)close(guest);
    }
    return NULL;
}

static void spoiler_start(struct spoiler *spoiler, char answer)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    *spoiler = (struct spoiler){.answer = answer};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    spoiler->socket = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(spoiler->socket, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(spoiler->socket, 16), 0);
    assert_int_equal(getsockname(spoiler->socket, (struct sockaddr *)&address, &size), 0);
    spoiler->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&spoiler->thread, NULL, spoil, spoiler), 0);
}

static void spoiler_end(struct spoiler *spoiler)
{
    atomic_store(&spoiler->ending, true);
    (void)pthread_join(spoiler->thread, NULL);
    (void)close(spoiler->socket);
}

/* A handshake that fails is no reason for plain text; only the server's word is. */
static void test_encryption(void **state)
{
    (void)state;
    static const struct {
        char answer;
        const char *mode;
        bool plain; /* it may try without */
    } cases[] = {
        {'S', "", false},
        {'S', "?sslmode=prefer", false},
        {'N', "?sslmode=prefer", true},
        {'N', "?sslmode=require", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct spoiler spoiler;
        struct err err;
        char url[128];
        err_clear(&err);
        spoiler_start(&spoiler, cases[i].answer);
        (void)snprintf(url, sizeof url, "postgres://who@127.0.0.1:%d/none%s",
                       spoiler.port, cases[i].mode);
        assert_null(store_postgres_link(url, &err));
        spoiler_end(&spoiler);
        assert_int_equal(err.code, ERR_STORE);
        assert_true(atomic_load(&spoiler.asked) > 0);
        assert_int_equal(atomic_load(&spoiler.plain) > 0, cases[i].plain);
        assert_true(cases[i].plain || strstr(err.message, "TLS"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_up_and_down),     cmocka_unit_test(test_moves),
        cmocka_unit_test(test_lost_connection), cmocka_unit_test(test_no_database),
        cmocka_unit_test(test_encryption),
    };
    return place_given() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

#else

int main(void)
{
    return 0;
}

#endif
