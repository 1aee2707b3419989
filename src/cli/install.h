/* dragoman mcp --install: writes the configuration of an assistant, after showing it. */
#ifndef DGM_CLI_INSTALL_H
#define DGM_CLI_INSTALL_H

struct cli;

#define INSTALL_CLIENTS "claude|claude-code|cursor|gemini|vscode|windsurf"

/* Shows what would change in the file of this client; writes it with --yes, or after a yes. */
int install_run(struct cli *cli, const char *client);

#endif
