/*
 * A safety net for texts that people, logs and clients read: replaces what looks like a
 * secret by ***. Writers of messages must not rely on it.
 */
#ifndef DGM_BASE_HIDE_H
#define DGM_BASE_HIDE_H

/*
 * In place; the text never grows. Replaces credentials in URLs
 * (scheme://user:password@host, also if the URL is cut off), values of names such as
 * password= and PWD=, and keys of this program and of model services.
 */
void hide_secrets(char *text);

#endif
