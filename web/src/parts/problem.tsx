// An error: what happened, and what the user can do.
import { Component, type ReactNode } from "react";
import type { Problem } from "../api/types";
import { hintFor } from "../logic/hint";
import { problemFrom } from "../logic/problem";
import { useNamed } from "../state/sources";
import { t } from "../text";
import { Icon } from "./icon";

export function ProblemCard({ problem, children }: { problem: Problem; children?: ReactNode }) {
  const hint = hintFor(problem, t.error.hints);
  const name = useNamed();
  return (
    <section className="problem" aria-label={t.error.title}>
      <Icon name="warn" />
      <div>
        <p className="problem-message">{name(problem.message)}</p>
        {hint && <p className="problem-hint">{name(hint)}</p>}
        <details>
          <summary>{t.error.detail}</summary>
          {problem.detail && <pre>{name(problem.detail)}</pre>}
          <p className="problem-code">{problem.code}</p>
        </details>
        {children && <div className="row">{children}</div>}
      </div>
    </section>
  );
}

/** Catches unexpected errors of a part, so that the rest of the page stays usable. `plain`: inside of a view; `quiet`: a part that is missed by nobody. */
export class Fence extends Component<{ children: ReactNode; name: string; plain?: boolean; quiet?: boolean }, { cause?: unknown; name: string }> {
  override state: { cause?: unknown; name: string } = { name: this.props.name };

  static getDerivedStateFromError(cause: unknown) {
    return { cause };
  }

  static getDerivedStateFromProps(props: { name: string }, state: { name: string }) {
    return props.name === state.name ? null : { name: props.name, cause: undefined };
  }

  override render() {
    if (this.state.cause === undefined) return this.props.children;
    if (this.props.quiet) return null;
    return (
      <div className={this.props.plain ? undefined : "page"}>
        <ProblemCard problem={{ ...problemFrom(this.state.cause), hint: t.error.unexpected }}>
          <button type="button" className="button" onClick={() => location.reload()}>
            {t.error.reload}
          </button>
        </ProblemCard>
      </div>
    );
  }
}
