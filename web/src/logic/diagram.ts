// Places tables in a diagram: each table is to the right of the tables it refers to, ordered so
// that few lines cross; every box has a fixed position and size.
import type { Table } from "../api/types";

export const box = { width: 220, head: 34, line: 22, gapX: 90, gapY: 28, margin: 20 };
const most_tables = 60;
const most_lines = 8;

export interface Box {
  name: string;
  x: number;
  y: number;
  height: number;
  lines: { name: string; mark: "key" | "refers" | "" }[];
  /** columns that are not drawn */
  more: number;
}

export interface Link {
  from: string;
  to: string;
  path: string;
  title: string;
}

export interface Diagram {
  boxes: Box[];
  links: Link[];
  width: number;
  height: number;
  left: number;
}

interface Edge {
  from: string;
  to: string;
  title: string;
}

function edgesOf(tables: readonly Table[]): Edge[] {
  const known = new Set(tables.map((table) => table.name));
  return tables.flatMap((table) =>
    (table.foreign_keys ?? [])
      .filter((key) => known.has(key.table))
      .map((key) => ({
        from: table.name,
        to: key.table,
        title: `${table.name}.${key.columns.join(", ")} → ${key.table}.${(key.references ?? []).join(", ")}`,
      })),
  );
}

/** The column of a table: one more than that of every table it refers to; cycles are cut. */
function depths(tables: readonly Table[], edges: readonly Edge[]): Map<string, number> {
  const depth = new Map(tables.map((table) => [table.name, 0]));
  for (let round = 0; round < Math.min(tables.length, 12); round++) {
    let moved = false;
    for (const { from, to } of edges) {
      const wanted = (depth.get(to) ?? 0) + 1;
      if (from !== to && wanted > (depth.get(from) ?? 0) && wanted <= 6) {
        depth.set(from, wanted);
        moved = true;
      }
    }
    if (!moved) break;
  }
  return depth;
}

function boxOf(table: Table): Omit<Box, "x" | "y"> {
  const refers = new Set((table.foreign_keys ?? []).flatMap((key) => key.columns));
  const marked = table.columns.map((column) => ({
    name: column.name,
    mark: column.primary ? ("key" as const) : refers.has(column.name) ? ("refers" as const) : ("" as const),
  }));
  const sorted = [...marked].sort((a, b) => Number(a.mark === "") - Number(b.mark === ""));
  const lines = sorted.slice(0, most_lines);
  const more = marked.length - lines.length;
  return { name: table.name, lines, more, height: box.head + (lines.length + (more > 0 ? 1 : 0)) * box.line + 8 };
}

/** The tables with the most connections, when there are too many to draw. */
function best(tables: readonly Table[]): Table[] {
  if (tables.length <= most_tables) return [...tables];
  const count = new Map<string, number>();
  for (const { from, to } of edgesOf(tables)) {
    count.set(from, (count.get(from) ?? 0) + 1);
    count.set(to, (count.get(to) ?? 0) + 1);
  }
  return [...tables].sort((a, b) => (count.get(b.name) ?? 0) - (count.get(a.name) ?? 0)).slice(0, most_tables);
}

function linkOf(edge: Edge, from: Box, to: Box): Link {
  const same = from === to;
  const x1 = from.x + (same ? box.width : 0);
  const y1 = from.y + box.head / 2;
  const x2 = to.x + box.width;
  const y2 = to.y + box.head / 2 + (same ? 20 : 0);
  const bend = same ? 40 : Math.max(40, Math.abs(x1 - x2) / 2);
  const path = `M${x1} ${y1}C${x1 + (same ? bend : -bend)} ${y1} ${x2 + bend} ${y2} ${x2} ${y2}`;
  return { from: edge.from, to: edge.to, path, title: edge.title };
}

export function diagram(all: readonly Table[]): Diagram {
  const tables = best(all);
  const edges = edgesOf(tables);
  const depth = depths(tables, edges);
  const columns: Table[][] = [];
  for (const table of tables) (columns[depth.get(table.name) ?? 0] ??= []).push(table);
  const place = new Map<string, Box>();
  let width = 0;
  let height = 0;
  columns.forEach((column, number) => {
    // close to the tables it refers to: at their mean height
    const wanted = (table: Table): number => {
      const targets = edges.filter((edge) => edge.from === table.name).map((edge) => place.get(edge.to)?.y ?? 0);
      return targets.length ? targets.reduce((sum, y) => sum + y, 0) / targets.length : Number.MAX_SAFE_INTEGER;
    };
    const order = [...column].sort((a, b) => wanted(a) - wanted(b) || a.name.localeCompare(b.name));
    let y = box.margin;
    const x = box.margin + number * (box.width + box.gapX);
    for (const table of order) {
      const made = { ...boxOf(table), x, y };
      place.set(table.name, made);
      y += made.height + box.gapY;
    }
    width = Math.max(width, x + box.width + box.margin);
    height = Math.max(height, y);
  });
  const links = edges.flatMap((edge) => {
    const from = place.get(edge.from);
    const to = place.get(edge.to);
    return from && to ? [linkOf(edge, from, to)] : [];
  });
  return { boxes: [...place.values()], links, width: width + 50, height, left: all.length - tables.length };
}
