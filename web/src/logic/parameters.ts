// The parameters of a saved query: ":name" outside of texts, comments and casts.
import { pieces, type Piece } from "./sql";

export const types = ["text", "integer", "number", "date", "boolean"] as const;
export type ParameterType = (typeof types)[number];

export interface Parameter {
  name: string;
  type?: string;
  default?: string | number | boolean | null;
}

/** Their names, in order of appearance. */
export function placesIn(sql: string): string[] {
  const bare = pieces(sql)
    .map((piece) => (piece.kind === "string" || piece.kind === "comment" || /^["`[]/.test(piece.text) ? " " : piece.text))
    .join("");
  const found = [...bare.matchAll(/(?<![:\w]):([A-Za-z_]\w*)/g)].map((match) => match[1] ?? "");
  return [...new Set(found)];
}

/** The typed text as a value of the type; undefined if it does not fit. */
export function valueOf(type: string | undefined, text: string): string | number | boolean | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (type === "integer") return /^[-+]?\d+$/.test(trimmed) ? Number(trimmed) : undefined;
  if (type === "number") return Number.isFinite(Number(trimmed)) ? Number(trimmed) : undefined;
  if (type === "boolean") return /^(true|yes|1)$/i.test(trimmed) ? true : /^(false|no|0)$/i.test(trimmed) ? false : undefined;
  if (type === "date") return /^\d{4}-\d{2}-\d{2}$/.test(trimmed) ? trimmed : undefined;
  return text;
}

export interface Literal {
  /** which piece of the SQL it is */
  at: number;
  text: string;
  type: ParameterType;
  name: string;
  value: string;
}

function typeOf(piece: Piece): ParameterType {
  if (piece.kind === "number") return /^\d+$/.test(piece.text) ? "integer" : "number";
  return /^'\d{4}-\d{2}-\d{2}'$/.test(piece.text) ? "date" : "text";
}

/** Literals that columns are compared with; each can become a parameter. */
export function literalsIn(sql: string): Literal[] {
  const all = pieces(sql).map((piece, at) => ({ ...piece, at }));
  const solid = all.filter((piece) => piece.kind !== "space" && piece.kind !== "comment");
  const taken = new Set(placesIn(sql));
  const found: Literal[] = [];
  solid.forEach((piece, index) => {
    if (piece.kind !== "string" && piece.kind !== "number") return;
    let back = index - 1;
    if (!/^([=<>!]|LIKE|ILIKE)$/i.test(solid[back]?.text ?? "")) return;
    while (/^([=<>!]|NOT|LIKE|ILIKE)$/i.test(solid[back]?.text ?? "")) back--;
    const column = solid[back];
    if (column?.kind !== "name") return;
    const base = column.text.replace(/[^A-Za-z0-9_]/g, "").replace(/^\d/, "_$&") || "value";
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
    taken.add(name);
    const value = piece.kind === "string" ? piece.text.slice(1, -1).replaceAll("''", "'") : piece.text;
    found.push({ at: piece.at, text: piece.text, type: typeOf(piece), name, value });
  });
  return found;
}

/** The SQL with a parameter instead of the literal. */
export function withPlace(sql: string, literal: Literal): string {
  return pieces(sql)
    .map((piece, at) => (at === literal.at ? `:${literal.name}` : piece.text))
    .join("");
}
