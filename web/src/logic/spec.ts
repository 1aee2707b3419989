// A chart as Vega-Lite. Names and cells are data and titles there, never code: the fields have names of one
// letter, and the only expressions are the constants below.
import type { Row } from "../api/types";
import { cellNumber, cellText, columnWords, compareCells } from "./cells";
import { isOrdered, roleOf, valueOf, type Choice, type Kind } from "./chart";
import { fullNumber, periodWords, shortNumber } from "./label";

type Spec = Record<string, unknown>;

export interface Point {
  x: string | number | null;
  y: number | null;
  s?: string;
  /** for the tooltip: the value, and the place, as people write them */
  v: string;
  l: string;
  /** what is written above the point, and below it */
  a?: string;
  b?: string;
}

const most_points = 5000;
const most_bars = 20;
const bar_height = 27;
const chart_height = 320;
const labelled_bars = 20;
const small_height = 120;
/** a bar this short in letters fits below an upright bar */
const short_label = 11;

/** "1.2B", not the "1.2G" of physics; as shortNumber() writes it. */
export const axis_label = "replace(replace(format(datum.value, '~s'), 'G', 'B'), 'k', 'K')";

/** One point for each row and each column of numbers. */
function points(columns: readonly string[], rows: readonly Row[], choice: Choice): Point[] {
  const role = roleOf(rows, choice.x);
  const several = choice.y.length > 1;
  const made: Point[] = [];
  const sorted = role === "text" ? rows : [...rows].sort((a, b) => compareCells(a[choice.x], b[choice.x]));
  for (const row of sorted) {
    for (const y of choice.y) {
      if (made.length >= most_points) return made;
      const number = cellNumber(row[y]);
      const x = valueOf(row[choice.x], role);
      const label = typeof x === "number" ? String(x) : periodWords(x ?? "");
      const point: Point = { x, y: Number.isNaN(number) ? null : number, v: fullNumber(row[y]), l: label };
      if (several) point.s = columnWords(columns[y] ?? "");
      else if (choice.series !== undefined) point.s = cellText(row[choice.series]);
      made.push(point);
    }
  }
  return made;
}

/** Writes the highest, the lowest and the last value of a single line beside its points. */
function annotate(all: Point[]): Point[] {
  const known = all.filter((point): point is Point & { y: number } => point.y !== null);
  if (known.length < 3) return all;
  const highest = known.reduce((best, point) => (point.y > best.y ? point : best));
  const lowest = known.reduce((best, point) => (point.y < best.y ? point : best));
  const last = known[known.length - 1];
  return all.map((point) => {
    const text = shortNumber(point.y ?? 0);
    const above = point === highest || (point === last && point !== lowest);
    return { ...point, a: above ? text : "", b: point === lowest && lowest !== highest ? text : "" };
  });
}

export interface Drawn {
  spec: Spec;
  /** how many categories were left out, the smallest ones */
  left: number;
}

const tooltip = (x: string, y: string, s: string | undefined): Spec[] => [
  { field: "l", type: "nominal", title: x || "x" },
  ...(s === undefined ? [] : [{ field: "s", type: "nominal", title: s || " " }]),
  { field: "v", type: "nominal", title: y || "y" },
];

const amount = (title: string | null, normal = false): Spec => ({
  field: "y",
  type: "quantitative",
  title,
  ...(normal ? { stack: "normalize", axis: { format: "~%" } } : { axis: { labelExpr: axis_label, tickCount: 5 } }),
});

interface Titles {
  x: string;
  y: string;
  s: string | undefined;
}

