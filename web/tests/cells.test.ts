import { describe, expect, it } from "vitest";
import { arrange, cellShown, columnShapes, columnWords, statistics, toTabs } from "../src/logic/cells";

const rows = [
  ["b", 10, null],
  ["A", 9, "x"],
  ["c", null, "X"],
  ["a10", "100.50", ""],
] as const;

describe("the grid's rows", () => {
  it("puts the points of amounts in a line", () => {
    const shape = columnShapes(["price", "id", "share"], [[203876.3, 1.5, 1 / 3], [5, 2, 2]]);
    expect(shape.map((each) => each.decimals)).toEqual([1, 1, 0]);
    expect(cellShown(5, true, 2)).toBe("5.00");
    expect(cellShown(203876.3, true, 2)).toBe("203,876.30");
    expect(cellShown(0.1 + 0.2, true, 1)).toBe("0.3");
  });

  it("groups decimals that came as text, and no other digits", () => {
    expect(cellShown("1234567.5", true, 2)).toBe("1,234,567.50");
    expect(cellShown("-98274.64", true, 2)).toBe("-98,274.64");
    expect(cellShown("12345678901234567890.123", true, 0)).toBe("12,345,678,901,234,567,890.123");
    for (const plain of ["01067", "4915112345678", "1.2.3", "12 000.50", ""]) expect(cellShown(plain, true, 2)).toBe(plain);
    expect(columnShapes(["amount"], [["100.5"], ["3.25"]])[0]).toMatchObject({ group: true, decimals: 2 });
  });

  it("says the names of columns in words", () => {
    expect(columnWords("sum_total_amount")).toBe("sum total amount");
    expect(columnWords("OrderDate")).toBe("order date");
    expect(columnWords("customerID")).toBe("customerID");
    expect(columnWords("GDP_2024")).toBe("GDP 2024");
    for (const plain of ["<svg onload=x>", "datum['x'] || expr", "COUNT(*)", "_", ""]) expect(columnWords(plain)).toBe(plain);
  });

  it("sorts numbers as numbers, texts as people do, and NULL always last", () => {
    expect(arrange(rows, "", { column: 1, descending: false })).toEqual([1, 0, 3, 2]);
    expect(arrange(rows, "", { column: 1, descending: true })).toEqual([3, 0, 1, 2]);
    expect(arrange(rows, "", { column: 0, descending: false })).toEqual([1, 3, 0, 2]);
  });

  it("keeps the order of equal rows", () => {
    const same = [["x", 1], ["x", 2], ["x", 3]];
    expect(arrange(same, "", { column: 0, descending: true })).toEqual([0, 1, 2]);
  });

  it("filters by any cell, whatever the case", () => {
    expect(arrange(rows, "X", undefined)).toEqual([1, 2]);
    expect(arrange(rows, " 100 ", undefined)).toEqual([3]);
    expect(arrange(rows, "nothing", undefined)).toEqual([]);
  });

  it("orders a hundred thousand rows", () => {
    const many = Array.from({ length: 100_000 }, (_, i) => [(i * 7919) % 100_003]);
    const order = arrange(many, "", { column: 0, descending: false });
    for (let i = 1; i < order.length; i++) {
      if ((many[order[i - 1] ?? 0]?.[0] ?? 0) > (many[order[i] ?? 0]?.[0] ?? 0)) expect.fail(`not in order at ${i}`);
    }
    expect(order).toHaveLength(100_000);
  });

  it("shows numbers without the noise of binary fractions, grouped only where that helps", () => {
    expect(cellShown(203876.29999999964, true)).toBe("203,876.3");
    expect(cellShown(0.1 + 0.2)).toBe("0.3");
    expect(cellShown(2024)).toBe("2024");
    expect(cellShown("12345678901234567890", true)).toBe("12345678901234567890");
    const shapes = columnShapes(["year", "customer_id", "amount", "name"], [[2024, 7, 1000, "n"]]);
    expect(shapes.map((shape) => shape.group)).toEqual([false, false, true, false]);
  });

  it("counts what a column holds", () => {
    expect(statistics(rows, 1)).toMatchObject({ count: 4, empty: 1, distinct: 3, min: "9", max: "100.50" });
    expect(statistics(rows, 1).sum).toBeCloseTo(119.5);
    expect(statistics(rows, 0)).toMatchObject({ mean: undefined, sum: undefined, distinct: 4 });
    expect(statistics([["a"], ["b"], ["a"]], 0).top[0]).toEqual({ text: "a", count: 2 });
    expect(statistics([], 0)).toMatchObject({ count: 0, distinct: 0, min: "", max: "" });
  });

  it("copies as spreadsheets read it, and lets no cell become a formula", () => {
    expect(toTabs(["a", "b"], [["=1+1", -5], ["x\ty", 'say "hi"'], [null, "@cmd"], ["-5", "+A1"]])).toBe(
      "a\tb\n'=1+1\t-5\n\"x\ty\"\t\"say \"\"hi\"\"\"\n\t'@cmd\n-5\t'+A1",
    );
  });
});
