import { describe, expect, it } from "vitest";
import type { Table } from "../src/api/types";
import { box, diagram } from "../src/logic/diagram";
import { findTables } from "../src/logic/search";

const table = (name: string, refers: string[] = [], columns: string[] = ["id"]): Table => ({
  name,
  columns: columns.map((each) => ({ name: each, primary: each === "id" })),
  foreign_keys: refers.map((to) => ({ columns: [`${to}_id`], table: to, references: ["id"] })),
});

describe("finding tables", () => {
  const tables = [
    table("order_items", [], ["id", "quantity"]),
    { ...table("customers"), comment: "People who order" },
    table("orders", [], ["id", "order_date"]),
    table("invoices", [], ["id", "order_id"]),
  ];

  it("puts the exact name first, then names, columns, descriptions", () => {
    expect(findTables(tables, "ORDERS").map((each) => each.name)).toEqual(["orders"]);
    expect(findTables(tables, "order").map((each) => each.name)).toEqual(["order_items", "orders", "invoices", "customers"]);
    expect(findTables(tables, "  ")).toHaveLength(4);
    expect(findTables(tables, "zzz")).toEqual([]);
  });
});

describe("the diagram", () => {
  it("puts a table right of those it refers to, and lets no two overlap", () => {
    const drawn = diagram([table("items", ["orders", "products"]), table("orders", ["customers"]), table("customers"), table("products")]);
    const x = (name: string) => drawn.boxes.find((each) => each.name === name)?.x ?? 0;
    expect(x("customers")).toBeLessThan(x("orders"));
    expect(x("orders")).toBeLessThan(x("items"));
    expect(drawn.links).toHaveLength(3);
    for (const a of drawn.boxes) {
      for (const b of drawn.boxes) {
        if (a === b || a.x !== b.x) continue;
        expect(a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true);
      }
      expect(a.x + box.width).toBeLessThanOrEqual(drawn.width);
      expect(a.y + a.height).toBeLessThanOrEqual(drawn.height);
    }
  });

  it("takes circles, tables that refer to themselves, and unknown ones", () => {
    const drawn = diagram([table("a", ["b", "a", "gone"]), table("b", ["a"])]);
    expect(drawn.boxes).toHaveLength(2);
    expect(drawn.links).toHaveLength(3);
  });

  it("draws the best connected of very many", () => {
    const many = Array.from({ length: 500 }, (_, i) => table(`t${i}`, i % 2 ? ["t0"] : []));
    const drawn = diagram(many);
    expect(drawn.boxes).toHaveLength(60);
    expect(drawn.left).toBe(440);
    expect(drawn.boxes.some((each) => each.name === "t0")).toBe(true);
    expect(diagram([])).toMatchObject({ boxes: [], links: [] });
  });
});
