/*
 * The answer in a sentence, made from the result: "Germany leads with €868,920, 35 % of the
 * total." No model is needed. Every number in it is in the rows or computed from them.
 */
#ifndef DGM_AGENT_SENTENCE_H
#define DGM_AGENT_SENTENCE_H

struct run;

/* Sets run->answer.text, after the rows and their headings are final. */
void sentence_note(struct run *run);

#endif
