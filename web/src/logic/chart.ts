// Which chart shows a result: the service chooses one, and says whether it is drawn at once; the user may choose
// another. spec.ts draws it.
import type { Answer, Cell, Row } from "../api/types";
import { cellNumber, cellText } from "./cells";

export const kinds = ["bar", "line", "area", "stacked", "share", "multiples", "arc", "scatter"] as const;
export type Kind = (typeof kinds)[number];
export type Role = "number" | "time" | "text";

export interface Choice {
  kind: Kind;
  x: number;
  y: number[];
  series: number | undefined;
}

const date = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?)?/;
/** Texts whose order is not the alphabet's: quarters, months, days of the week. */
const ordered = /^(\d{4}[- ]?)?(q[1-4]|w\d{1,2}|(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)$/i;
const idLike = /(^|[_\s])id$/i;
const rows_looked_at = 200;
/** more lines than these in one chart cannot be told apart */
const most_lines = 6;
const most_multiples = 24;
const most_slices = 8;

export function roleOf(rows: readonly Row[], column: number): Role {
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

/** Whether the values of the column have an order of their own, so that bars must not be sorted by length. */
export function isOrdered(rows: readonly Row[], column: number): boolean {
  const role = roleOf(rows, column);
  if (role !== "text") return true;
  const cells = rows.slice(0, rows_looked_at).map((row) => cellText(row[column])).filter(Boolean);
  return cells.length > 0 && cells.every((text) => ordered.test(text));
}

export function isChartable(columns: readonly string[], rows: readonly Row[]): boolean {
  return rows.length > 1 && columns.length > 1 && roles(columns, rows).includes("number");
}

export function distinct(rows: readonly Row[], column: number): number {
  return new Set(rows.map((row) => cellText(row[column]))).size;
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
  return { kind, x: time ?? text ?? others[0] ?? y, y: [y], series: kind === "line" ? text : undefined };
}

/** Many lines in one chart become a small chart for each. */
function parted(choice: Choice, rows: readonly Row[]): Choice {
  if (choice.kind !== "line" || choice.series === undefined || distinct(rows, choice.series) <= most_lines) return choice;
  return { ...choice, kind: "multiples" };
}

/** The chart that the server recommends if these rows allow it; otherwise the default. */
export function recommend(answer: Answer): Choice {
  const columns = answer.columns ?? [];
  const rows = answer.rows ?? [];
  const chart = answer.chart;
  const inside = (index: unknown): index is number =>
    typeof index === "number" && Number.isInteger(index) && index >= 0 && index < columns.length;
  const kind = kinds.find((each) => each === chart?.kind);
  const y = [chart?.y ?? []].flat().filter(inside);
  if (!chart || !kind || y.length === 0) return parted(guess(columns, rows), rows);
  const x = inside(chart.x) ? chart.x : (y[0] ?? 0);
  return { kind, x, y, series: inside(chart.series) ? chart.series : undefined };
}

/** Whether the chart says more than the table: the service decides it, from the same rows as the kind. */
export function isDrawnAtOnce({ columns = [], rows = [], chart }: Answer): boolean {
  return chart?.at_once === true && kinds.some((kind) => kind === chart.kind) && isChartable(columns, rows);
}

/** The kinds that suit these rows, for choosing one with a click. */
export function fitting(answer: Answer, choice: Choice): Kind[] {
  const rows = answer.rows ?? [];
  const columns = answer.columns ?? [];
  const numbers = roles(columns, rows).filter((role) => role === "number").length;
  const split = choice.series !== undefined || choice.y.length > 1;
  const groups = choice.series === undefined ? choice.y.length : distinct(rows, choice.series);
  const positive = rows.every((row) => !(cellNumber(row[choice.y[0] ?? 0]) < 0));
  const fits: Record<Kind, boolean> = {
    bar: true,
    line: isOrdered(rows, choice.x),
    area: isOrdered(rows, choice.x) && positive,
    stacked: split && positive,
    share: split && positive,
    multiples: split && groups <= most_multiples,
    arc: !split && positive && rows.length <= most_slices,
    scatter: numbers > 1 && !split,
  };
  return kinds.filter((kind) => fits[kind] || kind === choice.kind);
}

export function valueOf(cell: Cell | undefined, role: Role): string | number | null {
  if (cell === null || cell === undefined) return null;
  return role === "number" ? cellNumber(cell) : cellText(cell);
}
