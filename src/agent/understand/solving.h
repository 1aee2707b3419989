/*
 * The built-in parser as a replacement for the model in the understanding stages. It
 * fills the same struct as a model's reply (understood.h), so that trace, clarifying
 * questions and checks are the same for both.
 */
#ifndef DGM_AGENT_SOLVING_H
#define DGM_AGENT_SOLVING_H

#include "agent/run.h"

struct parser;
struct parser_answer;
struct value_index;

/* May the parser try this question before a model is called? */
bool solving_wanted(const struct run *run);
/* Is there no model to call? */
bool solving_alone(const struct run *run);
/* Reads the question, or takes the reading that the user chose. */
enum solved solving_try(struct run *run, struct err *err);
/* Does the clarifying question only offer what is near, because words of the question name nothing here? */
bool solving_offers_near(const struct clarification *back);
/* SOLVED: chooses the tables of the reading, without those that are only joined
 * through. */
void solving_take_tables(struct run *run);
/* Shared by the two files: the parser's readings of the question with the user's
 * additions, and the last addition (or NULL). */
bool solving_read(struct run *run, struct parser *parser, struct parser_answer *answer,
                  struct err *err);
/* The schema without what the user has ruled out. The caller gets a reference; NULL: the
 * whole schema. */
struct schema *solving_schema(struct run *run);
/* The cells of the database. The caller gets a reference; NULL if there are none. read
 * false: only if they were read before. */
struct value_index *solving_cells(struct run *run, bool read);
const char *solving_detail(const struct run *run);
/* The text that the parser reads: the question, the last addition, or both. */
const char *solving_text(struct run *run);
/* Do the best readings differ only in their table? Then run->answer.clarification asks
 * which one is meant. */
bool solving_ask_table(struct run *run);
/* The best reading that was not tried yet; or NULL. */
const struct run_reading *solving_next(const struct run *run);
/* The model failed in a stage: uses the best reading instead, if it is good enough for an
 * answer. */
bool solving_rescue(struct run *run);
/* Copies a reading to run->understanding. */
void solving_fill(struct run *run, const struct run_reading *reading);
/* Chooses the tables that the reading names. */
void solving_choose_named(struct run *run);

#endif
