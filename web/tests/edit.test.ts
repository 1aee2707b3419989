// Changing an answer: completion of SQL, what the guard says, the parts of an answer.
import { describe, expect, test } from "vitest";
import type { PartsOfQuery, Table } from "../src/api/types";
import { complete, quoted, relationsOf, taken } from "../src/logic/complete";
import { canRemove, isComplete, isPeriod, placed, removed } from "../src/logic/parts";
import { placeOfByte, wrongPiece } from "../src/logic/verdict";

const tables: Table[] = [
  { name: "customers", columns: [{ name: "id", primary: true }, { name: "name" }, { name: "city" }] },
  {
    name: "orders",
    columns: [{ name: "id", primary: true }, { name: "customer_id" }, { name: "total", type: "REAL" }, { name: "order" }],
    foreign_keys: [{ columns: ["customer_id"], table: "customers", references: ["id"] }],
  },
  { name: "odd name", columns: [{ name: "x" }] },
];

/** The caret is at the bar. */
function at(text: string, asked = false) {
  const caret = text.indexOf("|");
  return complete(text.replace("|", ""), caret, tables, "sqlite", asked)?.items.map((item) => item.text);
}

describe("completion", () => {
  test("tables after FROM", () => {
    expect(at("SELECT * FROM o|")).toEqual(["orders", '"odd name"']);
    expect(at("SELECT * FROM orders, cu|")).toEqual(["customers"]);
  });
  test("columns of the tables in the query", () => {
    expect(at("SELECT to| FROM orders")?.[0]).toBe("total");
    expect(at("SELECT cit| FROM orders")).toBeUndefined();
    expect(at("SELECT cit| FROM orders JOIN customers ON 1")?.[0]).toBe("city");
  });
  test("one name in two tables is written with its table", () => {
    expect(at("SELECT id| FROM orders o JOIN customers c ON 1")).toEqual(["o.id", "c.id", "customer_id"]);
  });
  test("columns of an alias", () => {
    expect(at("SELECT o.| FROM orders o")).toEqual(["id", "customer_id", "total", '"order"']);
    expect(at("SELECT c.n| FROM orders o JOIN customers AS c ON 1")).toEqual(["name"]);
    expect(at("SELECT zz.| FROM orders o")).toBeUndefined();
  });
  test("joins along keys", () => {
    expect(at("SELECT * FROM orders o JOIN c|")?.[0]).toBe("customers ON o.customer_id = customers.id");
    expect(at("SELECT * FROM orders o JOIN customers c ON |", true)?.[0]).toBe("o.customer_id = c.id");
  });
  test("keywords and functions", () => {
    expect(at("SEL|")).toEqual(["SELECT"]);
    expect(at("SELECT strf| FROM orders")).toEqual(["STRFTIME"]);
    expect(at("SELECT id FROM orders WHE|")?.[0]).toBe("WHERE");
  });
  test("nothing in texts, comments and numbers, nor without a letter", () => {
    expect(at("SELECT 'to| FROM orders")).toBeUndefined();
    expect(at("SELECT 1 -- to|")).toBeUndefined();
    expect(at("SELECT 12|")).toBeUndefined();
    expect(at("SELECT |")).toBeUndefined();
    expect(at("SELECT |", true)?.length).toBeGreaterThan(3);
  });
  test("whatever is typed, it ends and is exact", () => {
    const parts = ["SELECT ", "o", ".", "(", ")", "'", '"', "`", ",", " FROM ", " JOIN ", "orders", " ON ", "--", "\n", "é", "💡", "["];
    let seed = 7;
    for (let round = 0; round < 2000; round++) {
      let text = "";
      for (let n = 0; n < 12; n++) text += parts[(seed = (seed * 1103515245 + 12345) % 2147483648) % parts.length];
      const caret = seed % (text.length + 1);
      const found = complete(text, caret, tables, "sqlite", true);
      if (!found) continue;
      expect(found.to).toBe(caret);
      const after = taken(text, found, found.items[0]!);
      expect(after.text.startsWith(text.slice(0, found.from))).toBe(true);
      expect(after.text.endsWith(text.slice(caret))).toBe(true);
    }
  });
  test("names are quoted as the dialect wants it", () => {
    expect(quoted("order", "mysql")).toBe("`order`");
    expect(quoted('a"b', "postgres")).toBe('"a""b"');
    expect(quoted("total", "sqlite")).toBe("total");
  });
  test("relations", () => {
    const found = relationsOf('SELECT * FROM main.orders AS o, "customers" WHERE x IN (1, 2)', tables);
    expect(found.map((each) => `${each.name}=${each.table.name}`)).toEqual(["o=orders", "customers=customers"]);
  });
});

