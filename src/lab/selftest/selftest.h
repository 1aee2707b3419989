/* The self-test: scratch databases under attack, and what is tried besides. */
#ifndef DGM_LAB_SELFTEST_H
#define DGM_LAB_SELFTEST_H

#include "base/arena.h"
#include "base/buf.h"
#include "datasource/datasource.h"
#include "dragoman_lab.h"
#include "sql/attack.h"

enum {
    SELFTEST_TIME_MS = 700,
    SELFTEST_TIME_MOST_MS = 15000,
    SELFTEST_MEMORY_MB = 256,
    SELFTEST_LINES_MOST = 1 << 16,
};

/* Who is told of each class, and what got through so far. */
struct selftest_report {
    void (*tell)(void *context, const struct dgm_trial *trial);
    void *context;
    int breaches;
};

/* selftest_tally.c: one class of attempts, as it is counted. */
struct selftest_tally {
    struct dgm_trial trial;
    struct buf lines;
};
/* The texts outlive the tally. */
void selftest_tally_init(struct selftest_tally *tally, const char *dialect,
                         const char *class_name);
/* One attempt; harm NULL: a limit or lock held. The line says `what`, then `harm`. */
void selftest_tally_add(struct selftest_tally *tally, const char *what, const char *harm);
/* What must work, so that a refusal says something. */
void selftest_tally_control(struct selftest_tally *tally, const char *what, bool worked);
/* What could not be tried, and why. */
void selftest_tally_untried(struct selftest_tally *tally, const char *why);
/* Reports and frees it. */
void selftest_tally_end(struct selftest_tally *tally, struct selftest_report *report);

struct selftest_world {
    struct arena *arena;
    struct options *options;
    enum dialect dialect;
    char folder[64];            /* of a scratch file; "" for a server */
    const char *path;           /* the file, or NULL */
    struct datasource *source;  /* under a policy that holds the vault back */
    struct datasource *witness; /* the same database, and never attacked */
    struct schema *schema;      /* what may be known: without the vault */
    struct schema *whole;       /* with it: then the policy stands alone */
    char print[33];             /* what the witness saw before the first attack */
    size_t litter;              /* files that attacks would make */
    long memory_kb;             /* the most this process had used */
};

/* url NULL: a new file of this dialect. */
bool selftest_world_make(struct selftest_world *world, enum dialect dialect,
                         const char *url, struct err *err);
void selftest_world_end(struct selftest_world *world);
/* What an attack did to it, or NULL: "changed the database". */
const char *selftest_world_harm(struct selftest_world *world);

/* False only in the program that tests make to see what the engines hold alone. */
extern const bool selftest_guarded;
/* The corpus of the database's dialect; over ODBC that of ODBC, too. */
bool selftest_attacks_play(struct selftest_world *world, struct selftest_report *report,
                           struct err *err);
/* Cells that are longer than they may be. */
void selftest_cells_play(struct selftest_world *world, struct selftest_report *report);
/* Small files that unpack to more than an import may take. */
void selftest_imports_play(struct selftest_report *report);
/* Broken TLS handshakes and servers without TLS, by a server of our own. */
void selftest_lines_play(struct selftest_report *report);
/* A login that rules its server. False: it does not, or cannot be reached. */
bool selftest_login_play(const char *url, struct selftest_report *report,
                         struct err *err);

/* The corpus of a dialect, as it was built in. */
bool selftest_corpus(struct arena *arena, enum dialect dialect, struct attacks *out,
                     struct err *err);

#endif
