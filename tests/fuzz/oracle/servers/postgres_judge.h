/* Inside of the judge that is a PostgreSQL server. */
#ifndef DGM_TESTS_ORACLE_POSTGRES_JUDGE_H
#define DGM_TESTS_ORACLE_POSTGRES_JUDGE_H

#include <libpq-fe.h>

#include "judge.h"
#include "place.h"

enum {
    OIDS = 16384, /* the server's own objects are below */
    RELATIONS_MOST = 32,
    UNNAMED_MOST = 64
};

struct postgres_relation {
    unsigned long oid;
    char name[64];
};

/* What a statement that the guard allowed may be made of, by the server's numbers. */
struct postgres_known {
    bool functions[OIDS]; /* of the guard's list, and what SQL's own words call */
    bool casts[OIDS];     /* functions behind casts */
    bool operators[OIDS];
    bool types_refused[OIDS]; /* they look names up, open files or hold state */
    struct postgres_relation relations[RELATIONS_MOST]; /* of the guard's schema */
    size_t relation_count;
    /* Functions and operators of the database's own that no statement names: what
     * allow_own_types allows, and only that. */
    unsigned long unnamed[UNNAMED_MOST];
    size_t unnamed_count;
};

struct postgres_world {
    struct place place;
    bool own_types;    /* the datasource sets allow_own_types */
    PGconn *session;   /* what the guard allowed runs here, as a superuser */
    PGconn *watch;     /* looks at the world */
    PGconn *bystander; /* must stay alive and hold its lock */
    struct postgres_known known;
    struct schema *schema;
};

/* postgres_known.c */
bool postgres_known_read(PGconn *connection, bool own_types,
                         struct postgres_known *known);
/* The tree that the server made of a statement: "" or what is wrong with it. */
void postgres_tree_check(const char *tree, const struct postgres_known *known,
                         const struct guard_result *judged, char what[WHAT_SIZE]);
/* postgres_words.c */
bool postgres_words_read(PGconn *connection, bool own_types, struct arena *arena,
                         struct vocabulary *words);
/* postgres_log.c: what the server says that it runs. Between begin and the end, each
 * statement must be this one; "" or what else it ran. */
bool postgres_log_start(PGconn *owner);
bool postgres_log_session(PGconn *session);
void postgres_log_expect(const char *sql); /* NULL: whatever comes */
void postgres_log_end(void);
void postgres_log_take(const char *text, char what[WHAT_SIZE]);
/* postgres_watch.c */
bool postgres_watch_unchanged(struct postgres_world *world, char what[WHAT_SIZE]);

/* postgres.c */
PGresult *postgres_answer(PGconn *connection, const char *sql); /* rows, or NULL */

#endif
