// What a source is about in a few figures, and the joins that its keys suggest.
import type { Schema, Table } from "../api/types";

export interface Facts {
  tables: number;
  /** undefined: unknown for some table */
  rows: number | undefined;
  exact: boolean;
  /** the latest day in the data that is not in the future */
  newest: string | undefined;
}

const day = /^\d{4}-\d{2}-\d{2}/;
const about_dates = /date|time|day|(^|_)(at|on)$|created|updated/i;

export function factsOf(schema: Pick<Schema, "tables">, today = new Date()): Facts {
  const tables = (schema.tables ?? []).filter((table) => table.kind !== "view");
  const now = today.toISOString().slice(0, 10);
  const known = tables.every((table) => table.row_count !== undefined && table.row_count >= 0);
  const days = tables
    .flatMap((table) => table.columns)
    .filter((column) => about_dates.test(column.name) || about_dates.test(column.type ?? ""))
    .map((column) => day.exec(column.max ?? "")?.[0] ?? "")
    .filter((text) => text && text <= now);
  return {
    tables: tables.length,
    rows: known ? tables.reduce((sum, table) => sum + (table.row_count ?? 0), 0) : undefined,
    exact: tables.every((table) => table.row_count_exact !== false),
    newest: days.sort().pop(),
  };
}

export interface Pair {
  left: string;
  right: string;
}

const most_pairs = 8;

/** Joins along the keys of the tables that the answer used, with other tables of these first. */
export function likelyPairs(tables: readonly Table[], used: readonly string[]): Pair[] {
  const pairs: (Pair & { rank: number })[] = [];
  for (const table of tables) {
    for (const key of table.foreign_keys ?? []) {
      const inside = [table.name, key.table].filter((name) => used.includes(name)).length;
      if (inside === 0 || key.columns.length !== 1) continue;
      const referred = tables.find((each) => each.name === key.table);
      const column = key.references?.[0] ?? referred?.columns.find((each) => each.primary)?.name;
      if (!column) continue;
      pairs.push({ left: `${table.name}.${key.columns[0]}`, right: `${key.table}.${column}`, rank: 2 - inside });
    }
  }
  return pairs.sort((a, b) => a.rank - b.rank).slice(0, most_pairs).map(({ left, right }) => ({ left, right }));
}
