// What can stand at the caret of a SQL text: tables, columns, joins along keys, keywords, functions. Without a parser:
// the pieces before the caret and the names in FROM and JOIN are enough.
import type { Table } from "../api/types";
import { pieces, type Piece } from "./sql";
import { clauses, functionsOf } from "./dialects";

export type Kind = "table" | "column" | "join" | "keyword" | "function";

export interface Suggestion {
  text: string;
  kind: Kind;
  /** type of a column, table of a column */
  detail?: string;
}

export interface Completion {
  /** what a suggestion replaces */
  from: number;
  to: number;
  items: Suggestion[];
}

interface Relation {
  name: string;
  table: Table;
}

const most = 12;
const plain = /^[A-Za-z_][A-Za-z0-9_]*$/;
const ticks = ["mysql", "bigquery", "clickhouse"];

const bare = (text: string): string => text.replace(/^["`[]|["`\]]$/g, "");
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A name as it must be written in SQL. */
export function quoted(name: string, dialect: string): string {
  const isWord = plain.test(name) && pieces(name)[0]?.kind !== "keyword";
  if (isWord) return name;
  const mark = ticks.includes(dialect) ? "`" : '"';
  return mark + name.replaceAll(mark, mark + mark) + mark;
}

const wordsOf = (sql: string): Piece[] => pieces(sql).filter((piece) => piece.kind !== "space" && piece.kind !== "comment");

/** A table may be written with its schema before it. */
function tableNamed(tables: readonly Table[], name: string): Table | undefined {
  return tables.find((table) => same(table.name, name)) ?? tables.find((table) => same(table.name.split(".").pop() ?? "", name));
}

/** The tables of FROM and JOIN with the names that they have there. */
export function relationsOf(sql: string, tables: readonly Table[]): Relation[] {
  const words = wordsOf(sql);
  const found: Relation[] = [];
  let expecting = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const upper = word.text.toUpperCase();
    if (word.kind === "keyword") expecting = upper === "FROM" || upper === "JOIN";
    else if (word.text === "," && found.length > 0 && !expecting) expecting = /^(FROM|JOIN)$/.test(clauseAt(words, at));
    else if (expecting && word.kind === "name") {
      let name = bare(word.text);
      while (words[at + 1]?.text === "." && words[at + 2]) {
        name += `.${bare(words[at + 2]!.text)}`;
        at += 2;
      }
      const table = tableNamed(tables, name) ?? tableNamed(tables, name.split(".").pop() ?? "");
      let next = words[at + 1];
      if (next?.text.toUpperCase() === "AS") next = words[at + 2];
      const alias = next?.kind === "name" ? bare(next.text) : name;
      if (table) found.push({ name: alias, table });
      expecting = false;
    } else if (word.text !== ",") expecting = false;
  }
  return found;
}

/** The keyword whose list a comma continues. */
function clauseAt(words: readonly Piece[], at: number): string {
  let depth = 0;
  for (let index = at - 1; index >= 0; index--) {
    const { text, kind } = words[index]!;
    if (text === ")") depth++;
    else if (text === "(" && depth-- === 0) return "";
    else if (depth === 0 && kind === "keyword" && !/^(AS|ASC|DESC|AND|OR|NOT)$/i.test(text)) return text.toUpperCase();
  }
  return "";
}

/** "o.customer_id = c.id" for every key between two relations. */
function conditions(relations: readonly Relation[], tables: readonly Table[], dialect: string, one: Relation): string[] {
  const name = (relation: Relation, column: string) => `${quoted(relation.name, dialect)}.${quoted(column, dialect)}`;
  const along = (from: Relation, to: Relation) =>
    (from.table.foreign_keys ?? [])
      .filter((key) => same(key.table, to.table.name) && from !== to)
      .map((key) => {
        const target = tables.find((table) => same(table.name, key.table));
        const primary = target?.columns.filter((column) => column.primary).map((column) => column.name) ?? [];
        const columns = key.references ?? primary;
        return key.columns
          .flatMap((column, index) => (columns[index] ? [`${name(from, column)} = ${name(to, columns[index])}`] : []))
          .join(" AND ");
      });
  return relations.flatMap((other) => (other === one ? [] : [...along(one, other), ...along(other, one)])).filter(Boolean);
}

function joins(relations: readonly Relation[], tables: readonly Table[], dialect: string): Suggestion[] {
  return tables.flatMap((table) => {
    const added = { name: table.name, table };
    if (relations.some((each) => each.table === table)) return [];
    return conditions([...relations, added], tables, dialect, added).map((on) => ({
      text: `${quoted(table.name, dialect)} ON ${on}`,
      kind: "join" as const,
    }));
  });
}

