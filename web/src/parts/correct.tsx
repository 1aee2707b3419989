// "Not what you meant?": excludes tables, chooses the right table or join by clicks, or takes text.
import { useState } from "react";
import type { Answer, Table } from "../api/types";
import { useTables } from "../state/schema";
import { t } from "../text";
import { Icon } from "./icon";

function UseTable({ tables, used, onSay }: { tables: readonly Table[]; used: readonly string[]; onSay: (text: string) => void }) {
  const [table, setTable] = useState("");
  const others = tables.filter((each) => !used.includes(each.name));
  if (others.length === 0) return null;
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (table) onSay(`use table ${table}`);
      }}
    >
      <label className="select">
        <span>{t.correct.use}</span>
        <select value={table} onChange={(event) => setTable(event.target.value)}>
          <option value="">{t.correct.choose}</option>
          {others.map((each) => (
            <option key={each.name}>{each.name}</option>
          ))}
        </select>
      </label>
      <button type="submit" className="button is-small" disabled={!table}>
        {t.correct.again}
      </button>
    </form>
  );
}

function columnsOf(tables: readonly Table[]): string[] {
  return tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`));
}

function Columns(props: { label: string; tables: readonly Table[]; value: string; onChange: (value: string) => void }) {
  return (
    <select aria-label={props.label} value={props.value} onChange={(event) => props.onChange(event.target.value)}>
      <option value="">{t.correct.choose}</option>
      {columnsOf(props.tables).map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

function JoinOn({ tables, used, onSay }: { tables: readonly Table[]; used: readonly string[]; onSay: (text: string) => void }) {
  const [left, setLeft] = useState("");
  const [right, setRight] = useState("");
  if (tables.length < 2) return null;
  // tables of the query first: the correction is most likely about them
  const sorted = [...tables].sort((a, b) => Number(used.includes(b.name)) - Number(used.includes(a.name)));
  const table = left.slice(0, left.lastIndexOf("."));
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (left && right) onSay(`join ${left} = ${right}`);
      }}
    >
      <span className="select">
        <span>{t.correct.join}</span>
        <Columns label={t.correct.left} tables={sorted} value={left} onChange={setLeft} />
        <span aria-hidden="true">=</span>
        <Columns label={t.correct.right} tables={sorted.filter((each) => each.name !== table)} value={right} onChange={setRight} />
      </span>
      <button type="submit" className="button is-small" disabled={!left || !right}>
        {t.correct.again}
      </button>
    </form>
  );
}

export function Correct({ answer, onSay }: { answer: Answer; onSay: (text: string) => void }) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const used = answer.tables_used ?? [];
  const tables = useTables(answer.datasource, open);
  return (
    <details className="correct" onToggle={(event) => setOpen(event.currentTarget.open)} data-test="correct">
      <summary>{t.correct.open}</summary>
      <div className="correct-body">
        <p className="quiet">{t.correct.lead}</p>
        <p className="chips">
          {used.map((table) => (
            <button key={table} type="button" className="chip" onClick={() => onSay(`not ${table}`)}>
              <Icon name="close" /> {t.correct.notTable(table)}
            </button>
          ))}
        </p>
        <UseTable tables={tables} used={used} onSay={onSay} />
        <JoinOn tables={tables} used={used} onSay={onSay} />
        <form
          className="row words"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim()) onSay(text.trim());
          }}
        >
          <label className="field">
            <input value={text} aria-label={t.correct.title} placeholder={t.correct.placeholder} onChange={(event) => setText(event.target.value)} />
          </label>
          <button type="submit" className="button" disabled={!text.trim()}>
            {t.correct.send}
          </button>
        </form>
      </div>
    </details>
  );
}
