/* Inside of the judge that is a MariaDB server. */
#ifndef DGM_TESTS_ORACLE_MYSQL_JUDGE_H
#define DGM_TESTS_ORACLE_MYSQL_JUDGE_H

#include <mysql.h>

#include "judge.h"
#include "place.h"

struct mysql_world {
    struct place place;
    MYSQL *session;   /* what the guard allowed runs here, as root */
    MYSQL *watch;     /* looks at the world */
    MYSQL *bystander; /* must stay alive and hold its lock */
    struct schema *schema;
};

/* mysql.c: rows, or NULL; every statement of several is run */
bool mysql_said(MYSQL *handle, const char *sql);
MYSQL_RES *mysql_answer(MYSQL *handle, const char *sql);
/* mysql_words.c */
bool mysql_words_read(MYSQL *handle, struct arena *arena, struct vocabulary *words);
/* mysql_explain.c: the server's own text of a statement: "" or what is wrong with it */
void mysql_text_check(const char *text, const struct guard_result *judged,
                      char what[WHAT_SIZE]);
/* mysql_watch.c */
bool mysql_watch_unchanged(struct mysql_world *world, char what[WHAT_SIZE]);

#endif