function columnsOf(relation: Relation, dialect: string): Suggestion[] {
  return relation.table.columns.map((column) => ({
    text: quoted(column.name, dialect),
    kind: "column",
    detail: [relation.table.name, column.type?.toLowerCase()].filter(Boolean).join(" · "),
  }));
}

/** Suggestions of one name in several tables are written with the table. */
function columns(relations: readonly Relation[], dialect: string): Suggestion[] {
  const all = relations.flatMap((relation) => columnsOf(relation, dialect).map((item) => ({ item, relation })));
  return all.map(({ item, relation }) =>
    all.some((other) => other.relation !== relation && same(other.item.text, item.text))
      ? { ...item, text: `${quoted(relation.name, dialect)}.${item.text}` }
      : item,
  );
}

/** How well a word fits: 0 begins with it, 1 a part of it does, 2 contains it; -1 not at all. */
function rank(text: string, word: string): number {
  const name = bare(text).toLowerCase();
  const part = word.toLowerCase();
  if (name.startsWith(part) || bare(text.split(".").pop() ?? "").toLowerCase().startsWith(part)) return 0;
  if (name.split(/[._ ]/).some((each) => each.startsWith(part))) return 1;
  return part.length > 2 && name.includes(part) ? 2 : -1;
}

function fitting(items: readonly Suggestion[], word: string): Suggestion[] {
  const ranked = items.map((item, index) => ({ item, index, rank: rank(item.text, word) })).filter((each) => each.rank >= 0);
  ranked.sort((a, b) => a.rank - b.rank || a.index - b.index);
  return ranked.map((each) => each.item).slice(0, most);
}

/**
 * What could stand at the caret. Asked for (a key was pressed for it), it also says what can begin there; while somebody
 * types, only what fits the letters.
 */
export function complete(sql: string, caret: number, tables: readonly Table[], dialect: string, asked: boolean): Completion | undefined {
  const before = pieces(sql.slice(0, caret));
  const last = before[before.length - 1];
  const open = last && ((last.kind === "string" && !/^'(?:[^']|'')*'$/.test(last.text)) || last.kind === "comment" || last.kind === "number");
  if (open) return undefined;
  const word = /[\p{L}\p{N}_$]*$/u.exec(sql.slice(0, caret))?.[0] ?? "";
  const from = caret - word.length;
  const owner = /([\p{L}\p{N}_$]+|"[^"]*"|`[^`]*`)\.$/u.exec(sql.slice(0, from))?.[1];
  if (!word && !owner && !asked) return undefined;
  const relations = relationsOf(sql, tables);
  if (owner) {
    const name = bare(owner);
    const relation = relations.find((each) => same(each.name, name)) ?? relations.find((each) => same(each.table.name, name));
    const table = relation?.table ?? tableNamed(tables, name);
    const items = table ? fitting(columnsOf({ name, table }, dialect), word) : [];
    return items.length ? { from, to: caret, items } : undefined;
  }
  const words = wordsOf(sql.slice(0, from));
  const prior = words[words.length - 1];
  const keyword = prior?.text === "," ? clauseAt(words, words.length - 1) : prior?.kind === "keyword" ? prior.text.toUpperCase() : "";
  const names = tables.map((table) => ({ text: quoted(table.name, dialect), kind: "table" as const }));
  let all: Suggestion[];
  if (keyword === "JOIN") all = [...joins(relations, tables, dialect), ...names];
  else if (keyword === "FROM") all = names;
  else if (keyword === "ON") {
    const newest = relationsOf(sql.slice(0, from), tables).pop();
    const known = newest && relations.find((each) => each.name === newest.name);
    const on = known ? conditions(relations, tables, dialect, known).map((text) => ({ text, kind: "join" as const })) : [];
    all = [...on, ...columns(relations, dialect)];
  } else {
    const extra = clauses.map((text) => ({ text, kind: "keyword" as const }));
    const called = functionsOf(dialect).map((text) => ({ text, kind: "function" as const }));
    const named = relations.length ? columns(relations, dialect) : tables.flatMap((table) => columnsOf({ name: table.name, table }, dialect));
    all = words.length === 0 ? extra : [...named, ...extra, ...called, ...relations.map((each) => ({ text: each.name, kind: "table" as const }))];
  }
  const items = fitting(all, word).filter((item) => item.text !== word);
  return items.length ? { from, to: caret, items } : undefined;
}

/** The text after a suggestion was taken, and where the caret is then. Functions are called. */
export function taken(sql: string, completion: Completion, item: Suggestion): { text: string; caret: number } {
  const added = item.kind === "function" ? `${item.text}(` : item.kind === "keyword" ? `${item.text} ` : item.text;
  const rest = sql.slice(completion.to);
  const before = sql.slice(0, completion.from) + (item.kind === "keyword" && rest.startsWith(" ") ? item.text : added);
  return { text: before + rest, caret: before.length };
}
