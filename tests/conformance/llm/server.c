/* Servers of the suite as child processes. */
#include "server.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_node(const char *script, const char *option, int out)
{
    char path[256];
    (void)snprintf(path, sizeof path, "tests/conformance/llm/mock/%s", script);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when the test program crashes */
    (void)dup2(out, STDOUT_FILENO);
    (void)execlp("node", "node", path, option, (char *)NULL);
    perror("node");
    _exit(127);
}

struct server server_start(const char *script, const char *option)
{
    struct server server = {0};
    int ends[2];
    if (pipe(ends) != 0) {
        return server;
    }
    server.process = fork();
    if (server.process == 0) {
        (void)close(ends[0]);
        run_node(script, option, ends[1]);
    }
    (void)close(ends[1]);
    char line[32] = "";
    FILE *out = fdopen(ends[0], "r");
    if (out && fgets(line, sizeof line, out)) { /* comes when it listens, or never */
        server.port = (int)strtol(line, NULL, 10);
    }
    if (out && option && fgets(server.certificate, sizeof server.certificate, out)) {
        server.certificate[strcspn(server.certificate, "\n")] = '\0';
    }
    if (out) {
        (void)fclose(out);
    }
    return server;
}

void server_stop(struct server *server)
{
    if (server->process > 0) {
        (void)kill(server->process, SIGTERM); /* one of them tidies up */
        (void)waitpid(server->process, NULL, 0);
        server->process = 0;
    }
}
