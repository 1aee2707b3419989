/* The model of a client of 2025 that offers it: sampling/createMessage. Used for questions of
 * the client's user only, and only with llm.provider: mcp. */
#ifndef DGM_MCP_SAMPLING_H
#define DGM_MCP_SAMPLING_H

struct dgm_completion;

/* A dgm_model, whose context is the call. */
void mcp_sample(void *context, struct dgm_completion *completion, const char *system,
                const char *user, int max_tokens);

#endif
