// An answer: a sentence, the numbers, the chart and the table; below them, quietly, SQL and how it came about.
import { Suspense, useState } from "react";
import type { Answer, PartsOfQuery, Row, State } from "../api/types";
import { columnShapes } from "../logic/cells";
import { duration } from "../logic/format";
import { isChartable, isDrawnAtOnce } from "../logic/chart";
import { notesOf, otherReadings } from "../logic/notes";
import { sentenceOf, understoodOf } from "../logic/said";
import { useNamed, useSourceName } from "../state/sources";
import { sureness, totalMs, type Turn } from "../state/turn";
import { t } from "../text";
import { Figures } from "./figures";
import { Icon } from "./icon";
import { later } from "./later";
import { Fence } from "./problem";
import { Rows } from "./rows";
import { Sql } from "./sql";
import { Tools } from "./tools";

const ChartView = later(() => import("./chart").then((part) => ({ default: part.ChartView })));
const How = later(() => import("./how").then((part) => ({ default: part.How })));
const ChangeParts = later(() => import("./change").then((part) => ({ default: part.ChangeParts })));
const Assumed = later(() => import("./assumed").then((part) => ({ default: part.Assumed })));
const Correct = later(() => import("./correct").then((part) => ({ default: part.Correct })));
const Learned = later(() => import("./learned").then((part) => ({ default: part.Learned })));

/** A table of at most this many columns and letters stands beside its chart. */
const most_beside = 4;
const widest_beside = 44;
const rows_beside = 9;

/** What the footer opens. */
type Panel = "sql" | "edit" | "how" | "change";

interface Props {
  turn: Turn;
  answer: Answer;
  states: readonly State[];
  onRead: (reading: number) => void;
  onCorrect: (text: string) => void;
  onDraft: (text: string) => void;
  onSql: (sql: string) => void;
  onChange: (parts: PartsOfQuery) => void;
}

/** What was found, in words. */
function Lead({ answer }: { answer: Answer }) {
  const words = sentenceOf(answer);
  const name = useNamed();
  if (!words) return null;
  return (
    <p className="sentence" data-test="sentence">
      {name(words)}
    </p>
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
  const name = useNamed();
  const warnings = notesOf(answer).map(name);
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

/** The rows as a chart and a table: side by side where both fit. */
function Result({ answer, rows, drawn, onDraw }: { answer: Answer; rows: readonly Row[]; drawn: boolean; onDraw: (drawn: boolean) => void }) {
  const columns = answer.columns ?? [];
  if (rows.length === 0) return <p className="empty">{t.answer.none}</p>;
  const narrow = columns.length <= most_beside && columnShapes(columns, rows).reduce((sum, shape) => sum + shape.width, 0) <= widest_beside;
  const offered = !drawn && isChartable(columns, rows);
  return (
    <div className={drawn ? (narrow ? "result is-beside" : "result is-drawn") : "result"} data-test="result">
      {drawn && (
        <Fence name="chart" plain>
          <Suspense fallback={<p className="chart-box empty">{t.chart.loading}</p>}>
            <ChartView answer={answer} onHide={() => onDraw(false)} />
          </Suspense>
        </Fence>
      )}
      {answer.chart?.note && (
        <p className="quiet" data-test="chart-note">
          {answer.chart.note}
        </p>
      )}
      <div className="result-rows">
        <Rows answer={answer} rows={rows} {...(drawn ? { sight: rows_beside } : {})} />
        {offered && (
          <button type="button" className="button is-small" onClick={() => onDraw(true)}>
            <Icon name="chart" /> {t.chart.show}
          </button>
        )}
      </div>
    </div>
  );
}

/** SQL, how the question was understood, confidence: quiet, below what was found. */
function Foot({ answer, turn, states, onSql, onChange }: Pick<Props, "answer" | "turn" | "states" | "onSql" | "onChange">) {
  const [panel, setPanel] = useState<Panel>();
  const understood = understoodOf(answer);
  const opener = (name: Panel, title: string) => (
    <button type="button" className="link is-quiet" aria-expanded={panel === name} onClick={() => setPanel(panel === name ? undefined : name)}>
      {title}
    </button>
  );
  return (
    <footer className="foot">
      {understood && (
        <p className="quiet" data-test="understood">
          {t.answer.understood} {understood}
        </p>
      )}
      <div className="row">
        <Meta answer={answer} />
        {answer.sql && opener("sql", t.answer.sql)}
        {answer.trace && opener("how", t.answer.how)}
        {answer.sql && answer.rows && opener("change", t.change.open)}
      </div>
      {panel === "change" && (
        <section aria-label={t.change.open} className="foot-panel">
          <Suspense fallback={<p className="empty">{t.loading}</p>}>
            <ChangeParts
              answer={answer}
              onSql={() => setPanel("edit")}
              onChange={(parts) => {
                setPanel(undefined);
                onChange(parts);
              }}
            />
          </Suspense>
        </section>
      )}
      {(panel === "sql" || panel === "edit") && answer.sql && (
        <section aria-label={t.answer.sql} className="foot-panel">
          <Sql key={panel} sql={answer.sql} onRun={onSql} datasource={answer.datasource} edit={panel === "edit"} />
          {answer.corrected_from && (
            <details>
              <summary>{t.sql.before}</summary>
              <Sql sql={answer.corrected_from} />
            </details>
          )}
        </section>
      )}
      {panel === "how" && (
        <section aria-label={t.answer.how} className="foot-panel">
          <Suspense fallback={<p className="empty">{t.loading}</p>}>
            <How answer={answer} turn={turn} states={states} />
          </Suspense>
        </section>
      )}
    </footer>
  );
}

export function AnswerCard({ turn, answer, states, onRead, onCorrect, onDraft, onSql, onChange }: Props) {
  const { rows } = answer;
  const [wanted, setWanted] = useState<boolean>();
  const drawn = wanted ?? isDrawnAtOnce(answer);
  const figures = <Figures answer={answer} drawn={drawn} />;
  return (
    <article className="answer" data-test="answer">
      {rows?.length === 1 && figures}
      <Lead answer={answer} />
      {rows?.length !== 1 && figures}
      <Notes answer={answer} onRead={onRead} />
      <Fence name="learned" quiet>
        <Suspense fallback={null}>
          {(answer.assumptions?.length ?? 0) > 0 && <Assumed key={answer.query_id} answer={answer} onRead={onRead} onDraft={onDraft} />}
          {turn.corrects !== undefined && <Learned answer={answer} said={turn.corrects} />}
        </Suspense>
      </Fence>
      {rows && <Result answer={answer} rows={rows} drawn={drawn} onDraw={setWanted} />}
      <Foot answer={answer} turn={turn} states={states} onSql={onSql} onChange={onChange} />
      <Tools answer={answer} />
      {(answer.tables_used?.length ?? 0) > 0 && (
        <Fence name="correct" quiet>
          <Suspense fallback={null}>
            <Correct answer={answer} onSay={onCorrect} />
          </Suspense>
        </Fence>
      )}
    </article>
  );
}
