// One table of a source: its columns, their values and their descriptions.
import { useState } from "react";
import { put, segment } from "../../api/client";
import type { Column, Table } from "../../api/types";
import { percent } from "../../logic/format";
import { Icon } from "../../parts/icon";
import { problemFrom } from "../../logic/problem";
import { useVoice } from "../../state/voice";
import { t } from "../../text";

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

const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);

/** A description that the user can edit; it is saved in the dictionary. */
function Described(props: { source: string; table: string; column?: string; text: string | undefined; synonyms?: readonly string[] }) {
  const [text, setText] = useState(props.text ?? "");
  const [words, setWords] = useState((props.synonyms ?? []).join(", "));
  const [editing, setEditing] = useState(false);
  const { note } = useVoice();
  const what = props.column ? `${props.table}.${props.column}` : props.table;
  const keep = async () => {
    try {
      await put(`/api/v1/datasources/${segment(props.source)}/dictionary`, {
        table: props.table,
        ...(props.column ? { column: props.column } : {}),
        description: text.trim(),
        ...(props.column ? { synonyms: listOf(words) } : {}),
      });
      setEditing(false);
      note(t.sources.described);
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  if (!editing) {
    return (
      <button type="button" className="plain" onClick={() => setEditing(true)}>
        {text || (!words && <span className="quiet">{t.sources.describe}</span>)}
        {words && <span className="quiet"> {`(${words})`}</span>}
        <span className="hidden">{` ${what}`}</span> <Icon name="edit" />
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
      {props.column && (
        <label className="field is-small">
          <input value={words} aria-label={t.sources.synonyms} placeholder={t.sources.synonyms} onChange={(event) => setWords(event.target.value)} />
        </label>
      )}
      <button type="submit" className="button is-small">
        {t.memory.keep}
      </button>
    </form>
  );
}

export function TableCard({ table, source, open }: { table: Table; source: string; open: boolean }) {
  return (
    <details className="table" open={open} id={`table-${table.name}`} data-test="table">
      <summary>
        <Icon name="chevron" />
        <strong>{table.name}</strong>
        {table.row_count !== undefined && <span className="quiet">{t.sources.rowsOf(table.row_count, table.row_count_exact !== false)}</span>}
      </summary>
      <div className="table-body">
        <Described source={source} table={table.name} text={table.comment} />
        <div className="scroll" tabIndex={0} role="region" aria-label={table.name}>
          <table className="columns">
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
                    <Described source={source} table={table.name} column={column.name} text={column.comment} {...(column.synonyms ? { synonyms: column.synonyms } : {})} />
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
