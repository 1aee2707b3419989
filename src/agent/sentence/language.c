/* The languages, and how a phrase is filled in. */
#include "agent/sentence/language.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"

static const struct language *const languages[] = {&language_english, &language_german,
                                                   &language_spanish};
enum { LANGUAGES = sizeof languages / sizeof *languages, CODE = 2, CODES_MOST = 20 };

static const char *const slot_names[SLOT_COUNT_OF] = {
    [SLOT_NAME] = "name",       [SLOT_VALUE] = "value", [SLOT_VALUE2] = "value2",
    [SLOT_MEASURE] = "measure", [SLOT_COUNT] = "count", [SLOT_THINGS] = "things",
    [SLOT_LIST] = "list",       [SLOT_MORE] = "more",   [SLOT_SHARE] = "share",
    [SLOT_WHEN] = "when",       [SLOT_WHEN2] = "when2", [SLOT_YEAR] = "year",
    [SLOT_MONTH] = "month",     [SLOT_DAY] = "day",     [SLOT_CLOCK] = "clock",
};

const struct language *language_get(size_t number)
{
    return number < LANGUAGES ? languages[number] : NULL;
}

/* The code at the start of the text, as long as it is no part of a longer word. */
static const struct language *named_at(const char *at)
{
    for (size_t i = 0; i < LANGUAGES; i++) {
        const char *code = languages[i]->code;
        if (tolower((unsigned char)at[0]) == code[0] &&
            tolower((unsigned char)at[1]) == code[1] &&
            !isalnum((unsigned char)at[CODE])) {
            return languages[i];
        }
    }
    return NULL;
}

/* Browsers list the preferred language first, so weights are not read. */
const struct language *language_find(const char *codes)
{
    for (int i = 0; codes && i < CODES_MOST; i++) {
        codes += strspn(codes, " \t,");
        const struct language *found = named_at(codes);
        if (found) {
            return found;
        }
        codes = strchr(codes, ',');
    }
    return NULL;
}

static const char *slot_at(const struct slots *slots, const char *name, size_t size,
                           bool *capital)
{
    *capital = isupper((unsigned char)*name) != 0;
    for (size_t i = 0; i < SLOT_COUNT_OF; i++) {
        const char *known = slot_names[i];
        if (strlen(known) == size && tolower((unsigned char)*name) == *known &&
            strncmp(known + 1, name + 1, size - 1) == 0) {
            return slots->texts[i] ? slots->texts[i] : "";
        }
    }
    return "";
}

void language_say(const struct language *language, enum phrase phrase,
                  const struct slots *slots, struct buf *out)
{
    const char *at = language->phrases[phrase];
    while (*at) {
        size_t plain = strcspn(at, "{");
        (void)buf_add(out, at, plain);
        at += plain;
        const char *end = *at ? strchr(at, '}') : NULL;
        if (!end) {
            break;
        }
        bool capital = false;
        const char *text = slot_at(slots, at + 1, (size_t)(end - at - 1), &capital);
        if (capital && *text) {
            (void)buf_char(out, (char)toupper((unsigned char)*text++));
        }
        (void)buf_text(out, text);
        at = end + 1;
    }
}
