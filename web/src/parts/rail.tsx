// The progress of a question: the states that it has passed, live and afterwards.
import type { State } from "../api/types";
import { duration } from "../logic/format";
import { doneLines, planLines, rail, titleOf } from "../logic/rail";
import { isRunning, type Turn } from "../state/turn";
import { t } from "../text";
import { Icon } from "./icon";

function Lines({ states, turn }: { states: readonly State[]; turn: Turn }) {
  const at = isRunning(turn) ? turn.state : undefined;
  return (
    <ol className="rail" aria-label={t.progress.rail}>
      {rail(states, turn.steps, at).map((line) => (
        <li key={line.status} className={`rail-line is-${line.mark}`}>
          <span className="rail-status">{t.progress.phases[line.status] ?? line.status}</span>
          <span className="rail-dots" aria-hidden="true">
            {line.stations.map((station) => (
              <span key={station.name} className={`dot is-${station.mark}`} title={station.title} />
            ))}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** While it runs: what was done, a line for each step as it comes, and the plan as far as the model has written it. */
export function Progress({ states, turn }: { states: readonly State[]; turn: Turn }) {
  const now = turn.phase === "sending" ? t.progress.sending : titleOf(states, turn.state);
  const last = turn.progress[turn.progress.length - 1];
  const plan = planLines(turn.reasoning);
  return (
    <div className="progress" data-test="progress">
      <ol className="doing" aria-label={t.progress.rail}>
        {doneLines(states, turn.steps, turn.state).map((status) => (
          <li key={status} className="doing-step is-done">
            <Icon name="yes" /> <span>{t.progress.phases[status] ?? status}</span>
          </li>
        ))}
        <li className="doing-step is-here" data-test="step">
          <span className="pulse" aria-hidden="true" />
          <span>
            {now}
            {last && <span className="quiet"> · {last}</span>}
          </span>
        </li>
      </ol>
      {turn.lost && (
        <p className="warning" role="alert">
          {t.progress.lost}
        </p>
      )}
      {!turn.lost && turn.restarts && <p className="quiet">{t.progress.restarted}</p>}
      {plan.length > 0 && (
        <section className="thinking" aria-label={t.progress.thinking}>
          <h3 className="title">{t.progress.thinking}</h3>
          <ol className="plan">
            {plan.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

/** Afterwards: every state with its event and duration. */
export function Walked({ states, turn }: { states: readonly State[]; turn: Turn }) {
  const most = Math.max(1, ...turn.steps.map((step) => step.ms ?? 0));
  return (
    <div>
      <Lines states={states} turn={turn} />
      <ol className="steps">
        {turn.steps.map((step, index) => (
          <li key={index}>
            <span className="steps-title">{titleOf(states, step.state)}</span>
            <span className="steps-event">{step.event ?? ""}</span>
            <span className="steps-time">{step.ms === undefined ? "" : duration(step.ms)}</span>
            <span className="steps-bar" aria-hidden="true">
              <span style={{ width: `${Math.max(1, (100 * (step.ms ?? 0)) / most)}%` }} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
