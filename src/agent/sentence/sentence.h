/*
 * The answer in a sentence, made from the result: "Germany leads with €868,920, 35 % of the
 * total." No model is needed. Every number in it is in the rows or computed from them.
 */
#ifndef DGM_AGENT_SENTENCE_H
#define DGM_AGENT_SENTENCE_H

struct draw_words;
struct run;

/* The code of the first known language in a list as in Accept-Language ("de-AT, en"); NULL:
 * none of them is known. */
const char *sentence_language(const char *codes);

/* How the first known language in such a list writes charts; of no known one: English. */
void sentence_words(const char *codes, struct draw_words *out);

/* Sets run->answer.text, after the rows and their headings are final. */
void sentence_note(struct run *run);

#endif
