/* Parts of the world and what they were when they were looked at last. */
#ifndef DGM_TESTS_ORACLE_WATCHED_H
#define DGM_TESTS_ORACLE_WATCHED_H

#include <stdbool.h>
#include <stddef.h>

#include "judge.h"

enum { PARTS_MOST = 60, PART_SIZE = 400 };

struct part {
    char name[PART_SIZE];
    char now[PART_SIZE];
};

struct watched {
    struct part parts[PARTS_MOST];
    size_t count; /* looked at this time; set it to 0 to begin again */
};

struct watched_folder {
    const char *name;
    bool bytes; /* not only the names of the files */
};

/* The next part. What changed is told once, the first change of all. */
void watched_look(struct watched *watched, const char *name, const char *now,
                  char what[WHAT_SIZE]);
void watched_files(struct watched *watched, const char *root,
                   const struct watched_folder *folders, size_t count,
                   char what[WHAT_SIZE]);

#endif
