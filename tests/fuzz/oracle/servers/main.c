/*
 * Servers as judges of the guard: statements of a grammar and near misses of known
 * attacks; whatever the guard lets through is compiled and run by a private server, as a
 * superuser, in a world full of canaries and traps.
 *
 *     oracle_servers postgres|postgres-own|mysql|clickhouse --root FOLDER [--statements N] [--seconds
 * S]
 *         [--seed N] [--from N] [--generated PERCENT] [--show allowed|errors|refused]
 *     oracle_servers postgres|mysql|clickhouse --root FOLDER --prove FILE
 *
 * Statement n of a seed can be made alone: --seed S --from n --statements 1 --show
 * allowed. --prove runs statements past the guard: each must be found out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "session.h"

static const struct judge *const judges[] = {
#ifdef DRAGOMAN_HAS_POSTGRES
    &judge_postgres,
    &judge_postgres_own,
#endif
#ifdef DRAGOMAN_HAS_MYSQL
    &judge_mysql,
#endif
    &judge_clickhouse,
};

static const char usage[] =
    "usage: oracle_servers postgres|postgres-own|mysql|clickhouse --root FOLDER "
    "[--statements N] "
    "[--seconds S]"
    " [--seed N] [--from N] [--generated PERCENT] [--show allowed|errors|refused] "
    "[--prove "
    "FILE]\n";

static bool arguments_read(struct session *session, int count, char **values)
{
    session->judge = NULL;
    for (size_t i = 0; count > 1 && i < sizeof judges / sizeof *judges; i++) {
        session->judge =
            str_equal(judges[i]->name, values[1]) ? judges[i] : session->judge;
    }
    for (int i = 2; i + 1 < count; i += 2) {
        const char *value = values[i + 1];
        long long number = strtoll(value, NULL, 10);
        if (str_equal(values[i], "--statements")) {
            session->statements = number;
        } else if (str_equal(values[i], "--seconds")) {
            session->seconds = number;
        } else if (str_equal(values[i], "--seed")) {
            session->seed = strtoull(value, NULL, 10);
        } else if (str_equal(values[i], "--from")) {
            session->number = strtoull(value, NULL, 10);
        } else if (str_equal(values[i], "--generated")) {
            session->generated = (uint32_t)number;
        } else if (str_equal(values[i], "--show")) {
            session->show_allowed = str_equal(value, "allowed");
            session->show_errors = str_equal(value, "errors");
            session->show_refused = str_equal(value, "refused");
        } else if (str_equal(values[i], "--root")) {
            session->root = value;
        } else if (str_equal(values[i], "--prove")) {
            session->proof = value;
        } else {
            return false;
        }
    }
    return session->root != NULL;
}

int main(int count, char **values)
{
    struct session session = {
        .statements = 1LL << 60, .seed = 20261116, .number = 1, .generated = 60};
    struct err err;
    if (!arguments_read(&session, count, values)) {
        (void)fputs(usage, stderr);
        return 2;
    }
    if (!session.judge) {
        (void)fprintf(stderr, "oracle: this build has no driver for '%s'\n", values[1]);
        return 77;
    }
    struct arena *kept = arena_new();
    session.arena = arena_new();
    if (!corpus_read(kept, session.root, session.judge->dialect, &session.corpus, &err)) {
        (void)fprintf(stderr, "oracle: %s\n", err.message);
        return 2;
    }
    int status = session.judge->start(kept, session.root, &session.words);
    if (status == 77) {
        (void)fprintf(stderr, "oracle: this machine has no %s server: NOT JUDGED\n",
                      values[1]);
    } else if (status != 0) {
        (void)fprintf(stderr, "oracle: the %s server could not be started\n", values[1]);
    } else {
        status = session.proof ? session_prove(&session) : session_run(&session);
    }
    if (status != 77) {
        session.judge->stop();
    }
    arena_free(session.arena);
    arena_free(kept);
    return status;
}
