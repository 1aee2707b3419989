/* How near two names are, as people and models mix them up. */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "sql/bind.h"

enum { NAME_MOST = 128, TYPO_LEAST = 4, TYPO_LONG = 6, PART_LEAST = 3 };

/* "Order_Dates" and "orderDate" are both orderdate. False: too long to compare. */
static bool fold(const char *name, char out[NAME_MOST])
{
    size_t size = 0;
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (!isalnum(c) && c < 0x80) {
            continue;
        }
        if (size + 1 == NAME_MOST) {
            return false;
        }
        out[size++] = (char)tolower(c);
    }
    out[size] = '\0';
    return size > 0;
}

/* cities, boxes and orders without what makes them many. */
static void singular(char *word)
{
    size_t size = strlen(word);
    if (size > 4 && str_ends(word, "ies")) {
        word[size - 3] = 'y';
        word[size - 2] = '\0';
    } else if (size > 4 && (str_ends(word, "xes") || str_ends(word, "ses") ||
                            str_ends(word, "ches") || str_ends(word, "shes"))) {
        word[size - 2] = '\0';
    } else if (size > 3 && word[size - 1] == 's' && word[size - 2] != 's') {
        word[size - 1] = '\0';
    }
}

/* Is `whole` the table's name followed by `rest`? */
static bool owned(const char *whole, const char *table, const char *rest)
{
    size_t size = strlen(table);
    return size >= 2 && strncmp(whole, table, size) == 0 &&
           strcmp(whole + size, rest) == 0;
}

/* "price" of "unit_price", "Price" of "unitPrice": a whole word at its end. */
static bool is_head(const char *wrong, const char *name)
{
    size_t size = strlen(wrong);
    size_t length = strlen(name);
    if (size < PART_LEAST || length <= size || !str_ends_nocase(name, wrong)) {
        return false;
    }
    unsigned char first = (unsigned char)name[length - size];
    unsigned char before = (unsigned char)name[length - size - 1];
    return !isalnum(before) || (isupper(first) && islower(before));
}

/* In a short name another first letter is another word: rate is no date. */
static bool is_typo(const char *a, const char *b)
{
    size_t size = strlen(a);
    size_t most = size < TYPO_LEAST ? 0 : size < TYPO_LONG ? 1 : 2;
    return most && strlen(b) >= TYPO_LEAST - 1 && (size >= TYPO_LONG || a[0] == b[0]) &&
           str_distance(a, b, most) <= most;
}

enum bind_nearness bind_nearness(const char *wrong, const char *name, const char *table)
{
    char a[NAME_MOST];
    char b[NAME_MOST];
    char owner[NAME_MOST];
    if (!fold(wrong, a) || !fold(name, b)) {
        return BIND_FAR;
    }
    bool typo = is_typo(a, b);
    singular(a);
    singular(b);
    if (strcmp(a, b) == 0) {
        return BIND_SAME;
    }
    if (table && fold(table, owner)) {
        singular(owner);
        if (owned(a, owner, b) || owned(b, owner, a)) {
            return BIND_OWNED;
        }
    }
    if (typo) {
        return BIND_TYPO;
    }
    if (is_head(wrong, name)) {
        return BIND_HEAD;
    }
    bool shares = (strlen(a) >= PART_LEAST && strstr(b, a)) ||
                  (strlen(b) >= PART_LEAST && strstr(a, b)) ||
                  str_distance(a, b, 3) <= (strlen(a) <= 6 ? 2u : 3u);
    return shares && strlen(a) >= PART_LEAST ? BIND_PART : BIND_FAR;
}
