/* Is a text English? The local rules read English only; what they cannot read is left to
 * a model, which answers in the asker's language. */
#ifndef DGM_AGENT_LANGUAGE_H
#define DGM_AGENT_LANGUAGE_H

#include <stdbool.h>

/* Are English function words in it, and no letters of other scripts? Short texts without
 * any ("top customers") are not, as nothing says so. */
bool language_is_english(const char *text);
/* Function words of another language, or letters that English does not use. */
bool language_is_foreign(const char *text);

#endif
