// The parts of an answer as values: each change makes a new object, which the server checks and answers.
import type { Part, PartChoices, PartColumn, PartOrder, PartsOfQuery } from "../api/types";

export type List = "measures" | "columns" | "filters";

const units = ["year", "quarter", "month", "week", "day"] as const;

/** The parts of a date in the order in which they are offered; the rest repeats every year or week. */
export const dateUnits = [...units, "month_of_year", "weekday", "hour"] as const;

export const isTime = (column: PartColumn | undefined): boolean => column?.type === "time";

export const columnNamed = (choices: PartChoices, name: string | undefined): PartColumn | undefined =>
  choices.columns.find((column) => column.column === name);

/** Orders point at figures and columns by their places. */
function without(order: readonly PartOrder[] | undefined, list: List, index: number): PartOrder[] | undefined {
  const key = list === "measures" ? "measure" : "column";
  if (!order || list === "filters") return order?.slice();
  return order
    .filter((each) => each[key] !== index)
    .map((each) => ((each[key] ?? -1) > index ? { ...each, [key]: each[key]! - 1 } : each));
}

/** `order` left out: the server orders by time, else by the first figure. */
function withOrder(parts: PartsOfQuery, order: PartOrder[] | undefined): PartsOfQuery {
  const { order: _order, ...rest } = parts;
  return order && order.length ? { ...rest, order } : rest;
}

export function removed(parts: PartsOfQuery, list: List, index: number): PartsOfQuery {
  const left = (parts[list] ?? []).filter((_, place) => place !== index);
  const order = without(parts.order, list, index);
  // what remains of an order is kept; an order that is gone is chosen anew
  return withOrder({ ...parts, [list]: left }, order?.length || !parts.order?.length ? (order ?? []) : undefined);
}

/** Puts a part in the place of another one, or behind the last one. A new group brings its own order. */
export function placed(parts: PartsOfQuery, list: List, index: number | undefined, part: Part): PartsOfQuery {
  const all = [...(parts[list] ?? [])];
  if (index === undefined) all.push(part);
  else all[index] = part;
  const next = { ...parts, [list]: all };
  if (list === "filters") return next;
  const isDate = list === "columns" && !!part.by;
  const ordered = parts.order ?? [];
  const begins = list === "measures" && (parts.measures ?? []).length === 0;
  if (begins) return withOrder({ ...next, columns: [] }, undefined); // rows become figures
  return isDate || ordered.length === 0 ? withOrder(next, undefined) : next;
}

export const canRemove = (parts: PartsOfQuery, list: List): boolean =>
  list === "filters" || (parts.measures ?? []).length + (parts.columns ?? []).length > 1;

/** How many values a test takes. */
export function needs(test: Part["test"]): "none" | "one" | "two" | "many" | "period" {
  if (test === "empty" || test === "not_empty") return "none";
  if (test === "is" || test === "is_not") return "many";
  if (test === "between") return "two";
  if (test === "in" || test === "since" || test === "until" || test === "before" || test === "after") return "period";
  return "one";
}

/** What most conditions on a column are. */
export const usualTest = (column: PartColumn): NonNullable<Part["test"]> =>
  (column.type === "time" ? "in" : column.tests[0]) as NonNullable<Part["test"]>;

export const periods = ["this month", "last month", "this quarter", "last quarter", "this year", "last year", "last 7 days", "last 30 days", "last 12 months"];

export const isPeriod = (text: string): boolean =>
  /^(\d{4}(-(Q[1-4]|\d\d(-\d\d)?))?|--(\d\d|Q[1-4])|\d{4}-\d\d-\d\d\/\d{4}-\d\d-\d\d)$/.test(text) ||
  /^(this (day|week|month|quarter|year)|(last|next) (\d+ )?(day|week|month|quarter|year)s?|\d+ (day|week|month|quarter|year)s? ago)$/.test(text);

/** Columns by table, in the order in which they are offered. */
export function byTable(columns: readonly PartColumn[]): [string, PartColumn[]][] {
  const tables = new Map<string, PartColumn[]>();
  for (const column of columns) tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
  return [...tables];
}

/** A condition that can be sent: all values are there. */
export function isComplete(part: Part): boolean {
  const values = part.values ?? [];
  const filled = values.every((value) => value !== "");
  const wanted = { none: 0, one: 1, two: 2, many: Math.max(1, values.length), period: 1 }[needs(part.test)];
  return !!part.test && filled && values.length === wanted && (needs(part.test) !== "period" || isPeriod(values[0] ?? ""));
}