/** The groups with the largest sums first, so that the legend and the stack have the order of importance. */
function groupsBySize(all: readonly Point[]): string[] {
  const sums = new Map<string, number>();
  for (const { s = "", y } of all) sums.set(s, (sums.get(s) ?? 0) + Math.abs(y ?? 0));
  return [...sums].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

function colour(all: readonly Point[], title: string | undefined): Spec {
  return { field: "s", type: "nominal", title: title || null, sort: groupsBySize(all), legend: { orient: "top", columns: 4 } };
}

/** Months where the rows are months or many days; days where they are few. */
function periodFormat(rows: readonly Row[], column: number): string {
  const cells = rows.map((row) => cellText(row[column])).filter(Boolean).sort();
  const [first = "", last = ""] = [cells[0], cells[cells.length - 1]];
  const days = (Date.parse(last.slice(0, 10)) - Date.parse(first.slice(0, 10))) / 86_400_000;
  if (first.length <= 7 || days > 200) return "%b %Y";
  return days > 2 ? "%d %b" : "%d %b %H:%M";
}

function moment(rows: readonly Row[], choice: Choice, title: string): Spec {
  const role = roleOf(rows, choice.x);
  if (role === "time") {
    const axis = { labelOverlap: true, grid: false, format: periodFormat(rows, choice.x), tickCount: 6 };
    return { field: "x", type: "temporal", title: null, scale: { type: "utc" }, axis };
  }
  return role === "number" ? { field: "x", type: "quantitative", title, scale: { zero: false }, axis: { format: "~d" } } : { field: "x", type: "ordinal", title, sort: null };
}

function lines(all: Point[], rows: readonly Row[], choice: Choice, titles: Titles): Spec {
  const single = titles.s === undefined;
  const values = single ? annotate(all) : all;
  const x = moment(rows, choice, titles.x);
  const y = amount(titles.y || null);
  const mark = choice.kind === "area" ? { type: "area", opacity: 0.55, line: true } : { type: "line", strokeWidth: 2.2 };
  const hint = { tooltip: tooltip(titles.x, titles.y, titles.s) };
  const parts = single ? {} : { color: colour(values, titles.s) };
  const layer: Spec[] = [{ mark, encoding: { x, y, ...parts } }];
  // points to hover over; drawn where there are few
  layer.push({ mark: { type: "point", filled: true, size: 36, opacity: values.length <= 40 ? 1 : 0 }, encoding: { x, y, ...parts, ...hint } });
  if (single) {
    for (const [field, dy] of [["a", -11], ["b", 15]]) {
      layer.push({ mark: { type: "text", dy, fontSize: 12, fontWeight: 600, aria: false }, encoding: { x, y, text: { field, type: "nominal" } } });
    }
  }
  return { data: { values }, width: "container", height: chart_height, layer };
}

/** Lying bars have room for names and values; upright ones suit time and a few short names. */
function isLying(all: readonly Point[], sorted: boolean, choice: Choice): boolean {
  const names = [...new Set(all.map((point) => point.l))];
  return choice.kind === "bar" && sorted && (names.length > 6 || names.some((name) => name.length > short_label));
}

function bars(all: Point[], rows: readonly Row[], choice: Choice, titles: Titles): Drawn {
  const sorted = !isOrdered(rows, choice.x);
  const split = titles.s !== undefined;
  const sums = new Map<string, number>();
  for (const point of all) sums.set(point.l, (sums.get(point.l) ?? 0) + (point.y ?? 0));
  const names = [...sums.keys()];
  if (sorted) names.sort((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0));
  const kept = new Set(sorted ? names.slice(0, most_bars) : names);
  const values = all.filter((point) => kept.has(point.l));
  const lying = isLying(values, sorted, choice);
  const place = {
    field: "l",
    type: "nominal",
    title: lying ? null : titles.x,
    sort: [...kept],
    axis: { labelLimit: lying ? 180 : 110, labelOverlap: !lying, ...(lying || kept.size <= 8 ? { labelAngle: 0 } : {}) },
  };
  const size = amount(titles.y || null, choice.kind === "share");
  const [x, y] = lying ? [size, place] : [place, size];
  const mark = { type: "bar", cornerRadiusEnd: split ? 0 : 3 };
  const encoding: Spec = { x, y, ...(split ? { color: colour(values, titles.s) } : {}), tooltip: tooltip(titles.x, titles.y, titles.s) };
  const layer: Spec[] = [{ mark, encoding }];
  if (!split && values.length <= labelled_bars && (lying || values.length <= 12)) {
    const labels = values.map((point) => ({ ...point, a: point.y === null ? "" : shortNumber(point.y) }));
    values.splice(0, values.length, ...labels);
    const beside = lying ? { align: "left", dx: 5 } : { baseline: "bottom", dy: -3 };
    layer.push({ mark: { type: "text", fontSize: 12, aria: false, ...beside }, encoding: { x, y, text: { field: "a", type: "nominal" } } });
  }
  const height = lying ? kept.size * bar_height : chart_height;
  return { spec: { data: { values }, width: "container", height, layer }, left: names.length - kept.size };
}

/** A small chart for each group, all with the same axes, the largest group first. */
function multiples(all: Point[], rows: readonly Row[], choice: Choice, titles: Titles, room: number): Spec {
  const order = groupsBySize(all);
  const columns = Math.max(1, Math.min(order.length, Math.floor(room / 190), 4));
  const width = Math.max(90, Math.floor((room - 55) / columns) - 22);
  const timed = isOrdered(rows, choice.x);
  const x = timed ? moment(rows, choice, "") : { field: "l", type: "nominal", sort: null };
  const encoding = {
    x: { ...x, title: null, axis: { tickCount: 3, grid: false, labelOverlap: true } },
    y: { ...amount(null), axis: { labelExpr: axis_label, tickCount: 3 } },
    tooltip: tooltip(titles.x, titles.y, titles.s ?? ""),
  };
  const mark = timed ? { type: "area", line: true, opacity: 0.3 } : { type: "bar" };
  return {
    data: { values: all },
    facet: { field: "s", type: "nominal", title: titles.y || null, sort: order, header: { labelLimit: width } },
    columns,
    spec: { width, height: small_height, mark, encoding },
  };
}

function ring(all: Point[], titles: Titles): Spec {
  const total = all.reduce((sum, { y }) => sum + Math.max(0, y ?? 0), 0);
  const values = all.map((point) => ({ ...point, a: total > 0 ? `${Math.round((100 * (point.y ?? 0)) / total)} %` : "" }));
  const order = [...values].sort((a, b) => (b.y ?? 0) - (a.y ?? 0)).map((point) => point.l);
  const theta = { field: "y", type: "quantitative", stack: true };
  const shade = { field: "l", type: "nominal", title: titles.x || null, sort: order, legend: { orient: "right", labelLimit: 160 } };
  const rank = { field: "y", type: "quantitative", sort: "descending" };
  const layer = [
    { mark: { type: "arc", innerRadius: 60, outerRadius: 118 }, encoding: { tooltip: tooltip(titles.x, titles.y, undefined) } },
    { mark: { type: "text", radius: 136, fontSize: 12, aria: false }, encoding: { text: { field: "a", type: "nominal" } } },
  ].map((part) => ({ ...part, encoding: { theta, color: shade, order: rank, ...part.encoding } }));
  return { data: { values }, width: "container", height: chart_height, layer };
}

function scatter(all: Point[], titles: Titles, rows: readonly Row[], choice: Choice): Spec {
  const role = roleOf(rows, choice.x);
  const x = role === "number" ? { ...amount(titles.x), field: "x", scale: { zero: false } } : { ...moment(rows, choice, titles.x) };
  const parts = titles.s === undefined ? {} : { color: colour(all, titles.s) };
  const encoding = { x, y: { ...amount(titles.y || null), scale: { zero: false } }, ...parts, tooltip: tooltip(titles.x, titles.y, titles.s) };
  return { data: { values: all }, width: "container", height: chart_height, mark: { type: "point", filled: true, size: 50, opacity: 0.75 }, encoding };
}

/** `room`: the width of the place for the chart, in pixels. */
export function specOf(columns: readonly string[], rows: readonly Row[], choice: Choice, room = 640): Drawn {
  const all = points(columns, rows, choice);
  const several = choice.y.length > 1;
  const word = (index: number | undefined) => columnWords(columns[index ?? 0] ?? "");
  const titles: Titles = {
    x: word(choice.x),
    y: several ? "" : word(choice.y[0]),
    s: several ? "" : choice.series === undefined ? undefined : word(choice.series),
  };
  const whole = (spec: Spec): Drawn => ({ spec, left: 0 });
  const make: Record<Kind, () => Drawn> = {
    bar: () => bars(all, rows, choice, titles),
    stacked: () => bars(all, rows, choice, titles),
    share: () => bars(all, rows, choice, titles),
    line: () => whole(lines(all, rows, choice, titles)),
    area: () => whole(lines(all, rows, choice, titles)),
    multiples: () => (titles.s === undefined ? whole(lines(all, rows, choice, titles)) : whole(multiples(all, rows, choice, titles, room))),
    arc: () => whole(ring(all, titles)),
    scatter: () => whole(scatter(all, titles, rows, choice)),
  };
  return make[choice.kind]();
}
