// Statistics of each column over the loaded rows: distinct values, NULLs, minimum and maximum.
import { useMemo } from "react";
import type { Row } from "../api/types";
import { columnWords, statistics } from "../logic/cells";
import { count } from "../logic/format";
import { t } from "../text";

const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 8 });

export function Statistics({ columns, rows }: { columns: readonly string[]; rows: readonly Row[] }) {
  const all = useMemo(() => columns.map((_, index) => statistics(rows, index)), [columns, rows]);
  const names = t.grid.stat;
  return (
    <div className="statistics" data-test="statistics" tabIndex={0} role="region" aria-label={t.grid.statistics}>
      {all.map((column, index) => (
        <section key={index}>
          <h3 className="title">{columnWords(columns[index] ?? "")}</h3>
          <dl>
            <dt>{names.distinct}</dt>
            <dd>{count(column.distinct)}</dd>
            <dt>{names.empty}</dt>
            <dd>{count(column.empty)}</dd>
            {column.mean !== undefined && column.sum !== undefined ? (
              <>
                <dt>{names.min}</dt>
                <dd>{number.format(Number(column.min))}</dd>
                <dt>{names.max}</dt>
                <dd>{number.format(Number(column.max))}</dd>
                <dt>{names.mean}</dt>
                <dd>{number.format(column.mean)}</dd>
                <dt>{names.sum}</dt>
                <dd>{number.format(column.sum)}</dd>
              </>
            ) : (
              <>
                <dt>{names.top}</dt>
                <dd>{column.top.map((value) => `${value.text} (${count(value.count)})`).join(", ")}</dd>
              </>
            )}
          </dl>
        </section>
      ))}
    </div>
  );
}
