// Charts: the server recommends one for the result, the user may change it, and this file writes
// it as Vega-Lite. Names and cells are data there, never code: the fields are called x, y and s.
import type { Answer, Cell, Row } from "../api/types";
import { cellNumber, cellText } from "./cells";

export const kinds = ["bar", "line", "area", "stacked", "arc", "scatter"] as const;
export type Kind = (typeof kinds)[number];
export type Role = "number" | "time" | "text";

export interface Choice {
  kind: Kind;
  x: number;
  y: number[];
  series: number | undefined;
}

const date = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?)?/;
const idLike = /(^|[_\s])id$/i;
const rows_looked_at = 200;
const most_points = 5000;

function roleOf(rows: readonly Row[], column: number): Role {
  let seen = 0;
  let numbers = 0;
  let times = 0;
  for (const row of rows.slice(0, rows_looked_at)) {
    const cell = row[column];
    if (cell === null || cell === undefined) continue;
    seen++;
    if (!Number.isNaN(cellNumber(cell))) numbers++;
    else if (typeof cell === "string" && date.test(cell)) times++;
  }
  if (seen === 0) return "text";
  return numbers === seen ? "number" : times === seen ? "time" : "text";
}

export function roles(columns: readonly string[], rows: readonly Row[]): Role[] {
  return columns.map((_, index) => roleOf(rows, index));
}

export function isChartable(columns: readonly string[], rows: readonly Row[]): boolean {
  return rows.length > 1 && columns.length > 1 && roles(columns, rows).includes("number");
}

/** The default, if the server recommends nothing. */
function guess(columns: readonly string[], rows: readonly Row[]): Choice {
  const role = roles(columns, rows);
  const numbers = role.flatMap((each, index) => (each === "number" ? [index] : []));
  const y = [...numbers].reverse().find((index) => !idLike.test(columns[index] ?? "")) ?? numbers[0] ?? 0;
  const others = columns.map((_, index) => index).filter((index) => index !== y);
  const time = others.find((index) => role[index] === "time");
  const text = others.find((index) => role[index] === "text");
  const kind: Kind = time !== undefined ? "line" : text !== undefined ? "bar" : "scatter";
  return { kind, x: time ?? text ?? others[0] ?? y, y: [y], series: undefined };
}

/** The chart that the server recommends if these rows allow it; otherwise the default. */
export function recommend(answer: Answer): Choice {
  const columns = answer.columns ?? [];
  const chart = answer.chart;
  const inside = (index: unknown): index is number =>
    typeof index === "number" && Number.isInteger(index) && index >= 0 && index < columns.length;
  const kind = kinds.find((each) => each === chart?.kind);
  const y = [chart?.y ?? []].flat().filter(inside);
  if (!chart || !kind || y.length === 0) return guess(columns, answer.rows ?? []);
  const x = inside(chart.x) ? chart.x : (y[0] ?? 0);
  return { kind, x, y, series: inside(chart.series) ? chart.series : undefined };
}

function value(cell: Cell | undefined, role: Role): string | number | null {
  if (cell === null || cell === undefined) return null;
  return role === "number" ? cellNumber(cell) : cellText(cell);
}

interface Point {
  x: string | number | null;
  y: number | null;
  s?: string;
}

/** One point for each row and each column of numbers. */
function points(columns: readonly string[], rows: readonly Row[], choice: Choice, role: Role): Point[] {
  const several = choice.y.length > 1;
  const made: Point[] = [];
  for (const row of rows) {
    for (const y of choice.y) {
      if (made.length >= most_points) return made;
      const number = cellNumber(row[y]);
      const point: Point = { x: value(row[choice.x], role), y: Number.isNaN(number) ? null : number };
      if (several) point.s = columns[y] ?? "";
      else if (choice.series !== undefined) point.s = cellText(row[choice.series]);
      made.push(point);
    }
  }
  return made;
}

type Spec = Record<string, unknown>;

const marks: Record<Kind, Spec> = {
  bar: { type: "bar", cornerRadiusEnd: 2 },
  line: { type: "line", point: true, interpolate: "monotone" },
  area: { type: "area", opacity: 0.7 },
  stacked: { type: "bar" },
  arc: { type: "arc", innerRadius: 60 },
  scatter: { type: "point", filled: true, size: 50 },
};

export function specOf(columns: readonly string[], rows: readonly Row[], choice: Choice): Spec {
  const role = roleOf(rows, choice.x);
  const discrete = choice.kind === "bar" || choice.kind === "stacked" || choice.kind === "arc";
  const type = role === "number" ? (discrete ? "ordinal" : "quantitative") : role === "time" && !discrete ? "temporal" : "nominal";
  const several = choice.y.length > 1;
  const xTitle = columns[choice.x] ?? "";
  const yTitle = several ? "" : (columns[choice.y[0] ?? 0] ?? "");
  const sTitle = several || choice.series === undefined ? "" : (columns[choice.series] ?? "");
  const parted = several || choice.series !== undefined;
  const x = { field: "x", type, title: xTitle, sort: null };
  const y = { field: "y", type: "quantitative", title: yTitle };
  const s = { field: "s", type: "nominal", title: sTitle || null };
  const tooltip = [x, y, ...(parted ? [s] : [])].map(({ field, type: kind, title }) => ({ field, type: kind, title: title || field }));
  const base = {
    data: { values: points(columns, rows, choice, role) },
    width: "container",
    height: 340,
    mark: marks[choice.kind],
  };
  if (choice.kind === "arc") {
    const colour = { field: "x", type: "nominal", title: xTitle || null, sort: null };
    return { ...base, encoding: { theta: { ...y, stack: true }, color: colour, tooltip } };
  }
  return { ...base, encoding: { x, y, ...(parted ? { color: s } : {}), tooltip } };
}
