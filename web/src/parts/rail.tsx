// The progress of a question: the states that it has passed, live and afterwards.
import type { State } from "../api/types";
import { duration } from "../logic/format";
import { rail, titleOf } from "../logic/rail";
import { isRunning, type Turn } from "../state/turn";
import { t } from "../text";

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

/** While it runs: the list of states, the current one, and the plan as far as the model has written it. */
export function Progress({ states, turn }: { states: readonly State[]; turn: Turn }) {
  const now = turn.phase === "sending" ? t.progress.sending : titleOf(states, turn.state);
  const last = turn.progress[turn.progress.length - 1];
  return (
    <div className="progress" data-test="progress">
      <Lines states={states} turn={turn} />
      <p className="progress-now">
        <span className="pulse" aria-hidden="true" />
        {now}
        {last && <span className="quiet"> · {last}</span>}
      </p>
      {turn.lost && (
        <p className="warning" role="alert">
          {t.progress.lost}
        </p>
      )}
      {turn.reasoning && (
        <details className="thinking" open>
          <summary>{t.progress.thinking}</summary>
          <pre>{turn.reasoning}</pre>
        </details>
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
