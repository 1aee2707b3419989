// What the server's guard says about SQL, and which piece of the text it means.
import type { SqlVerdict } from "../api/types";
import { pieces } from "./sql";

export interface Wrong {
  from: number;
  to: number;
}

/** The server counts bytes of UTF-8, the page counts UTF-16. */
export function placeOfByte(text: string, byte: number): number {
  let bytes = 0;
  let at = 0;
  for (const letter of text) {
    if (bytes >= byte) break;
    bytes += new TextEncoder().encode(letter).length;
    at += letter.length;
  }
  return at;
}

const pieceAt = (sql: string, place: number): Wrong | undefined => {
  let from = 0;
  let last: Wrong | undefined;
  for (const piece of pieces(sql)) {
    const to = from + piece.text.length;
    if (piece.kind !== "space") {
      last = { from, to };
      if (to > place) return last;
    }
    from = to;
  }
  return last; // the end of the text: what stands before it
};

/** A name in quotes that the reason is about: "Column 'orders.foo' doesn't exist." */
function pieceNamed(sql: string, reason: string): Wrong | undefined {
  const name = /'([^']+)'/.exec(reason)?.[1]?.split(".").pop()?.toLowerCase();
  let from = 0;
  for (const piece of pieces(sql)) {
    const text = piece.text.toLowerCase().replace(/^["`[]|["`\]]$/g, "");
    if (name && piece.kind !== "space" && text === name) return { from, to: from + piece.text.length };
    from += piece.text.length;
  }
  return undefined;
}

/** The piece to underline; nothing if all is well, or if it is not known. */
export function wrongPiece(sql: string, verdict: SqlVerdict): Wrong | undefined {
  if (verdict.allowed) return undefined;
  if (verdict.position !== undefined) return pieceAt(sql, placeOfByte(sql, verdict.position));
  return pieceNamed(sql, verdict.reason ?? "");
}
