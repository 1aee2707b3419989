/* Is a text in English? The local rules work only for English; other questions are left
 * to a model, which answers in the user's language. */
#ifndef DGM_AGENT_LANGUAGE_H
#define DGM_AGENT_LANGUAGE_H

#include <stdbool.h>

/* Does the text contain English function words, and no letters of other scripts? False
 * for short texts without any ("top customers"). */
bool language_is_english(const char *text);
/* Does it contain function words of another language, or letters that English does not
 * use? */
bool language_is_foreign(const char *text);

#endif
