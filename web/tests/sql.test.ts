import { describe, expect, it } from "vitest";
import { layOut, pieces } from "../src/logic/sql";

const texts = [
  "SELECT count(*) FROM t WHERE a = 'it''s' -- end",
  'select "odd ""name" from `x` /* open',
  "SELECT '<script>alert(1)</script>' , 1e5, .5",
  "'open string",
  "naïve_column + 日本 ≥ 3",
  "\u{1F600}$$body$$ [sq br] ::int",
  "",
];

describe("SQL in colours", () => {
  it("never loses or adds a letter", () => {
    for (const text of texts) expect(pieces(text).map((piece) => piece.text).join("")).toBe(text);
  });

  it("tells the kinds apart", () => {
    const kinds = pieces("SELECT count(*), 'a' FROM \"t\" WHERE x > 1.5 --c")
      .filter((piece) => piece.kind !== "space")
      .map((piece) => `${piece.kind} ${piece.text}`);
    expect(kinds).toEqual([
      "keyword SELECT",
      "function count",
      "operator (",
      "operator *",
      "operator )",
      "operator ,",
      "string 'a'",
      "keyword FROM",
      'name "t"',
      "keyword WHERE",
      "name x",
      "operator >",
      "number 1.5",
      "comment --c",
    ]);
  });

  it("lays a long line out, and leaves the meaning alone", () => {
    const sql = "SELECT a.x, (SELECT max(y) FROM b WHERE b.i = a.i) FROM a LEFT JOIN c ON a.i = c.i WHERE a.z = 'FROM here' ORDER BY 1";
    const laid = layOut(sql);
    expect(laid.split("\n").map((line) => line.trim().split(" ")[0])).toEqual(["SELECT", "FROM", "LEFT", "WHERE", "ORDER"]);
    expect(laid.replace(/\s+/g, " ")).toBe(sql);
    expect(layOut("SELECT 1\nFROM t")).toBe("SELECT 1\nFROM t");
  });

  it("is quick on long and broken texts", () => {
    const long = `SELECT ${"(((".repeat(5000)}'${"x".repeat(50_000)}`;
    expect(pieces(long).map((piece) => piece.text).join("")).toBe(long);
  });
});
