/* Inside of the judge that is a ClickHouse engine. */
#ifndef DGM_TESTS_ORACLE_CLICKHOUSE_JUDGE_H
#define DGM_TESTS_ORACLE_CLICKHOUSE_JUDGE_H

#include "base/buf.h"
#include "judge.h"

enum clickhouse_session {
    SESSION_OPEN,   /* nothing but the guard stands before it */
    SESSION_LOCKED, /* reads only, as the driver's, and by the engine's older analysis */
    SESSION_COUNT
};

enum clickhouse_reply {
    REPLY_ROWS,
    REPLY_ERROR, /* the text is the engine's message */
    REPLY_DEAD,  /* the engine's process ended */
    REPLY_HANGS  /* it gave no answer in time and was ended */
};

/* clickhouse_engine.c: the engine in a process of its own, as it may crash or hang */
bool clickhouse_start(const char *folder);
void clickhouse_stop(void);
enum clickhouse_reply clickhouse_ask(enum clickhouse_session session, const char *sql,
                                     struct buf *text);

/* clickhouse_words.c */
bool clickhouse_words_read(struct arena *arena, struct vocabulary *words);
/* What the engine calls the functions that the guard's list knows by another name. */
bool clickhouse_real_names(struct arena *arena, struct texts *out);
/* All types that the engine has. */
bool clickhouse_types(struct arena *arena, struct texts *out);
/* clickhouse_tree.c: what EXPLAIN AST and EXPLAIN QUERY TREE tell: "" or what is wrong */
void clickhouse_syntax_check(const char *text, const struct guard_result *judged,
                             const struct texts *all_types, char what[WHAT_SIZE]);
void clickhouse_tree_check(const char *text, const struct guard_result *judged,
                           const struct texts *real, char what[WHAT_SIZE]);
/* clickhouse_watch.c */
bool clickhouse_watch_unchanged(const struct place *place, char what[WHAT_SIZE]);

#endif
