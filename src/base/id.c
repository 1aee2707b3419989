/* Identifiers that cannot be guessed. */
#include "base/id.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { LETTERS = 26, TIME_LETTERS = 9 };

static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz"; /* no i l o u */

/* The kernel is asked for many bytes at once: every request has an id, every question
 * another. None of them is used twice, nor by a process that was forked off. */
struct supply {
    unsigned char bytes[LETTERS * 16];
    size_t left;
    unsigned owner; /* forks, when it was filled */
};

static _Thread_local struct supply supply;
static unsigned forks; /* changed in a child alone, before it has a second thread */
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void forked(void)
{
    forks++;
}

static void forks_watch(void)
{
    if (pthread_atfork(NULL, NULL, forked) != 0) {
        abort(); /* a child would hand out the same ids */
    }
}

static void supply_fill(void)
{
    size_t have = 0;
    (void)pthread_once(&watched, forks_watch);
    while (have < sizeof supply.bytes) {
        ssize_t got = getrandom(supply.bytes + have, sizeof supply.bytes - have, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            abort(); /* a machine without randomness must not hand out ids */
        }
        have += (size_t)got;
    }
    supply.left = sizeof supply.bytes;
    supply.owner = forks;
}

static void random_letters(char text[LETTERS + 1])
{
    if (supply.left < LETTERS || supply.owner != forks) {
        supply_fill();
    }
    supply.left -= LETTERS;
    unsigned char *bytes = supply.bytes + supply.left;
    for (size_t i = 0; i < LETTERS; i++) {
        text[i] = digits[bytes[i] & 31];
        bytes[i] = 0; /* what an id was made of is not to be found in memory */
    }
    text[LETTERS] = '\0';
}

enum { PREFIX_MOST = 8 };

_Static_assert(PREFIX_MOST + LETTERS + 2 <= ID_SIZE, "an id has no room");

static void id_put(const char *prefix, const char text[LETTERS + 1], char out[ID_SIZE])
{
    size_t size = strnlen(prefix, PREFIX_MOST);
    memcpy(out, prefix, size);
    out[size] = '-';
    memcpy(out + size + 1, text, LETTERS + 1);
}

void id_new(const char *prefix, char out[ID_SIZE])
{
    char text[LETTERS + 1];
    random_letters(text);
    id_put(prefix, text, out);
}

void id_new_later(const char *prefix, char out[ID_SIZE])
{
    char text[LETTERS + 1];
    struct timespec now;
    random_letters(text);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    uint64_t ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    for (size_t i = TIME_LETTERS; i > 0; i--) {
        text[i - 1] = digits[ms & 31];
        ms >>= 5;
    }
    id_put(prefix, text, out);
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
