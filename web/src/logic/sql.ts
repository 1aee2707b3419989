// Cuts SQL into coloured pieces with a small lexer. The pieces joined are exactly the text,
// whatever it is, so that nothing is hidden or added.

export type PieceKind = "keyword" | "function" | "name" | "string" | "number" | "comment" | "operator" | "space";

export interface Piece {
  kind: PieceKind;
  text: string;
}

const keywords = new Set(
  (
    "ALL AND ANY AS ASC BETWEEN BY CASE CAST COLLATE CROSS CURRENT DATE DELETE DESC DISTINCT ELSE END ESCAPE EXCEPT " +
    "EXISTS FALSE FETCH FILTER FIRST FOLLOWING FOR FROM FULL GROUP HAVING IGNORE IN INNER INSERT INTERSECT INTERVAL " +
    "INTO IS JOIN LAST LATERAL LEFT LIKE ILIKE LIMIT NATURAL NOT NULL NULLS OFFSET ON ONLY OR ORDER OUTER OVER " +
    "PARTITION PRECEDING QUALIFY RANGE RECURSIVE RIGHT ROW ROWS SELECT SET SIMILAR TABLE THEN TIME TIMESTAMP TO TRUE " +
    "UNBOUNDED UNION UNIQUE UPDATE USING VALUES WHEN WHERE WINDOW WITH"
  ).split(" "),
);

// tried in this order at every place; the last one takes any single character
const rules: [PieceKind | "word", RegExp][] = [
  ["space", /\s+/y],
  ["comment", /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ["string", /'(?:[^']|'')*(?:'|$)/y],
  ["name", /"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\[[^\]\n]*\]/y],
  ["number", /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["word", /[\p{L}_][\p{L}\p{N}_$]*/uy],
  ["operator", /[\s\S]/uy],
];

function kindOf(word: string, rest: string): PieceKind {
  if (keywords.has(word.toUpperCase())) return "keyword";
  return /^\s*\(/.test(rest) ? "function" : "name";
}

export function pieces(sql: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  while (at < sql.length) {
    for (const [kind, rule] of rules) {
      rule.lastIndex = at;
      const text = rule.exec(sql)?.[0];
      if (!text) continue;
      at += text.length;
      found.push({ kind: kind === "word" ? kindOf(text, sql.slice(at, at + 40)) : kind, text });
      break;
    }
  }
  return found;
}

const breaks = /^(SELECT|FROM|WHERE|GROUP|HAVING|ORDER|LIMIT|UNION|EXCEPT|INTERSECT|WINDOW|QUALIFY)$/;
const joins = /^(JOIN|LEFT|RIGHT|FULL|CROSS|INNER|NATURAL)$/;

/** Breaks one long line of SQL into several; text with line breaks is not changed. */
export function layOut(sql: string): string {
  if (sql.includes("\n") || sql.length < 60) return sql;
  let depth = 0;
  let out = "";
  let before = "";
  for (const piece of pieces(sql)) {
    if (piece.text === "(") depth++;
    else if (piece.text === ")") depth--;
    const word = piece.kind === "keyword" ? piece.text.toUpperCase() : "";
    const starts = breaks.test(word) || (joins.test(word) && !joins.test(before) && before !== "OUTER");
    if (depth === 0 && out && starts) out = `${out.trimEnd()}\n${joins.test(word) ? "  " : ""}`;
    out += piece.text;
    if (piece.kind !== "space") before = word;
  }
  return out;
}
