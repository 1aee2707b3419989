// A list that is loaded: its states (loading, failed, empty) look the same everywhere.
import type { ReactNode } from "react";
import type { IconName } from "../../logic/icons";
import { Icon } from "../../parts/icon";
import { ProblemCard } from "../../parts/problem";
import { problemFrom } from "../../logic/problem";
import { useVoice } from "../../state/voice";
import type { Loaded } from "../../state/use";
import { t } from "../../text";

interface Props<T> {
  loaded: Loaded<T[]>;
  none: string;
  icon: IconName;
  children: (item: T, index: number) => ReactNode;
}

export function List<T>({ loaded, none, icon, children }: Props<T>) {
  if (loaded.problem) {
    return (
      <ProblemCard problem={loaded.problem}>
        <button type="button" className="button is-small" onClick={loaded.reload}>
          {t.answer.retry}
        </button>
      </ProblemCard>
    );
  }
  if (!loaded.value) return <p className="empty">{t.loading}</p>;
  if (loaded.value.length === 0) {
    return (
      <div className="empty-list">
        <Icon name={icon} />
        <p>{none}</p>
      </div>
    );
  }
  return <ul className="list">{loaded.value.map(children)}</ul>;
}

/** Runs an action, shows a note or the error, and loads the list again. */
export function useAttempt(reload: () => void): (work: () => Promise<unknown>, said: string) => Promise<boolean> {
  const { note } = useVoice();
  return (work, said) =>
    work().then(
      () => {
        if (said) note(said);
        reload();
        return true;
      },
      (cause: unknown) => {
        note(problemFrom(cause).message);
        return false;
      },
    );
}
