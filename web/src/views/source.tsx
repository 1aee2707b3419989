// One source: its tables with what they hold, a diagram, and what has changed.
import { useMemo, useState } from "react";
import { get, post, put, segment } from "../api/client";
import type { Column, Schema, Table } from "../api/types";
import { percent } from "../logic/format";
import { findTables } from "../logic/search";
import { Diagram } from "../parts/diagram";
import { Icon } from "../parts/icon";
import { problemFrom, ProblemCard } from "../parts/problem";
import { useVoice } from "../parts/say";
import { Tabs } from "../parts/tabs";
import { useLoad } from "../state/use";
import { t } from "../text";

interface Change {
  change: string;
  what: string;
  table?: string;
  name?: string;
  from?: string;
  to?: string;
}

function facts(column: Column, table: Table): string {
  const key = (table.foreign_keys ?? []).find((each) => each.columns.includes(column.name));
  const parts: string[] = [];
  if (column.primary) parts.push(t.sources.key);
  if (key) parts.push(t.sources.refers(key.table));
  if (column.distinct !== undefined) parts.push(t.sources.distinct(column.distinct));
  if (column.null_share) parts.push(t.sources.empty(percent(column.null_share)));
  if (column.samples?.length) parts.push(column.samples.slice(0, 3).join(", "));
  else if (column.min !== undefined && column.max !== undefined) parts.push(t.sources.range(column.min, column.max));
  return parts.join(" · ");
}

/** A description that can be written; it goes into the dictionary. */
function Described(props: { source: string; table: string; column?: string; text: string | undefined }) {
  const [text, setText] = useState(props.text ?? "");
  const [editing, setEditing] = useState(false);
  const { note } = useVoice();
  const what = props.column ? `${props.table}.${props.column}` : props.table;
  const keep = async () => {
    try {
      await put(`/api/v1/datasources/${segment(props.source)}/dictionary`, {
        table: props.table,
        ...(props.column ? { column: props.column } : {}),
        description: text.trim(),
      });
      setEditing(false);
      note(t.sources.described);
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  if (!editing) {
    return (
      <button type="button" className="plain" aria-label={t.sources.describeWhat(what)} onClick={() => setEditing(true)}>
        {text || <span className="quiet">{t.sources.describe}</span>} <Icon name="edit" />
      </button>
    );
  }
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
    >
      <label className="field is-small">
        <input autoFocus value={text} aria-label={t.sources.describeWhat(what)} onChange={(event) => setText(event.target.value)} />
      </label>
      <button type="submit" className="button is-small">
        {t.memory.keep}
      </button>
    </form>
  );
}

function TableCard({ table, source, open }: { table: Table; source: string; open: boolean }) {
  return (
    <details className="table" open={open} id={`table-${table.name}`} data-test="table">
      <summary>
        <Icon name="table" />
        <strong>{table.name}</strong>
        {table.row_count !== undefined && <span className="quiet">{t.sources.rowsOf(table.row_count, table.row_count_exact !== false)}</span>}
      </summary>
      <div className="table-body">
        <Described source={source} table={table.name} text={table.description} />
        <div className="scroll" tabIndex={0} role="region" aria-label={table.name}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.sources.columns.name}</th>
                <th scope="col">{t.sources.columns.type}</th>
                <th scope="col">{t.sources.columns.facts}</th>
                <th scope="col">{t.sources.columns.description}</th>
              </tr>
            </thead>
            <tbody>
              {table.columns.map((column) => (
                <tr key={column.name}>
                  <th scope="row">{column.name}</th>
                  <td>
                    <code>{column.type}</code>
                  </td>
                  <td className="quiet">{facts(column, table)}</td>
                  <td>
                    <Described source={source} table={table.name} column={column.name} text={column.description} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </details>
  );
}

function Changes({ id }: { id: string }) {
  const changes = useLoad((signal) => get<{ changes?: Change[] }>(`/api/v1/datasources/${segment(id)}/changes`, signal), id);
  const list = changes.value?.changes ?? [];
  if (list.length === 0) return null;
  return (
    <section className="notes" aria-label={t.sources.changes}>
      <strong>{t.sources.changes}</strong>
      <ul>
        {list.map((each, index) => (
          <li key={index}>
            {[each.what, [each.table, each.name].filter(Boolean).join("."), each.change, each.from && each.to ? `${each.from} → ${each.to}` : ""]
              .filter(Boolean)
              .join(" ")}
          </li>
        ))}
      </ul>
    </section>
  );
}

const most_shown = 200;

export function SourceView({ id }: { id: string }) {
  const schema = useLoad((signal) => get<Schema>(`/api/v1/datasources/${segment(id)}/schema?format=json`, signal), id);
  const [tab, setTab] = useState<"schema" | "diagram">("schema");
  const [text, setText] = useState("");
  const { note } = useVoice();
  const tables = useMemo(() => schema.value?.tables ?? [], [schema.value]);
  const found = useMemo(() => findTables(tables, text), [tables, text]);
  const refresh = async () => {
    try {
      await post(`/api/v1/datasources/${segment(id)}/refresh`);
      schema.reload();
      note(t.sources.refreshed);
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  return (
    <div className="page is-wide">
      <header className="page-head">
        <a href="#/sources" className="back">
          <Icon name="back" /> {t.sources.back}
        </a>
        <h1>{id}</h1>
        {schema.value && (
          <p>
            {t.sources.tables(tables.length)} · {schema.value.dialect}
          </p>
        )}
      </header>
      {schema.loading && !schema.value && <p className="empty">{t.loading}</p>}
      {schema.problem && <ProblemCard problem={schema.problem} />}
      {schema.value && (
        <div className="stack">
          <Changes id={id} />
          <Tabs
            label={t.sources.schema}
            tabs={[
              { name: "schema", title: t.sources.schema },
              { name: "diagram", title: t.sources.diagram },
            ]}
            chosen={tab}
            onChoose={setTab}
            tools={
              <button type="button" className="button is-small" onClick={() => void refresh()}>
                {t.sources.refresh}
              </button>
            }
          >
            {tab === "schema" ? (
              <div className="stack">
                <label className="field">
                  <Icon name="search" />
                  <input type="search" value={text} placeholder={t.sources.search} aria-label={t.sources.search} onChange={(event) => setText(event.target.value)} />
                </label>
                {found.length === 0 && <p className="quiet">{t.sources.noHit}</p>}
                <div>
                  {found.slice(0, most_shown).map((table) => (
                    <TableCard key={table.name} table={table} source={id} open={found.length === 1 || text.trim() === table.name} />
                  ))}
                </div>
              </div>
            ) : (
              <Diagram
                tables={tables}
                onOpen={(name) => {
                  setText(name);
                  setTab("schema");
                }}
              />
            )}
          </Tabs>
        </div>
      )}
    </div>
  );
}
