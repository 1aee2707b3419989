// A condition: a column, a test, and what it compares with; cells to choose from come from the database.
import { useEffect, useId, useState } from "react";
import { get, query, segment } from "../api/client";
import type { Part, PartChoices, PartValues } from "../api/types";
import { columnNamed, isComplete, isPeriod, needs, periods, usualTest } from "../logic/parts";
import { t } from "../text";
import { ColumnSelect } from "./change";

const pause_ms = 300;
const shown = 12;

/** The most frequent cells of a column; asked for again a moment after the search was changed. */
function useCells(queryId: string, column: string, search: string, wanted: boolean): PartValues | undefined {
  const [found, setFound] = useState<PartValues>();
  useEffect(() => {
    if (!wanted) return;
    const control = new AbortController();
    const timer = window.setTimeout(
      () =>
        get<PartValues>(`/api/v1/ask/${segment(queryId)}/values${query({ column, search })}`, control.signal).then(setFound, () => {
          if (!control.signal.aborted) setFound({ values: [], more: false }); // what is typed can still be used
        }),
      search ? pause_ms : 0,
    );
    return () => {
      window.clearTimeout(timer);
      control.abort();
    };
  }, [queryId, column, search, wanted]);
  return found;
}

interface CellsProps {
  queryId: string;
  column: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

/** Cells with a tick for those that are meant, and a box to search them or to say another one. */
function Cells({ queryId, column, values, onChange }: CellsProps) {
  const [search, setSearch] = useState("");
  const found = useCells(queryId, column, search, true);
  const id = useId();
  const listed = (found?.values ?? []).map((each) => each.value);
  const offered = [...new Set([...values, ...(search && !listed.includes(search) ? [search] : []), ...listed])].slice(0, shown + values.length);
  return (
    <fieldset className="change-cells">
      <legend className="hidden">{t.change.values}</legend>
      <input className="inline" aria-label={t.change.search} placeholder={t.change.search} value={search} onChange={(event) => setSearch(event.target.value)} aria-controls={id} />
      <ul id={id} aria-busy={!found}>
        {offered.map((value) => (
          <li key={value}>
            <label>
              <input
                type="checkbox"
                checked={values.includes(value)}
                onChange={(event) => onChange(event.target.checked ? [...values, value] : values.filter((each) => each !== value))}
              />{" "}
              {value === "" ? t.change.blank : value}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface Props {
  choices: PartChoices;
  part: Part | undefined;
  queryId: string;
  onDone: (part: Part) => void;
}

/** What is compared: a column, or what the condition was about (a figure, a part of a date). */
const subjectOf = ({ figure, table, column, by }: Part): Part => ({
  ...(figure ? { figure } : {}),
  ...(table ? { table } : {}),
  ...(column ? { column } : {}),
  ...(by ? { by } : {}),
});

const numbers = ["is", "is_not", "more", "less", "at_least", "at_most", "between"];

export function Condition({ choices, part, queryId, onDone }: Props) {
  const first = choices.columns.find((column) => !column.key) ?? choices.columns[0];
  const [made, setMade] = useState<Part>(() => part ?? (first ? { column: first.column, test: usualTest(first), values: [] } : {}));
  const id = useId();
  const own = !!made.figure || !!made.by; // of a figure or a part of a date: only how it compares can be changed
  const column = columnNamed(choices, made.column);
  const tests = own ? numbers : (column?.tests ?? []);
  const values = made.values ?? [];
  const kind = needs(made.test);
  const given = (next: string[]) => setMade({ ...made, values: next });
  const slots = kind === "two" ? [0, 1] : [0];
  return (
    <form
      className="change-condition"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(made)) onDone({ ...subjectOf(made), test: made.test!, values });
      }}
    >
      <div className="row">
        {!own && (
          <ColumnSelect
            label={t.change.column}
            columns={choices.columns}
            value={made.column ?? ""}
            onChange={(name) => {
              const next = columnNamed(choices, name);
              if (next) setMade({ column: name, test: usualTest(next), values: [] });
            }}
          />
        )}
        <label className="select">
          <span>{t.change.test}</span>
          <select
            value={made.test}
            onChange={(event) => {
              const test = event.target.value as NonNullable<Part["test"]>;
              setMade({ ...made, test, values: needs(test) === kind ? values : [] });
            }}
          >
            {tests.map((test) => (
              <option key={test} value={test}>
                {t.change.tests[test] ?? test}
              </option>
            ))}
          </select>
        </label>
        {(kind === "one" || kind === "two" || (kind === "many" && own)) &&
          slots.map((slot) => (
            <input
              key={slot}
              className="inline"
              aria-label={slot ? t.change.upTo : t.change.value}
              value={values[slot] ?? ""}
              onChange={(event) => given(slots.map((each) => (each === slot ? event.target.value : (values[each] ?? ""))))}
            />
          ))}
        {kind === "period" && (
          <>
            <input
              className="inline"
              list={`${id}-periods`}
              aria-label={t.change.period}
              aria-invalid={values[0] ? !isPeriod(values[0]) : undefined}
              placeholder={t.change.periodHint}
              value={values[0] ?? ""}
              onChange={(event) => given([event.target.value])}
            />
            <datalist id={`${id}-periods`}>
              {periods.map((period) => (
                <option key={period} value={period} />
              ))}
            </datalist>
          </>
        )}
        <button type="submit" className="button is-small is-main" disabled={!isComplete(made)}>
          {t.change.apply}
        </button>
      </div>
      {kind === "many" && !own && made.column && <Cells key={made.column} queryId={queryId} column={made.column} values={values} onChange={given} />}
    </form>
  );
}
