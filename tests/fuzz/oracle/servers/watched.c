/* Compares parts of the world with what they were. */
#include "watched.h"

#include <stdio.h>

#include "base/str.h"
#include "place.h"

void watched_look(struct watched *watched, const char *name, const char *now,
                  char what[WHAT_SIZE])
{
    if (watched->count >= PARTS_MOST) {
        (void)snprintf(what, WHAT_SIZE, "more parts are watched than there is room for");
        return;
    }
    struct part *part = &watched->parts[watched->count++];
    char cut[PART_SIZE];
    str_put(cut, sizeof cut, now);
    if (part->name[0] && !str_equal(part->now, cut) && !what[0]) {
        (void)snprintf(what, WHAT_SIZE, "%s changed from %.80s to %.80s", name, part->now,
                       cut);
    }
    str_put(part->name, sizeof part->name, name);
    str_put(part->now, sizeof part->now, cut);
}

void watched_files(struct watched *watched, const char *root,
                   const struct watched_folder *folders, size_t count,
                   char what[WHAT_SIZE])
{
    for (size_t i = 0; i < count; i++) {
        char path[300];
        char digest[32];
        (void)snprintf(path, sizeof path, "%s/%s", root, folders[i].name);
        (void)snprintf(digest, sizeof digest, "%llx",
                       (unsigned long long)place_digest(path, folders[i].bytes));
        watched_look(watched, folders[i].name, digest, what);
    }
}
