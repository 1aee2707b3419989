// How the answer was found: what was understood, tables, plan, confidence and cost.
import type { ReactNode } from "react";
import type { Answer, State } from "../api/types";
import { duration, money, percent } from "../logic/format";
import { sureness, totalMs, type Turn } from "../state/turn";
import { useSourceName } from "../state/sources";
import { t } from "../text";
import { Walked } from "./rail";

const most: Record<string, number> = { schema_match: 0.3, complexity: 0.2, clarity: 0.3, validity: 0.2 };

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="how-part">
      <h3 className="title">{title}</h3>
      {children}
    </section>
  );
}

function Factors({ answer }: { answer: Answer }) {
  const confidence = answer.confidence;
  const level = sureness(answer);
  if (!confidence) return null;
  return (
    <Part title={t.how.confidence}>
      {level && (
        <p>
          <span className={`badge is-${level}`}>{t.answer.sure[level]}</span>{" "}
          <span className="quiet">
            {t.how.score(percent(confidence.score))}
          </span>
        </p>
      )}
      <ul className="factors">
        {Object.entries(confidence.factors ?? {}).map(([name, value], index) => (
          <li key={name}>
            <span className="factor-name">{t.how.factors[name] ?? name}</span>
            <meter min={0} max={most[name] ?? 1} value={value} aria-label={t.how.factors[name] ?? name} />
            <span className="quiet">{confidence.reasons?.[index] ?? ""}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function taken(answer: Answer): string {
  const usage = answer.usage ?? {};
  const parts = [duration(totalMs(answer)), usage.calls ? t.how.calls(usage.calls) : t.how.noCalls];
  if (usage.tokens) parts.push(t.how.tokens(usage.tokens));
  if (usage.cost !== undefined) parts.push(money(usage.cost));
  if (usage.tokens_saved) parts.push(t.how.saved(usage.tokens_saved));
  return parts.join(" · ");
}

export function How({ answer, turn, states }: { answer: Answer; turn: Turn; states: readonly State[] }) {
  const plan = answer.plan?.steps ?? [];
  const source = useSourceName();
  return (
    <div className="how" data-test="how">
      {(answer.rewritten_query || answer.summary) && (
        <Part title={t.how.read}>
          {answer.rewritten_query && <p>{answer.rewritten_query}</p>}
          {answer.summary && <p>{answer.summary}</p>}
        </Part>
      )}
      {answer.tables_used && (
        <Part title={t.how.tables}>
          <p className="chips">
            {answer.tables_used.map((table) => (
              <code key={table} className="chip">
                {table}
              </code>
            ))}
          </p>
          {answer.plan?.joins?.map((join) => (
            <p key={join} className="quiet">
              <code>{join}</code>
            </p>
          ))}
        </Part>
      )}
      {plan.length > 0 && (
        <Part title={t.how.plan}>
          <ol className="plan">
            {plan.map((step, index) => (
              <li key={index}>{step}</li>
            ))}
          </ol>
        </Part>
      )}
      {answer.reasoning && plan.length === 0 && (
        <Part title={t.how.reasoning}>
          <p className="pre">{answer.reasoning}</p>
        </Part>
      )}
      {answer.explanation && (
        <Part title={t.how.explanation}>
          <p>{answer.explanation}</p>
        </Part>
      )}
      <Factors answer={answer} />
      {answer.engine && (
        <Part title={t.how.engine}>
          <p>
            {source(answer.datasource)} · {answer.engine.name}
          </p>
          <p className="quiet">{answer.engine.reason}</p>
        </Part>
      )}
      {answer.lessons && (
        <Part title={t.how.lessons}>
          {answer.lessons.map((lesson, index) => (
            <p key={index}>{lesson}</p>
          ))}
        </Part>
      )}
      {answer.dates_used && (
        <Part title={t.how.dates}>
          <p>{answer.dates_used.join(" · ")}</p>
        </Part>
      )}
      <Part title={t.how.cost}>
        <p>{taken(answer)}</p>
      </Part>
      <Part title={t.how.trace}>
        <Walked states={states} turn={turn} />
      </Part>
    </div>
  );
}
