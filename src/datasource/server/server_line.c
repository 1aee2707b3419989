/* What the line to a database server must be: encrypted, or it is told. */
#include "datasource/server/server_line.h"

#include "base/err.h"
#include "base/host.h"
#include "base/log.h"
#include "datasource/datasource.h"
#include "datasource/opening.h"

void server_line_init(struct server_line *line, const struct datasource *source,
                      const char *hosts, const char *database)
{
    line->here = hosts_are_here(hosts);
    line->database = database;
    line->opening = source->opening;
}

void server_line_note(struct server_line *line, bool plain)
{
    opening_notice(
        line->opening,
        plain && !line->here
            ? "The connection to the database is not encrypted: its server offers no TLS"
            : NULL);
    if (plain && !atomic_exchange(&line->told, true)) {
        LOG(LOG_DATASOURCE, LOG_WARN,
            "the connection to the database '%s' is not encrypted: its server offers no "
            "TLS",
            line->database);
    }
}

bool server_line_refuse(const char *way, struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_UNREACHABLE,
                  "The database server offers no TLS, and the connection must be "
                  "encrypted.");
    return err_hint(err,
                    "Turn TLS on at the server. To go without it when the server has "
                    "none, add %s to the URL.",
                    way);
}
