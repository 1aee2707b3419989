// "Not what you meant?": excludes tables, chooses the right table or join by clicks, or takes text.
import { useId, useMemo, useState } from "react";
import type { Answer, Table } from "../api/types";
import { likelyPairs } from "../logic/source";
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

/** A column, found by some letters of its name: the browser offers those that fit. */
function ColumnField(props: { id: string; label: string; tables: readonly Table[]; value: string; onChange: (value: string) => void }) {
  return (
    <>
      <input
        className="inline is-column"
        list={props.id}
        aria-label={props.label}
        placeholder={t.correct.find}
        value={props.value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <datalist id={props.id}>
        {columnsOf(props.tables).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function JoinOn({ tables, used, onSay }: { tables: readonly Table[]; used: readonly string[]; onSay: (text: string) => void }) {
  const id = useId();
  const pairs = useMemo(() => likelyPairs(tables, used), [tables, used]);
  const [left, setLeft] = useState<string>();
  const [right, setRight] = useState<string>();
  if (tables.length < 2) return null;
  // tables of the query first: the correction is most likely about them
  const sorted = [...tables].sort((a, b) => Number(used.includes(b.name)) - Number(used.includes(a.name)));
  const one = left ?? pairs[0]?.left ?? "";
  const other = right ?? pairs[0]?.right ?? "";
  const table = one.slice(0, one.lastIndexOf("."));
  const known = columnsOf(tables);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSay(`join ${one} = ${other}`);
      }}
    >
      <div className="row">
        <span className="select">
          <span>{t.correct.join}</span>
          <ColumnField id={`${id}-left`} label={t.correct.left} tables={sorted} value={one} onChange={setLeft} />
          <span aria-hidden="true">=</span>
          <ColumnField id={`${id}-right`} label={t.correct.right} tables={sorted.filter((each) => each.name !== table)} value={other} onChange={setRight} />
        </span>
        <button type="submit" className="button is-small" disabled={!known.includes(one) || !known.includes(other)}>
          {t.correct.again}
        </button>
      </div>
      {pairs.length > 1 && (
        <p className="chips" role="group" aria-label={t.correct.likely}>
          {pairs.map((pair) => (
            <button
              key={`${pair.left} ${pair.right}`}
              type="button"
              className="chip"
              aria-pressed={pair.left === one && pair.right === other}
              onClick={() => {
                setLeft(pair.left);
                setRight(pair.right);
              }}
            >
              {pair.left} = {pair.right}
            </button>
          ))}
        </p>
      )}
    </form>
  );
}

export function Correct({ answer, onSay }: { answer: Answer; onSay: (text: string) => void }) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const used = useMemo(() => answer.tables_used ?? [], [answer]);
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
