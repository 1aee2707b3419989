// An answer: a sentence, its views (table, chart, SQL), and the actions.
import { lazy, Suspense, useState } from "react";
import type { Answer, State } from "../api/types";
import { cellShown, cellText } from "../logic/cells";
import { duration } from "../logic/format";
import { isChartable } from "../logic/chart";
import { notesOf, otherReadings } from "../logic/notes";
import { useSourceName } from "../state/sources";
import { sureness, totalMs, type Turn } from "../state/turn";
import { t } from "../text";
import { Icon } from "./icon";
import { Rows } from "./rows";
import { Sql } from "./sql";
import { Tabs, type Tab } from "./tabs";
import { Tools } from "./tools";

const ChartView = lazy(() => import("./chart").then((part) => ({ default: part.ChartView })));
const How = lazy(() => import("./how").then((part) => ({ default: part.How })));
const Assumed = lazy(() => import("./assumed").then((part) => ({ default: part.Assumed })));
const Correct = lazy(() => import("./correct").then((part) => ({ default: part.Correct })));
const Learned = lazy(() => import("./learned").then((part) => ({ default: part.Learned })));

type View = "table" | "chart" | "sql" | "how";

interface Props {
  turn: Turn;
  answer: Answer;
  states: readonly State[];
  onRead: (reading: number) => void;
  onCorrect: (text: string) => void;
  onDraft: (text: string) => void;
  onSql: (sql: string) => void;
}

/** A result of one cell is shown large. */
function single(answer: Answer): string | undefined {
  if (answer.columns?.length !== 1 || answer.rows?.length !== 1) return undefined;
  const cell = answer.rows[0]?.[0];
  const text = cellText(cell);
  return text && text.length <= 40 ? cellShown(cell, typeof cell === "number") : undefined;
}

function Lead({ answer }: { answer: Answer }) {
  const one = single(answer);
  // a sentence that only repeats the heading is left out
  const summary = answer.summary === answer.question || answer.summary === answer.rewritten_query ? undefined : answer.summary;
  const words = answer.type === "rows" ? summary || answer.explanation || answer.message : answer.explanation || answer.message;
  return (
    <div className="lead">
      {one !== undefined && (
        <p className="figure" data-test="figure">
          {one}
        </p>
      )}
      {words && (
        <p className="sentence" data-test="sentence">
          {words}
        </p>
      )}
    </div>
  );
}

function Meta({ answer }: { answer: Answer }) {
  const level = sureness(answer);
  const name = useSourceName();
  return (
    <p className="meta">
      {level && <span className={`badge is-${level}`}>{t.answer.sure[level]}</span>}
      {answer.brain && <span>{t.answer.by[answer.brain] ?? answer.brain}</span>}
      {answer.row_count !== undefined && answer.type === "rows" && <span>{t.answer.rows(answer.row_count)}</span>}
      {answer.trace && <span>{duration(totalMs(answer))}</span>}
      {answer.datasource && <span>{name(answer.datasource)}</span>}
    </p>
  );
}

function Notes({ answer, onRead }: { answer: Answer; onRead: (reading: number) => void }) {
  const warnings = notesOf(answer);
  if (answer.stale) warnings.unshift(t.answer.stale);
  if (answer.truncated) warnings.unshift(t.answer.truncated(answer.row_count ?? answer.rows?.length ?? 0));
  if (answer.corrected_from) warnings.unshift(t.answer.corrected);
  return (
    <>
      {warnings.length > 0 && (
        <ul className="notes" aria-label={t.answer.warnings}>
          {warnings.map((text, index) => (
            <li key={index}>
              <Icon name="warn" /> <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
      {otherReadings(answer).map((reading) => (
        <p key={reading.number} className="other">
          <span className="quiet">{t.answer.other}</span>{" "}
          <button type="button" className="link" title={reading.words} onClick={() => onRead(reading.number)}>
            {reading.differs}
          </button>
        </p>
      ))}
    </>
  );
}

export function AnswerCard({ turn, answer, states, onRead, onCorrect, onDraft, onSql }: Props) {
  const rows = answer.rows;
  const tabs: Tab<View>[] = [];
  if (rows) tabs.push({ name: "table", title: t.answer.table });
  if (rows && isChartable(answer.columns ?? [], rows)) tabs.push({ name: "chart", title: t.answer.chart });
  if (answer.sql) tabs.push({ name: "sql", title: t.answer.sql });
  if (answer.trace) tabs.push({ name: "how", title: t.answer.how });
  const [picked, setPicked] = useState<View>();
  const chosen = tabs.find((tab) => tab.name === picked)?.name ?? tabs[0]?.name;
  return (
    <article className="answer" data-test="answer">
      <Lead answer={answer} />
      <Meta answer={answer} />
      <Notes answer={answer} onRead={onRead} />
      {(answer.assumptions?.length ?? 0) > 0 && (
        <Suspense fallback={null}>
          <Assumed key={answer.query_id} answer={answer} onRead={onRead} onDraft={onDraft} />
        </Suspense>
      )}
      {turn.corrects !== undefined && (
        <Suspense fallback={null}>
          <Learned answer={answer} said={turn.corrects} />
        </Suspense>
      )}
      {chosen && (
        <Tabs label={t.answer.views} tabs={tabs} chosen={chosen} onChoose={setPicked}>
          {chosen === "table" &&
            rows &&
            (rows.length > 0 ? (
              <Rows answer={answer} rows={rows} />
            ) : (
              <p className="empty">{t.answer.none}</p>
            ))}
          {chosen === "chart" && (
            <Suspense fallback={<p className="empty">{t.chart.loading}</p>}>
              <ChartView answer={answer} />
            </Suspense>
          )}
          {chosen === "sql" && answer.sql && (
            <>
              <Sql sql={answer.sql} onRun={onSql} />
              {answer.corrected_from && (
                <details>
                  <summary>{t.sql.before}</summary>
                  <Sql sql={answer.corrected_from} />
                </details>
              )}
            </>
          )}
          {chosen === "how" && (
            <Suspense fallback={<p className="empty">{t.loading}</p>}>
              <How answer={answer} turn={turn} states={states} />
            </Suspense>
          )}
        </Tabs>
      )}
      <Tools answer={answer} />
      {(answer.tables_used?.length ?? 0) > 0 && (
        <Suspense fallback={null}>
          <Correct answer={answer} onSay={onCorrect} />
        </Suspense>
      )}
    </article>
  );
}
