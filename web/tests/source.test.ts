import { describe, expect, it } from "vitest";
import type { Table } from "../src/api/types";
import { named } from "../src/state/sources";
import { factsOf, likelyPairs } from "../src/logic/source";

const tables: Table[] = [
  { name: "orders", row_count: 10, columns: [{ name: "id", primary: true }, { name: "customer_id" }, { name: "ordered_at", max: "2025-12-31 20:12:37" }], foreign_keys: [{ columns: ["customer_id"], table: "customers", references: ["id"] }] },
  { name: "customers", row_count: 5, row_count_exact: false, columns: [{ name: "id", primary: true }, { name: "code", max: "2027-01-01" }] },
  { name: "promotions", row_count: 1, columns: [{ name: "ends_on", max: "2030-01-01" }] },
  { name: "items", row_count: 1, columns: [{ name: "order_id" }], foreign_keys: [{ columns: ["order_id"], table: "orders" }] },
  { name: "both", row_count: 1, columns: [], foreign_keys: [{ columns: ["a", "b"], table: "orders", references: ["x", "y"] }] },
];

describe("a source", () => {
  it("says how much is in it and how new it is", () => {
    expect(factsOf({ tables }, new Date("2026-05-01"))).toEqual({ tables: 5, rows: 18, exact: false, newest: "2025-12-31" });
    expect(factsOf({ tables: [{ name: "t", columns: [] }, { name: "v", kind: "view", columns: [] }] })).toEqual({ tables: 1, rows: undefined, exact: true, newest: undefined });
    expect(factsOf({})).toMatchObject({ tables: 0, rows: 0 });
  });
  it("has a name in what the server says", () => {
    const sources = [{ id: "dataset-6e89febbe890e540", title: "harbours" }, { id: "shop" }];
    expect(named("No table of 'dataset-6e89febbe890e540' fits.", sources)).toBe("No table of 'harbours' fits.");
    expect(named("No table of 'dataset-ffffffffffffffff' or shop fits.", sources)).toBe("No table of 'dataset-ffffffffffffffff' or shop fits.");
  });
  it("offers joins along keys, those inside of the query first", () => {
    expect(likelyPairs(tables, ["orders", "customers"])).toEqual([
      { left: "orders.customer_id", right: "customers.id" },
      { left: "items.order_id", right: "orders.id" },
    ]);
    expect(likelyPairs(tables, ["promotions"])).toEqual([]);
  });
});
