import { describe, expect, it } from "vitest";
import type { Answer } from "../src/api/types";
import { isChartable, recommend, specOf } from "../src/logic/chart";

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
    const spec = specOf([name, "n"], rows, { kind: "bar", x: 0, y: [1], series: undefined });
    const text = JSON.stringify({ ...spec, data: undefined }, (key, value: unknown) => (key === "title" ? undefined : value));
    for (const bad of ["alert", "href", "url", "expr", "signal", "datum"]) expect(text).not.toContain(bad);
    expect(spec.data).toEqual({ values: [{ x: rows[0]?.[0], y: 1 }, { x: rows[1]?.[0], y: 2 }] });
  });

  it("draw several columns as several series, and never too many points", () => {
    const rows = Array.from({ length: 9000 }, (_, i) => [i, i, -i]);
    const spec = specOf(["i", "up", "down"], rows, { kind: "line", x: 0, y: [1, 2], series: undefined });
    const { values } = spec.data as { values: { s: string }[] };
    expect(values).toHaveLength(5000);
    expect(new Set(values.map((point) => point.s))).toEqual(new Set(["up", "down"]));
  });
});
