// The numbers of a result that are worth a card: a single number, the numbers of a single row, the last value of a
// series with its change.
import type { Answer, Row } from "../api/types";
import { cellNumber, cellShown, cellText, columnWords } from "./cells";
import { roles } from "./chart";
import { fullNumber, periodWords } from "./label";

export interface Figure {
  value: string;
  /** what it is; "" if the heading says it */
  label: string;
  /** the period or the name that it belongs to */
  about?: string;
  /** against the value before */
  change?: { share: number; from: string };
  /** the values of the series, for a small line */
  line?: number[];
}

const most_figures = 4;
const longest = 40;
const not_amounts = /(^|[_\s])(id|ids|year|month|zip|code|number|no|phone|rank)$/i;
const before = /^(prev(ious)?|last|prior|old)[_ ]/i;

function single(columns: readonly string[], row: Row): Figure[] | undefined {
  if (columns.length !== 1) return undefined;
  const cell = row[0];
  const text = cellText(cell);
  if (!text || text.length > longest) return undefined;
  const group = typeof cell === "number" && !not_amounts.test(columns[0] ?? "");
  return [{ value: group ? fullNumber(cell) : typeof cell === "string" && /\./.test(text) ? fullNumber(cell) : cellShown(cell), label: "" }];
}

/** From one number to another; undefined where a share says nothing. */
function change(now: number, then: number, from: string): Figure["change"] {
  if (!(then > 0) || now < 0) return undefined;
  return { share: (now - then) / then, from };
}

/** "revenue" beside "previous_revenue" gets its change. */
function inRow(columns: readonly string[], row: Row): Figure[] {
  const numbers = columns.flatMap((name, index) => (Number.isNaN(cellNumber(row[index])) || not_amounts.test(name) ? [] : [index]));
  const words = columns.flatMap((_, index) => {
    const text = cellText(row[index]);
    return Number.isNaN(cellNumber(row[index])) && text ? [periodWords(text)] : [];
  });
  const about = words.slice(0, 3).join(" · ");
  const earlier = numbers.filter((index) => before.test(columns[index] ?? ""));
  return numbers
    .filter((index) => !earlier.includes(index))
    .slice(0, most_figures)
    .map((index): Figure => {
      const name = columns[index] ?? "";
      const then = earlier.find((each) => (columns[each] ?? "").replace(before, "") === name) ?? (numbers.length === 2 ? earlier[0] : undefined);
      const made = then === undefined ? undefined : change(cellNumber(row[index]), cellNumber(row[then]), `${fullNumber(row[then])}`);
      return { value: fullNumber(row[index]), label: columnWords(name), ...(about ? { about } : {}), ...(made ? { change: made } : {}) };
    });
}

/** A period that is not over would look like a fall. */
function isOver(period: string, today: Date): boolean {
  const now = today.toISOString();
  return !now.startsWith(period.slice(0, 10));
}

/** One row for each period, and nothing else to tell the rows apart. */
function series(answer: Answer, today: Date): Figure[] {
  const columns = answer.columns ?? [];
  const rows = answer.rows ?? [];
  const role = roles(columns, rows);
  const time = role.indexOf("time");
  if (time < 0 || role.includes("text") || role.filter((each) => each === "time").length > 1 || answer.truncated) return [];
  const sorted = [...rows].sort((a, b) => (cellText(a[time]) < cellText(b[time]) ? -1 : 1));
  if (new Set(sorted.map((row) => cellText(row[time]))).size !== rows.length) return [];
  const last = sorted[sorted.length - 1] ?? [];
  const previous = sorted[sorted.length - 2] ?? [];
  const numbers = role.flatMap((each, index) => (each === "number" && !not_amounts.test(columns[index] ?? "") ? [index] : []));
  const period = cellText(last[time]);
  return numbers.slice(0, most_figures).map((index): Figure => {
    const line = sorted.map((row) => cellNumber(row[index])).filter((value) => !Number.isNaN(value));
    const made = isOver(period, today) ? change(cellNumber(last[index]), cellNumber(previous[index]), periodWords(cellText(previous[time]))) : undefined;
    return {
      value: fullNumber(last[index]),
      label: columnWords(columns[index] ?? ""),
      about: periodWords(period),
      ...(made ? { change: made } : {}),
      ...(line.length > 2 ? { line } : {}),
    };
  });
}

export function figuresOf(answer: Answer, today = new Date()): Figure[] {
  const columns = answer.columns ?? [];
  const rows = answer.rows ?? [];
  const [first] = rows;
  if (!first) return [];
  if (rows.length > 1) return series(answer, today);
  return single(columns, first) ?? (columns.length > 1 && columns.length <= 6 ? inRow(columns, first) : []);
}

/** The line as the points of a polyline in a box of this size. */
export function sparkline(values: readonly number[], width: number, height: number): string {
  const least = Math.min(...values);
  const span = Math.max(...values) - least || 1;
  const step = width / Math.max(1, values.length - 1);
  return values.map((value, index) => `${(index * step).toFixed(1)},${(height - ((value - least) / span) * height).toFixed(1)}`).join(" ");
}

/** "+3.2 %": with a sign, and without a digit that says nothing. */
export function changeWords(share: number): string {
  const percent = share * 100;
  const digits = Math.abs(percent) < 10 ? 1 : 0;
  const text = Math.abs(percent).toLocaleString("en", { maximumFractionDigits: digits });
  return `${percent < 0 ? "−" : "+"}${text} %`;
}
