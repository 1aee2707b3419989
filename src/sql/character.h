/* Which characters beyond ASCII may stand in a name, and which only look harmless. */
#ifndef DGM_SQL_CHARACTER_H
#define DGM_SQL_CHARACTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Letters and digits of living scripts; no spaces, symbols, full-width or invisible ones.
 */
bool character_in_word(uint32_t code);
/* Invisible or direction-changing: they make text read differently from what it is. */
bool character_hidden(uint32_t code);
/* Letters that can pass for Latin ones (Greek, Cyrillic, Armenian, Cherokee …). */
bool character_looks_latin(uint32_t code);

#endif
