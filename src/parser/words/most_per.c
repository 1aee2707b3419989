/* "Which city has the most pets per owner" */
#include "parser/words/most_per.h"

#include "base/str.h"
#include "parser/words/tokens.h"

bool most_per_read(const struct tokens *words, struct most_per *out)
{
    static const char *const verbs[] = {"has",  "have", "had",   "with",
                                        "gets", "got",  "shows", "sees"};
    static const char *const most[] = {"most",   "fewest", "highest",
                                       "lowest", "least",  "largest"};
    static const char *const pers[] = {"per", "for"};
    static const char *const each[] = {"each", "every"};
    bool led = false;
    bool superlative = false;
    *out = (struct most_per){0};
    for (size_t i = 1; i + 1 < words->count; i++) {
        const char *word = words->items[i].text;
        if (!led && IS_AMONG(word, verbs)) {
            const char *before = i > 1 ? words->items[i - 2].text : "";
            led = str_equal(before, "which") || str_equal(before, "what") ||
                  (i > 2 && str_equal(words->items[i - 3].text, "which"));
            out->thing = i - 1;
        }
        superlative = superlative || (led && IS_AMONG(word, most));
        if (superlative && IS_AMONG(word, pers)) {
            bool long_form = IS_AMONG(words->items[i + 1].text, each);
            out->unit = i + 1 + (long_form ? 1 : 0);
            return (str_equal(word, "per") || long_form) && out->unit < words->count;
        }
    }
    return false;
}
