/*
 * The last line of defence for texts that people, logs and clients read: what looks like
 * a secret in them becomes ***. Writers of messages must not rely on it.
 */
#ifndef DGM_BASE_HIDE_H
#define DGM_BASE_HIDE_H

/* In place; the text never grows. Hidden are: who logs in where a URL says so
 * (scheme://user:password@host, also when the URL is cut off), values of names such as
 * password= and PWD=, and keys of this program and of model services. */
void hide_secrets(char *text);

#endif
