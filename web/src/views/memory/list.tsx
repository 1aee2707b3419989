// A list that is loaded: its states (loading, failed, empty) look the same everywhere.
import type { ReactNode } from "react";
import { problemFrom, ProblemCard } from "../../parts/problem";
import { useVoice } from "../../parts/say";
import type { Loaded } from "../../state/use";
import { t } from "../../text";

interface Props<T> {
  loaded: Loaded<T[]>;
  none: string;
  children: (item: T, index: number) => ReactNode;
}

export function List<T>({ loaded, none, children }: Props<T>) {
  if (loaded.problem) return <ProblemCard problem={loaded.problem} />;
  if (!loaded.value) return <p className="empty">{t.loading}</p>;
  if (loaded.value.length === 0) return <p className="empty">{none}</p>;
  return <ul className="list">{loaded.value.map(children)}</ul>;
}

/** Does something, says so, and loads again; a failure is said instead. */
export function useAttempt(reload: () => void): (work: () => Promise<unknown>, said: string) => void {
  const { note } = useVoice();
  return (work, said) => {
    work().then(
      () => {
        note(said);
        reload();
      },
      (cause: unknown) => note(problemFrom(cause).message),
    );
  };
}
