// Finds tables and columns by a few letters of their names or descriptions.
import type { Table } from "../api/types";
import type { IconName } from "./icons";

const has = (text: string | undefined, wanted: string): boolean => (text ?? "").toLowerCase().includes(wanted);

export function findTables(tables: readonly Table[], text: string): Table[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [...tables];
  const rank = (table: Table): number => {
    if (table.name.toLowerCase() === wanted) return 0;
    if (has(table.name, wanted)) return 1;
    if (table.columns.some((column) => has(column.name, wanted))) return 2;
    const told =
      has(table.comment, wanted) ||
      table.columns.some((column) => has(column.comment, wanted) || column.synonyms?.some((word) => has(word, wanted)));
    return told ? 3 : 9;
  };
  return tables
    .map((table, index) => ({ table, index, rank: rank(table) }))
    .filter((hit) => hit.rank < 9)
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map((hit) => hit.table);
}

export const groups = ["go", "sources", "saved", "sessions", "asked"] as const;
export type GroupName = (typeof groups)[number];

/** A result of Ctrl+K. */
export interface Hit {
  group: GroupName;
  href: string;
  title: string;
  icon: IconName;
  /** found by the server: the title need not contain the text */
  sure?: boolean;
}

const most_of_a_group = 7;

/** Results by kind; a conversation and its first question are listed once. */
export function grouped(hits: readonly Hit[], text: string): { name: GroupName; hits: Hit[] }[] {
  const wanted = text.trim().toLowerCase();
  const seen = new Set<string>();
  return groups
    .map((name) => ({
      name,
      hits: hits
        .filter((hit) => {
          if (hit.group !== name || (!hit.sure && !has(hit.title, wanted))) return false;
          const once = `${name === "asked" ? "sessions" : name} ${hit.title.toLowerCase()}`;
          if (seen.has(once)) return false;
          seen.add(once);
          return true;
        })
        .slice(0, most_of_a_group),
    }))
    .filter((group) => group.hits.length > 0);
}