describe("the guard's word", () => {
  const no = { allowed: false, write: false, unparsable: false };
  test("bytes are not letters", () => {
    expect(placeOfByte("é💡x", 6)).toBe(3);
    expect(placeOfByte("abc", 99)).toBe(3);
  });
  test("the piece at the position, or with the name", () => {
    const sql = "SELECT 'ü', foo FROM ordrs";
    expect(wrongPiece(sql, { ...no, position: 22 })).toEqual({ from: 21, to: 26 });
    expect(wrongPiece(sql, { ...no, reason: "Column 'orders.foo' doesn't exist." })).toEqual({ from: 12, to: 15 });
    expect(wrongPiece("SELECT id FROM", { ...no, position: 14 })).toEqual({ from: 10, to: 14 });
    expect(wrongPiece("", { ...no, position: 0 })).toBeUndefined();
    expect(wrongPiece(sql, { ...no, allowed: true, position: 3 })).toBeUndefined();
  });
});

describe("parts", () => {
  const parts: PartsOfQuery = {
    measures: [{ figure: "sum", column: "orders.total" }, { figure: "count", table: "orders" }],
    columns: [{ column: "customers.city" }],
    filters: [],
    order: [{ measure: 1, descending: true }],
    limit: 5,
  };
  test("an order follows its figure", () => {
    expect(removed(parts, "measures", 0).order).toEqual([{ measure: 0, descending: true }]);
    expect(removed(parts, "measures", 1).order).toBeUndefined();
    expect(removed(parts, "columns", 0).order).toEqual(parts.order);
  });
  test("a date brings its own order, another column does not", () => {
    expect(placed(parts, "columns", 0, { column: "orders.at", by: "month" }).order).toBeUndefined();
    expect(placed(parts, "columns", 0, { column: "orders.status" }).order).toEqual(parts.order);
    expect(placed(parts, "columns", undefined, { column: "orders.status" }).columns?.length).toBe(2);
  });
  test("rows become a figure", () => {
    const rows = { columns: [{ column: "orders.id" }], order: [{ column: 0 }] };
    expect(placed(rows, "measures", undefined, { figure: "count", table: "orders" })).toEqual({ measures: [{ figure: "count", table: "orders" }], columns: [] });
  });
  test("something is left to show", () => {
    expect(canRemove(parts, "columns")).toBe(true);
    expect(canRemove({ measures: [{ kept: 0 }] }, "measures")).toBe(false);
    expect(canRemove({ measures: [{ kept: 0 }] }, "filters")).toBe(true);
  });
  test("conditions with all their values", () => {
    expect(isComplete({ column: "a.b", test: "is", values: [] })).toBe(false);
    expect(isComplete({ column: "a.b", test: "is", values: ["x", "y"] })).toBe(true);
    expect(isComplete({ column: "a.b", test: "between", values: ["1"] })).toBe(false);
    expect(isComplete({ column: "a.b", test: "empty", values: [] })).toBe(true);
    expect(isComplete({ column: "a.b", test: "in", values: ["last year"] })).toBe(true);
    expect(isComplete({ column: "a.b", test: "in", values: ["soon"] })).toBe(false);
  });
  test("periods", () => {
    for (const good of ["2024", "2024-Q1", "2024-03", "2024-03-15", "--03", "last 3 months", "2 weeks ago", "this year"]) expect(isPeriod(good)).toBe(true);
    for (const bad of ["24", "2024-Q5", "last", "last 3", "tomorrow", "2024' OR 1"]) expect(isPeriod(bad)).toBe(false);
  });
});
