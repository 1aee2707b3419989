/* A handshake that fails, or a server that offers no TLS where it is required, is never
 * followed by plain text. Tried with the drivers and libraries of this machine. */
#include "base/str.h"
#include "lab/selftest/selftest.h"
#include "lab/selftest/selftest_peer.h"

static const struct line {
    const char *driver;
    const char *what;
    enum peer_kind kind;
    enum peer_way way;
    const char *tail; /* of the URL */
} lines[] = {
    {"postgres", "a broken handshake, TLS preferred", PEER_POSTGRES, PEER_BREAKS,
     "sslmode=prefer"},
    {"postgres", "a broken handshake, TLS required", PEER_POSTGRES, PEER_BREAKS,
     "sslmode=require"},
    {"postgres", "no TLS offered, TLS required", PEER_POSTGRES, PEER_STRIPS,
     "sslmode=require"},
    {"mysql", "a broken handshake, TLS preferred", PEER_MYSQL, PEER_BREAKS,
     "ssl_mode=preferred"},
    {"mysql", "a broken handshake, TLS required", PEER_MYSQL, PEER_BREAKS,
     "ssl_mode=required"},
    {"mysql", "no TLS offered, TLS required", PEER_MYSQL, PEER_STRIPS,
     "ssl_mode=required"},
    {"clickhouse", "a broken handshake", PEER_HTTPS, PEER_BREAKS, "secure=1"},
};

static void play_line(struct arena *arena, const struct line *line,
                      const struct options *options, struct selftest_tally *tally)
{
    struct err err;
    err_clear(&err);
    struct selftest_peer *peer = selftest_peer_new(line->kind, line->way);
    if (!peer) {
        selftest_tally_untried(tally, "this machine lets nobody listen on 127.0.0.1");
        return;
    }
    const struct datasource_setting setting = {
        .id = "line",
        .url = arena_format(arena, "%s://reader:secret@127.0.0.1:%d/shop?%s",
                            line->driver, selftest_peer_port(peer), line->tail)};
    struct datasource *source = datasource_open(&setting, options, &err);
    datasource_close(source);
    struct peer_seen seen = selftest_peer_free(peer);
    const char *what = arena_format(arena, "%s, %s", line->driver, line->what);
    if (!source && seen.connections == 0) { /* its library is not installed */
        selftest_tally_untried(tally, arena_format(arena, "%s: %s", what, err.message));
        return;
    }
    bool tls_unheard = line->way == PEER_BREAKS && seen.handshakes == 0;
    selftest_tally_add(tally, what,
                       seen.plain    ? "went on in plain text"
                       : source      ? "was taken for a database"
                       : tls_unheard ? "no handshake was begun"
                                     : NULL);
}

void selftest_lines_play(struct selftest_report *report)
{
    struct arena *arena = arena_new();
    struct options *options = options_new();
    struct selftest_tally tally;
    selftest_tally_init(&tally, "line", "tls");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        bool built = false;
        for (size_t j = 0; datasource_driver_at(j) && !built; j++) {
            built = str_equal(datasource_driver_at(j)->name, lines[i].driver);
        }
        if (built) {
            play_line(arena, &lines[i], options, &tally);
        }
    }
    selftest_tally_end(&tally, report);
    options_free(options);
    arena_free(arena);
}
