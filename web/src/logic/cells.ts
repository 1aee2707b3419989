// How cells are shown, compared, counted and copied.
import type { Cell, Row } from "../api/types";

export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "object") return JSON.stringify(cell);
  return String(cell);
}

const numeric = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number a cell is, or NaN; decimals and long integers come as text. */
export function cellNumber(cell: Cell | undefined): number {
  if (typeof cell === "number") return cell;
  return typeof cell === "string" && numeric.test(cell) ? Number(cell) : NaN;
}

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

/** Amounts of a column with the same number of decimals, so that the decimal points are aligned. */
const fixed = [0, 1, 2, 3, 4].map((digits) => new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: 20 }));

const cleaned = (number: number): number => (Number.isInteger(number) ? number : Number(number.toPrecision(12)));

/** A decimal that came as text, because a JSON number would lose digits: separators, and no digit changed. Other
 *  digits in a text may be a postal code. */
function groupedText(text: string, decimals: number): string {
  const parts = /^(-?)(0|[1-9]\d*)\.(\d+)$/.exec(text);
  if (!parts) return text;
  const [, sign = "", whole = "", fraction = ""] = parts;
  const padded = fraction.padEnd(decimals, "0");
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${padded ? `.${padded}` : ""}`;
}

/** As shown in the grid: without digits that only binary arithmetic made, and amounts with thousands
 *  separators. Copying and exporting use the cell itself. */
export function cellShown(cell: Cell | undefined, group = false, decimals = 0): string {
  if (typeof cell === "string" && group) return groupedText(cell, decimals);
  if (typeof cell !== "number" || Math.abs(cell) >= 1e15) return cellText(cell);
  const clean = cleaned(cell);
  return group ? (fixed[decimals] ?? grouped).format(clean) : String(clean);
}

function decimalsOf(cell: Cell | undefined): number {
  if (typeof cell === "string") return /^-?\d+\.(\d+)$/.exec(cell)?.[1]?.length ?? 0;
  if (typeof cell !== "number" || Number.isInteger(cell)) return 0;
  const text = String(cleaned(cell));
  return text.includes("e") ? 9 : text.length - text.indexOf(".") - 1;
}

export interface ColumnShape {
  number: boolean;
  /** whether thousands may be grouped: amounts yes, ids and years no */
  group: boolean;
  /** digits after the point that every amount of the column gets; 0 where they differ too much */
  decimals: number;
  /** width in characters: of the widest of the first cells, or of the title */
  width: number;
}

/** A column's name as words: "sum_total_amount" is read as "sum total amount". Other titles stay as they are. */
export function columnWords(name: string): string {
  if (!/^[\p{L}_][\p{L}\d_]*$/u.test(name)) return name;
  const words = name.replace(/([\p{Ll}\d])(?=\p{Lu}\p{Ll})/gu, "$1 ").replaceAll("_", " ").trim();
  return words.replace(/\p{Lu}\p{Ll}+/gu, (word) => word.toLowerCase()) || name;
}

const plain = /(^|[_\s])(id|ids|year|zip|code|number|no|phone)$/i;

export function columnShapes(columns: readonly string[], rows: readonly Row[]): ColumnShape[] {
  const sample = rows.slice(0, 200);
  return columns.map((title, index) => {
    let width = title.length + 3;
    let numbers = 0;
    let others = 0;
    let decimals = 0;
    for (const row of sample) {
      const cell = row[index];
      width = Math.max(width, cellShown(cell, true).length);
      if (cell === null || cell === undefined || cell === "") continue;
      decimals = Math.max(decimals, decimalsOf(cell));
      if (Number.isNaN(cellNumber(cell))) others++;
      else numbers++;
    }
    const number = numbers > 0 && others === 0;
    return { number, group: number && !plain.test(title), decimals: decimals < fixed.length ? decimals : 0, width: Math.min(Math.max(width, 6), 44) };
  });
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** NULLs always last; numbers as numbers when both are. */
export function compareCells(a: Cell | undefined, b: Cell | undefined): number {
  const aEmpty = a === null || a === undefined;
  const bEmpty = b === null || b === undefined;
  if (aEmpty || bEmpty) return Number(aEmpty) - Number(bEmpty);
  const x = cellNumber(a);
  const y = cellNumber(b);
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return collator.compare(cellText(a), cellText(b));
}

export interface Sorting {
  column: number;
  descending: boolean;
}

/** The texts of each row in lower case, kept as long as the rows: a filter is typed letter by letter. */
const lowered = new WeakMap<readonly Row[], string[]>();
/** nobody can type it, so that no filter matches across two cells */
const between = "\u0000";

function textsOf(rows: readonly Row[]): string[] {
  let texts = lowered.get(rows);
  if (!texts) {
    texts = rows.map((row) => row.map(cellText).join(between).toLowerCase());
    lowered.set(rows, texts);
  }
  return texts;
}

/** The indexes of the rows to show, in this order. */
export function arrange(rows: readonly Row[], filter: string, sorting: Sorting | undefined): number[] {
  const wanted = filter.trim().toLowerCase();
  const order: number[] = [];
  const texts = wanted ? textsOf(rows) : [];
  for (let index = 0; index < rows.length; index++) {
    if (!wanted || texts[index]?.includes(wanted)) order.push(index);
  }
  if (!sorting) return order;
  const ranks = ranksOf(rows, sorting);
  return order.sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b);
}

/** A number for each row by which it is sorted. Only distinct values are compared, so that a hundred
 *  thousand rows are sorted quickly. NULLs come last in both directions. */
function ranksOf(rows: readonly Row[], { column, descending }: Sorting): Float64Array {
  const empty = (cell: Cell | undefined) => cell === null || cell === undefined;
  const ranks = new Float64Array(rows.length);
  const numbers = rows.every((row) => empty(row[column]) || !Number.isNaN(cellNumber(row[column])));
  const sign = descending ? -1 : 1;
  if (numbers) {
    rows.forEach((row, index) => {
      ranks[index] = empty(row[column]) ? Infinity : sign * cellNumber(row[column]);
    });
    return ranks;
  }
  const values = new Map<string, Cell>();
  for (const row of rows) {
    const cell = row[column];
    if (cell !== null && cell !== undefined) values.set(cellText(cell), cell);
  }
  const sorted = [...values].sort((a, b) => compareCells(a[1], b[1]));
  const place = new Map<string, number>();
  let rank = 0;
  sorted.forEach(([text, cell], index) => {
    if (index > 0 && compareCells(sorted[index - 1]?.[1], cell) !== 0) rank++;
    place.set(text, rank);
  });
  rows.forEach((row, index) => {
    ranks[index] = empty(row[column]) ? Infinity : sign * (place.get(cellText(row[column])) ?? 0);
  });
  return ranks;
}

export interface ColumnStatistics {
  count: number;
  empty: number;
  distinct: number;
  min: string;
  max: string;
  mean: number | undefined;
  sum: number | undefined;
  /** the most frequent values, for texts */
  top: { text: string; count: number }[];
}

export function statistics(rows: readonly Row[], column: number): ColumnStatistics {
  const counts = new Map<string, number>();
  let empty = 0;
  let sum = 0;
  let numbers = 0;
  let least: Cell | undefined;
  let most: Cell | undefined;
  for (const row of rows) {
    const cell = row[column];
    if (cell === null || cell === undefined) {
      empty++;
      continue;
    }
    counts.set(cellText(cell), (counts.get(cellText(cell)) ?? 0) + 1);
    if (least === undefined || compareCells(cell, least) < 0) least = cell;
    if (most === undefined || compareCells(cell, most) > 0) most = cell;
    const number = cellNumber(cell);
    if (!Number.isNaN(number)) {
      sum += number;
      numbers++;
    }
  }
  const present = rows.length - empty;
  const all = present > 0 && numbers === present;
  const top = [...counts].sort((a, b) => b[1] - a[1] || collator.compare(a[0], b[0]));
  return {
    count: rows.length,
    empty,
    distinct: counts.size,
    min: cellText(least),
    max: cellText(most),
    mean: all ? sum / numbers : undefined,
    sum: all ? sum : undefined,
    top: top.slice(0, 5).map(([text, count]) => ({ text, count })),
  };
}

/** Rows for the clipboard, for pasting into spreadsheets. A text that a spreadsheet would read as a
 *  formula gets an apostrophe in front, which marks it as text. */
export function toTabs(columns: readonly string[], rows: Iterable<Row>): string {
  const field = (cell: Cell | undefined): string => {
    const text = cellText(cell);
    const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(cellNumber(cell)) ? `'${text}` : text;
    return /["\t\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = [columns.map(field).join("\t")];
  for (const row of rows) lines.push(columns.map((_, index) => field(row[index])).join("\t"));
  return lines.join("\n");
}
