// What becomes a lesson, what a saved query asks for, and what the answer's warnings mean.
import { describe, expect, it } from "vitest";
import type { Answer } from "../src/api/types";
import { learnedBy, wordsOf, type Lesson } from "../src/logic/lesson";
import { notesOf, otherReadings } from "../src/logic/notes";
import { literalsIn, placesIn, valueOf, withPlace } from "../src/logic/parameters";

const answer = (more: Partial<Answer>): Answer => ({ query_id: "q", status: "finished", state: "FINISHED", ...more });

describe("parameters", () => {
  it("finds places, and none in texts, casts, names and comments", () => {
    expect(placesIn("SELECT :a, 'no :b', x::int, \"q :c\" -- :d\nFROM t WHERE y = :e AND z > :a")).toEqual(["a", "e"]);
  });

  it("offers the values that columns are compared with", () => {
    const sql = "SELECT 1 FROM t WHERE t.country = 'O''Neil' AND day >= '2024-01-02' AND n < 3.5 LIMIT 7";
    const found = literalsIn(sql);
    expect(found.map(({ name, type, value }) => [name, type, value])).toEqual([
      ["country", "text", "O'Neil"],
      ["day", "date", "2024-01-02"],
      ["n", "number", "3.5"],
    ]);
    expect(withPlace(sql, found[0]!)).toContain("t.country = :country AND");
  });

  it("gives two places two names", () => {
    const found = literalsIn("SELECT 1 FROM t WHERE a >= 1 AND a < 5");
    expect(found.map((each) => each.name)).toEqual(["a", "a_2"]);
  });

  it("takes only what fits the kind", () => {
    expect(valueOf("integer", " 12 ")).toBe(12);
    expect(valueOf("integer", "1.5")).toBeUndefined();
    expect(valueOf("number", "x")).toBeUndefined();
    expect(valueOf("boolean", "Yes")).toBe(true);
    expect(valueOf("date", "2024-1-2")).toBeUndefined();
    expect(valueOf("text", "' OR 1=1")).toBe("' OR 1=1");
    expect(valueOf("number", " ")).toBeNull();
  });
});

describe("lessons", () => {
  const lessons: Lesson[] = [
    { id: "1", kind: "query_pattern", datasource: "shop", source: "user_correction", schema_name: "all people", actual_name: "SELECT 1" },
    { id: "2", kind: "table_mapping", datasource: "shop", source: "user_correction", schema_name: "people", actual_name: "customers" },
    { id: "3", kind: "table_mapping", datasource: "shop", source: "manual", schema_name: "folk", actual_name: "customers" },
    { id: "4", kind: "table_mapping", datasource: "other", source: "user_correction", schema_name: "people", actual_name: "customers" },
  ];
  it("are those that this correction taught", () => {
    const corrected = answer({ question: "not employees", rewritten_query: "all people", datasource: "shop", tables_used: ["customers"] });
    expect(learnedBy(corrected, lessons).map((each) => each.id)).toEqual(["1", "2"]);
  });
  it("are about the words that mean something", () => {
    expect(wordsOf("How many of the Customers are in Köln in 2024, by customers?")).toEqual(["customers", "köln"]);
  });
});

describe("notes", () => {
  it("say once that rows are missing", () => {
    const warnings = ["Only the first 1000 rows are shown; there are more.", "x"];
    expect(notesOf(answer({ truncated: true, warnings }))).toEqual(["x"]);
    expect(notesOf(answer({ warnings })).length).toBe(2);
    expect(notesOf(answer({}))).toEqual([]);
  });
  it("offer the readings that the answer is not by", () => {
    const readings = [
      { number: 1, words: "The number of orders.", differs: "The number of orders", used: true },
      { number: 2, words: "Everything about orders.", differs: "Everything about orders", used: false },
    ];
    expect(otherReadings(answer({ readings })).map((reading) => reading.number)).toEqual([2]);
    expect(otherReadings(answer({}))).toEqual([]);
  });
});
