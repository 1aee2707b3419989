// What a test of a connection found, one line for each check.
import { t } from "../../text";

interface Check {
  name: string;
  ok: boolean;
  text?: string;
  hint?: string;
  warning?: boolean;
  /** Statements to copy. */
  lines?: string[];
}

export interface Tested {
  ok: boolean;
  checks?: Check[];
}

export function Checks({ tested }: { tested: Tested }) {
  return (
    <ul className="checks" aria-live="polite">
      {(tested.checks ?? []).map((check, index) => (
        <li key={index}>
          <span className={check.ok ? "badge is-good" : "badge is-bad"}>{check.ok ? t.sources.ok : t.sources.notOk}</span>
          <span>
            {check.name} {check.text && <span className="quiet">{check.text}</span>}
            {check.hint && <span className="quiet"> {check.hint}</span>}
            {check.lines && <pre>{check.lines.join("\n")}</pre>}
          </span>
        </li>
      ))}
      {!tested.checks?.length && (
        <li>
          <span className={tested.ok ? "badge is-good" : "badge is-bad"}>{tested.ok ? t.sources.ok : t.sources.notOk}</span>
        </li>
      )}
    </ul>
  );
}
