// How an answer was computed, as parts that can be changed: figures, groups, conditions, order, number of rows. Each
// change is sent at once and answered as the next question.
import { useId, useState } from "react";
import { get, segment } from "../api/client";
import type { Answer, Part, PartChoices, PartColumn, PartOrder, Parts, PartsOfQuery } from "../api/types";
import { byTable, canRemove, columnNamed, dateUnits, isTime, placed, removed, type List } from "../logic/parts";
import { useLoad } from "../state/use";
import "../styles/change.css";
import { t } from "../text";
import { Condition } from "./condition";
import { Icon } from "./icon";
import { ProblemCard } from "./problem";

type Change = (parts: PartsOfQuery) => void;

interface EditorProps {
  choices: PartChoices;
  part: Part | undefined;
  onDone: (part: Part) => void;
}

/** A choice of columns, by table. */
export function ColumnSelect(props: { label: string; columns: readonly PartColumn[]; value: string; rest?: readonly [string, string][]; onChange: (name: string) => void }) {
  return (
    <label className="select">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.target.value)}>
        {props.rest?.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
        {byTable(props.columns).map(([table, columns]) => (
          <optgroup key={table} label={table}>
            {columns.map((column) => (
              <option key={column.column} value={column.column}>
                {column.column.slice(table.length + 1)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

function Measure({ choices, part, onDone }: EditorProps) {
  const [figure, setFigure] = useState<string>(part?.figure ?? "count");
  const fitting = choices.columns.filter((column) => column.figures.includes(figure));
  const [wanted, setWanted] = useState(part?.table ? `#${part.table}` : (part?.column ?? ""));
  const tables: [string, string][] = figure === "count" ? choices.tables.map((table) => [`#${table}`, t.change.rowsOf(table)]) : [];
  const known = [...tables.map(([value]) => value), ...fitting.map((column) => column.column)];
  const value = known.includes(wanted) ? wanted : (fitting.find((column) => !column.key && figure !== "count")?.column ?? known[0] ?? "");
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        const of = value.startsWith("#") ? { table: value.slice(1) } : { column: value };
        onDone({ figure: figure as NonNullable<Part["figure"]>, ...of, ...(part?.rounded ? { rounded: true } : {}) });
      }}
    >
      <label className="select">
        <span>{t.change.figure}</span>
        <select value={figure} autoFocus onChange={(event) => setFigure(event.target.value)}>
          {Object.entries(t.change.figures).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <ColumnSelect label={t.change.of} columns={fitting} value={value} rest={tables} onChange={setWanted} />
      <button type="submit" className="button is-small is-main" disabled={!value}>
        {t.change.apply}
      </button>
    </form>
  );
}

function Group({ choices, part, onDone }: EditorProps) {
  const [name, setName] = useState(part?.column ?? choices.columns.find((column) => !column.key)?.column ?? "");
  const [by, setBy] = useState<string>(part?.by ?? (part ? "" : "month"));
  const time = isTime(columnNamed(choices, name));
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        onDone({ column: name, ...(time && by ? { by: by as NonNullable<Part["by"]> } : {}) });
      }}
    >
      <ColumnSelect label={t.change.column} columns={choices.columns} value={name} onChange={setName} />
      {time && (
        <label className="select">
          <span>{t.change.by}</span>
          <select value={by} onChange={(event) => setBy(event.target.value)}>
            <option value="">{t.change.exact}</option>
            {dateUnits.map((unit) => (
              <option key={unit} value={unit}>
                {t.change.units[unit]}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" className="button is-small is-main" disabled={!name}>
        {t.change.apply}
      </button>
    </form>
  );
}

interface SectionProps {
  list: List;
  title: string;
  add: string;
  parts: PartsOfQuery;
  choices: PartChoices;
  queryId: string;
  onChange: Change;
}

/** The parts of one kind: a button for each, and a form for the one that is open. */
function Section({ list, title, add, parts, choices, queryId, onChange }: SectionProps) {
  const [open, setOpen] = useState<number>();
  const id = useId();
  const all = parts[list] ?? [];
  const part = open === undefined ? undefined : all[open];
  const adding = open === all.length;
  const done = (made: Part) => {
    setOpen(undefined);
    onChange(placed(parts, list, adding ? undefined : open, made));
  };
  const form = { choices, part, onDone: done };
  return (
    <section className="change-part" aria-labelledby={id}>
      <h3 className="title" id={id}>
        {title}
      </h3>
      <div>
        <p className="chips">
          {all.map((each, index) => (
            <span key={index} className="change-chip">
              <button
                type="button"
                className="chip"
                aria-expanded={each.kept === undefined ? open === index : undefined}
                disabled={each.kept !== undefined}
                title={each.kept !== undefined ? t.change.kept : undefined}
                onClick={() => setOpen(open === index ? undefined : index)}
              >
                {each.label}
              </button>
              {canRemove(parts, list) && (
                <button type="button" className="chip is-icon" aria-label={t.change.remove(each.label ?? "")} onClick={() => onChange(removed(parts, list, index))}>
                  <Icon name="close" />
                </button>
              )}
            </span>
          ))}
          <button type="button" className="chip" aria-expanded={adding} onClick={() => setOpen(adding ? undefined : all.length)}>
            <Icon name="plus" /> {add}
          </button>
        </p>
        {open !== undefined && (part || adding) && (
          <div
            className="change-form"
            key={open}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.stopPropagation();
              setOpen(undefined);
            }}
          >
            {list === "measures" && <Measure {...form} />}
            {list === "columns" && <Group {...form} />}
            {list === "filters" && <Condition {...form} queryId={queryId} />}
          </div>
        )}
      </div>
    </section>
  );
}

const orderKey = (order: PartOrder | undefined): string =>
  !order ? "" : order.measure !== undefined ? `measure ${order.measure}` : order.column !== undefined ? `column ${order.column}` : `kept ${order.kept}`;

function orderOf(key: string, descending: boolean): PartOrder {
  const [kind, index] = key.split(" ");
  return { [kind as "measure"]: Number(index), descending };
}

/** What the rows are ordered by, and how many there are. */
function Shape({ parts, onChange }: { parts: PartsOfQuery; onChange: Change }) {
  const [limit, setLimit] = useState(String(parts.limit ?? ""));
  const id = useId();
  const first = parts.order?.[0];
  const down = first?.descending ?? false;
  const given = (order: PartOrder[]) => onChange({ ...parts, order });
  return (
    <section className="change-part" aria-labelledby={id}>
      <h3 className="title" id={id}>
        {t.change.shape}
      </h3>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ ...parts, limit: Number(limit) || 0 });
        }}
      >
        <label className="select">
          <span>{t.change.order}</span>
          <select value={orderKey(first)} onChange={(event) => given(event.target.value ? [orderOf(event.target.value, event.target.value.startsWith("measure"))] : [])}>
            <option value="">{t.change.anyOrder}</option>
            {parts.measures?.map((part, index) => (
              <option key={index} value={`measure ${index}`}>
                {part.label}
              </option>
            ))}
            {parts.columns?.map((part, index) => (
              <option key={index} value={`column ${index}`}>
                {part.label}
              </option>
            ))}
            {first?.kept !== undefined && <option value={orderKey(first)}>{first.label}</option>}
          </select>
        </label>
        {first && (
          <button type="button" className="button is-small" onClick={() => given([{ ...first, descending: !down }, ...(parts.order ?? []).slice(1)])}>
            <Icon name={down ? "down" : "up"} /> {down ? t.change.largest : t.change.smallest}
          </button>
        )}
        <label className="select">
          <span>{t.change.limit}</span>
          <input className="inline is-number" inputMode="numeric" pattern="[0-9]{0,6}" placeholder={t.change.allRows} value={limit} onChange={(event) => setLimit(event.target.value)} />
        </label>
        <button type="submit" className="button is-small" disabled={limit === String(parts.limit ?? "") || !/^\d{0,6}$/.test(limit)}>
          {t.change.apply}
        </button>
      </form>
    </section>
  );
}

interface Props {
  answer: Answer;
  onChange: Change;
  /** to the SQL instead */
  onSql: () => void;
}

export function ChangeParts({ answer, onChange, onSql }: Props) {
  const id = answer.query_id;
  const loaded = useLoad((signal) => get<Parts>(`/api/v1/ask/${segment(id)}/parts`, signal), `parts ${id}`);
  if (loaded.problem) return <ProblemCard problem={loaded.problem} />;
  if (!loaded.value) return <p className="empty">{t.loading}</p>;
  const { parts, choices, fits, reason } = loaded.value;
  if (!fits || !parts || !choices) {
    return (
      <div className="row" data-test="change">
        <p>{reason}</p>
        <button type="button" className="button is-small" onClick={onSql}>
          <Icon name="edit" /> {t.change.sql}
        </button>
      </div>
    );
  }
  const grouped = (parts.measures ?? []).length > 0;
  const common = { parts, choices, queryId: id, onChange };
  return (
    <div className="change" data-test="change">
      <p className="quiet">{t.change.lead}</p>
      <Section {...common} list="measures" title={t.change.measures} add={t.change.addMeasure} />
      <Section {...common} list="columns" title={grouped ? t.change.groups : t.change.columns} add={grouped ? t.change.addGroup : t.change.addColumn} />
      <Section {...common} list="filters" title={t.change.filters} add={t.change.addFilter} />
      <Shape parts={parts} onChange={onChange} />
    </div>
  );
}
