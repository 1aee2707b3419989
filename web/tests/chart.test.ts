import { describe, expect, it } from "vitest";
import type { Answer } from "../src/api/types";
import { fitting, isChartable, isDrawnAtOnce, recommend } from "../src/logic/chart";
import { axis_label, specOf, type Point } from "../src/logic/spec";

const answer = (columns: string[], rows: Answer["rows"], chart?: Answer["chart"]): Answer => ({
  query_id: "q",
  status: "finished",
  state: "FINISHED",
  columns,
  ...(rows ? { rows } : {}),
  ...(chart ? { chart } : {}),
});

describe("charts", () => {
  it("are offered only where there is something to draw", () => {
    expect(isChartable(["a", "n"], [["x", 1], ["y", 2]])).toBe(true);
    expect(isChartable(["a", "b"], [["x", "1y"], ["y", "2y"]])).toBe(false);
    expect(isChartable(["n"], [[1], [2]])).toBe(false);
    expect(isChartable(["a", "n"], [["x", 1]])).toBe(false);
  });

  it("follow the service, and fall back where it says nothing usable", () => {
    const rows = [["2024-01", 1, 5], ["2024-02", 2, 6]];
    expect(recommend(answer(["m", "a", "b"], rows, { kind: "area", x: 0, y: [1, 2] }))).toEqual({
      kind: "area",
      x: 0,
      y: [1, 2],
      series: undefined,
    });
    expect(recommend(answer(["m", "a", "b"], rows)).kind).toBe("line");
    expect(recommend(answer(["m", "a", "b"], rows, { kind: "hologram", x: 9, y: [99] })).y).toEqual([2]);
    expect(recommend(answer(["name", "id"], [["x", 1], ["y", 2]])).kind).toBe("bar");
  });

  it("put names and cells into data and titles alone", () => {
    const name = "datum.x; javascript:alert(1)";
    const rows = [["<img src=x onerror=alert(1)>", 1], ["{{href}}", 2]];
    for (const kind of ["bar", "line", "area", "stacked", "share", "multiples", "arc", "scatter"] as const) {
      const { spec } = specOf([name, "n"], rows, { kind, x: 0, y: [1], series: kind === "bar" ? undefined : 0 });
      // values of the data may also be the order of an axis; an expression may only be the constant
      const hidden = new Set(["title", "values", "sort"]);
      const text = JSON.stringify(spec, (key, value: unknown) => (hidden.has(key) || value === axis_label ? undefined : value));
      for (const bad of ["alert", "href", "url", "expr", "signal", "datum", "Expr"]) expect(text).not.toContain(bad);
    }
    const { spec } = specOf([name, "n"], rows, { kind: "bar", x: 0, y: [1], series: undefined });
    const { values } = spec.data as { values: Point[] };
    expect(values.map(({ x, y }) => [x, y])).toEqual(rows);
  });

  it("draw several columns as several series, and never too many points", () => {
    const rows = Array.from({ length: 9000 }, (_, i) => [i, i, -i]);
    const { spec } = specOf(["i", "up", "down"], rows, { kind: "line", x: 0, y: [1, 2], series: undefined });
    const { values } = spec.data as { values: { s: string }[] };
    expect(values).toHaveLength(5000);
    expect(new Set(values.map((point) => point.s))).toEqual(new Set(["up", "down"]));
  });

  it("are drawn at once where the service says so and the page can draw it", () => {
    const rows: Answer["rows"] = [["DE", 1], ["FR", 2]];
    const bar = { kind: "bar", x: 0, y: [1] };
    expect(isDrawnAtOnce(answer(["country", "n"], rows, { ...bar, at_once: true }))).toBe(true);
    expect(isDrawnAtOnce(answer(["country", "n"], rows, { ...bar, at_once: false }))).toBe(false);
    expect(isDrawnAtOnce(answer(["country", "n"], rows, bar))).toBe(false);
    expect(isDrawnAtOnce(answer(["country", "n"], rows))).toBe(false);
    expect(isDrawnAtOnce(answer(["country", "n"], rows, { ...bar, kind: "hologram", at_once: true }))).toBe(false);
    expect(isDrawnAtOnce(answer(["n"], [[1]], { kind: "figure", y: [0], at_once: true }))).toBe(false);
  });

  it("draw every kind of the service as it says", () => {
    const rows = ["2024-01", "2024-02"].flatMap((month) => [..."abcdefgh"].map((group, i) => [month, group, i]));
    for (const kind of ["line", "area", "stacked", "share", "bar", "multiples"] as const) {
      const chosen = recommend(answer(["month", "group", "n"], rows, { kind, x: 0, y: [2], series: 1 }));
      expect(chosen).toEqual({ kind, x: 0, y: [2], series: 1 });
      expect(specOf(["month", "group", "n"], rows, chosen, 800).spec).toBeTruthy();
    }
    const many = answer(["month", "group", "n"], rows, { kind: "multiples", x: 0, y: [2], series: 1 });
    const { spec } = specOf(["month", "group", "n"], rows, recommend(many), 800);
    expect((spec.facet as { sort: string[] }).sort[0]).toBe("h");
    expect(fitting(many, recommend(many))).toContain("share");
  });

  it("sort bars, unless their names have an order, and leave the smallest out", () => {
    const names = (kind: "bar", columns: string[], rows: [string, number][]) => {
      const { spec, left } = specOf(columns, rows, { kind, x: 0, y: [1], series: undefined });
      const [{ encoding }] = spec.layer as [{ encoding: { x: { sort?: string[] }; y: { sort?: string[] } } }];
      return { order: encoding.y.sort ?? encoding.x.sort, left };
    };
    expect(names("bar", ["c", "n"], [["a", 1], ["b", 3], ["c", 2]])).toEqual({ order: ["b", "c", "a"], left: 0 });
    expect(names("bar", ["quarter", "n"], [["2024-Q1", 1], ["2024-Q2", 3]]).order).toEqual(["2024-Q1", "2024-Q2"]);
    expect(names("bar", ["day", "n"], [["Monday", 1], ["Tuesday", 3]]).order).toEqual(["Monday", "Tuesday"]);
    const many = names("bar", ["c", "n"], Array.from({ length: 50 }, (_, i): [string, number] => [`c${i}`, i]));
    expect([many.order?.length, many.order?.[0], many.left]).toEqual([20, "c49", 30]);
  });

  it("name the highest, the lowest and the last value of a line", () => {
    const rows = [["2024-01", 50], ["2024-02", 12345], ["2024-03", 7], ["2024-04", 60]];
    const { spec } = specOf(["month", "n"], rows, { kind: "line", x: 0, y: [1], series: undefined });
    const { values } = spec.data as { values: Point[] };
    expect(values.map((point) => point.a)).toEqual(["", "12.3K", "", "60"]);
    expect(values.map((point) => point.b)).toEqual(["", "", "7", ""]);
    expect(values[1]).toMatchObject({ v: "12,345", l: "Feb 2024" });
  });
});
