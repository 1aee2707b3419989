// Finds tables and columns by a few letters of their names or descriptions.
import type { Table } from "../api/types";

const has = (text: string | undefined, wanted: string): boolean => (text ?? "").toLowerCase().includes(wanted);

export function findTables(tables: readonly Table[], text: string): Table[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [...tables];
  const rank = (table: Table): number => {
    if (table.name.toLowerCase() === wanted) return 0;
    if (has(table.name, wanted)) return 1;
    if (table.columns.some((column) => has(column.name, wanted))) return 2;
    const told =
      has(table.description, wanted) ||
      table.columns.some((column) => has(column.description, wanted) || column.synonyms?.some((word) => has(word, wanted)));
    return told ? 3 : 9;
  };
  return tables
    .map((table, index) => ({ table, index, rank: rank(table) }))
    .filter((hit) => hit.rank < 9)
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map((hit) => hit.table);
}
