/*
 * The built-in parser's way through the understanding stages. Its reading of the question
 * fills the struct that a model's reply fills (understood.h), so that every stage takes
 * and checks its part of it as usual: the trace, the questions back and the checks are the
 * same for both.
 */
#ifndef DGM_AGENT_SOLVING_H
#define DGM_AGENT_SOLVING_H

#include "agent/run.h"

struct parser;
struct parser_answer;
struct value_index;

/* May the parser try this question before a model does? */
bool solving_wanted(const struct run *run);
/* Is there nobody else to ask? */
bool solving_alone(const struct run *run);
/* Reads the question, or takes the reading that the user chose. */
enum solved solving_try(struct run *run, struct err *err);
/* SOLVED: chooses the tables of the reading; those that only lead from one to another are
 * in its SQL alone. */
void solving_take_tables(struct run *run);
/* Between the two files of it: the parser's readings of the question and of what the user
 * added, and the last thing added (or NULL). */
bool solving_read(struct run *run, struct parser *parser, struct parser_answer *answer,
                  struct err *err);
/* The schema less what the user has ruled out: a reference, yours; NULL: all of it. */
struct schema *solving_schema(struct run *run);
/* The cells of the database: a reference, yours; NULL when there are none to be had.
 * read false: only those that were read before. */
struct value_index *solving_cells(struct run *run, bool read);
const char *solving_detail(const struct run *run);
/* Are the best readings the same but for their table? Then run->answer.clarification asks
 * which one is meant. */
bool solving_ask_table(struct run *run);
/* The next best reading that was not tried yet, or NULL. */
const struct run_reading *solving_next(const struct run *run);
/* The model has left a stage without a reply: the best reading takes the place of one,
 * when it is good enough to answer with. */
bool solving_rescue(struct run *run);
/* Fills run->understanding with a reading. */
void solving_fill(struct run *run, const struct run_reading *reading);
/* Chooses the tables that the reading names. */
void solving_choose_named(struct run *run);

#endif
