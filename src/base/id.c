/* Identifiers that cannot be guessed. */
#include "base/id.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

void id_new(const char *prefix, char out[ID_SIZE])
{
    static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz"; /* no i l o u */
    unsigned char bytes[26];
    size_t have = 0;
    while (have < sizeof bytes) {
        ssize_t got = getrandom(bytes + have, sizeof bytes - have, 0);
        if (got < 0) {
            abort(); /* a machine without randomness must not hand out ids */
        }
        have += (size_t)got;
    }
    char text[27];
    for (size_t i = 0; i < 26; i++) {
        text[i] = digits[bytes[i] & 31];
    }
    text[26] = '\0';
    (void)snprintf(out, ID_SIZE, "%.8s-%s", prefix, text);
}

bool id_valid(const char *text)
{
    size_t size = text ? strlen(text) : 0;
    if (size < 3 || size >= ID_SIZE) {
        return false;
    }
    for (; *text; text++) {
        if (!isalnum((unsigned char)*text) && *text != '-' && *text != '_') {
            return false;
        }
    }
    return true;
}
