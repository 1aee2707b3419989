// An answer: a sentence, then its views, then what can be done with it.
import { lazy, Suspense, useMemo, useState } from "react";
import { get, post, query, segment } from "../api/client";
import type { Answer, MachineState, Row } from "../api/types";
import { cellShown, cellText } from "../logic/cells";
import { duration } from "../logic/format";
import { isChartable } from "../logic/chart";
import { hashOf } from "../logic/route";
import { sureness, totalMs, type Turn } from "../state/turn";
import { t } from "../text";
import { Correct } from "./correct";
import { Export } from "./export";
import { Grid } from "./grid";
import { How } from "./how";
import { Icon } from "./icon";
import { problemFrom } from "./problem";
import { Save } from "./save";
import { useCopy, useVoice } from "./say";
import { Sql } from "./sql";
import { Tabs, type Tab } from "./tabs";

const ChartView = lazy(() => import("./chart").then((part) => ({ default: part.ChartView })));

type View = "table" | "chart" | "sql" | "how";

interface Props {
  turn: Turn;
  answer: Answer;
  states: readonly MachineState[];
  onAsk: (text: string) => void;
  onSql: (sql: string) => void;
}

/** One number or one word is the answer itself, and is written large. */
function single(answer: Answer): string | undefined {
  if (answer.columns?.length !== 1 || answer.rows?.length !== 1) return undefined;
  const cell = answer.rows[0]?.[0];
  const text = cellText(cell);
  return text && text.length <= 40 ? cellShown(cell, typeof cell === "number") : undefined;
}

function Lead({ answer }: { answer: Answer }) {
  const one = single(answer);
  const summary = answer.summary === answer.question ? undefined : answer.summary;
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
  return (
    <p className="meta">
      {level && <span className={`badge is-${level}`}>{t.answer.sure[level]}</span>}
      {answer.brain && <span>{t.answer.by[answer.brain] ?? answer.brain}</span>}
      {answer.row_count !== undefined && answer.type === "rows" && <span>{t.answer.rows(answer.row_count)}</span>}
      {answer.trace && <span>{duration(totalMs(answer))}</span>}
      {answer.datasource && <span>{answer.datasource}</span>}
    </p>
  );
}

function Notes({ answer }: { answer: Answer }) {
  const notes = [...(answer.warnings ?? [])];
  if (answer.stale) notes.unshift(t.answer.stale);
  if (answer.truncated) notes.unshift(t.answer.truncated(answer.row_count ?? answer.rows?.length ?? 0));
  if (answer.corrected_from) notes.unshift(t.answer.corrected);
  if (notes.length === 0) return null;
  return (
    <ul className="notes" aria-label={t.answer.warnings}>
      {notes.map((note, index) => (
        <li key={index}>
          <Icon name="warn" /> {note}
        </li>
      ))}
    </ul>
  );
}

const page_rows = 10_000;
const most_rows = 100_000;

/** The rows of an answer, and on demand those that did not fit into it. */
function Table({ answer, rows }: { answer: Answer; rows: readonly Row[] }) {
  const [further, setFurther] = useState<Row[]>([]);
  const [end, setEnd] = useState(!answer.truncated);
  const [busy, setBusy] = useState(false);
  const { note } = useVoice();
  const all = useMemo(() => (further.length ? [...rows, ...further] : rows), [rows, further]);
  const more = async () => {
    setBusy(true);
    try {
      const limit = Math.min(page_rows, most_rows - all.length);
      const path = `/api/v1/ask/${segment(answer.query_id)}/rows${query({ offset: all.length, limit })}`;
      const page = await get<{ rows?: Row[]; more?: boolean }>(path);
      const got = page.rows ?? [];
      setFurther([...further, ...got]);
      setEnd(!page.more || got.length === 0 || all.length + got.length >= most_rows);
    } catch (cause) {
      note(problemFrom(cause).message);
    }
    setBusy(false);
  };
  return (
    <>
      <Grid columns={answer.columns ?? []} rows={all} />
      {!end && (
        <div className="row more">
          <button type="button" className="button is-small" disabled={busy} onClick={() => void more()}>
            {busy ? t.loading : t.answer.more}
          </button>
        </div>
      )}
    </>
  );
}

function Tools({ answer }: { answer: Answer }) {
  const { note } = useVoice();
  const copy = useCopy(t.answer.copied, t.answer.copyFailed);
  const say = (good: boolean) =>
    post(`/api/v1/ask/${segment(answer.query_id)}/feedback`, { good }).then(
      () => note(t.answer.thanks),
      (cause: unknown) => note(problemFrom(cause).message),
    );
  const remember = () =>
    post("/api/v1/taught", {
      question: answer.rewritten_query ?? answer.question,
      sql: answer.sql,
      ...(answer.datasource ? { datasource: answer.datasource } : {}),
    }).then(
      () => note(t.saved.taught),
      (cause: unknown) => note(problemFrom(cause).message),
    );
  const link = () => copy(`${location.origin}/${hashOf({ view: "ask", query: answer.query_id })}`);
  return (
    <div className="row tools">
      <button type="button" className="button is-icon" aria-label={t.answer.good} title={t.answer.good} onClick={() => say(true)}>
        <Icon name="good" />
      </button>
      <button type="button" className="button is-icon" aria-label={t.answer.bad} title={t.answer.bad} onClick={() => say(false)}>
        <Icon name="bad" />
      </button>
      <button type="button" className="button is-small" onClick={link}>
        <Icon name="link" /> {t.answer.copyLink}
      </button>
      {answer.sql && answer.question && (
        <button type="button" className="button is-small" onClick={() => void remember()}>
          <Icon name="memory" /> {t.answer.remember}
        </button>
      )}
      {answer.sql && <Save answer={answer} />}
      {answer.rows && <Export answer={answer} />}
    </div>
  );
}

export function AnswerCard({ turn, answer, states, onAsk, onSql }: Props) {
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
      <Notes answer={answer} />
      {chosen && (
        <Tabs label={t.answer.views} tabs={tabs} chosen={chosen} onChoose={setPicked}>
          {chosen === "table" &&
            rows &&
            (rows.length > 0 ? (
              <Table answer={answer} rows={rows} />
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
          {chosen === "how" && <How answer={answer} turn={turn} states={states} />}
        </Tabs>
      )}
      <Tools answer={answer} />
      {(answer.tables_used?.length ?? 0) > 0 && <Correct answer={answer} onSay={onAsk} />}
    </article>
  );
}
