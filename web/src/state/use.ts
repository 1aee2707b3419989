// Small hooks: load data, follow the address, listen for a key.
import { useCallback, useEffect, useRef, useState } from "react";
import type { Problem } from "../api/types";
import { placeOf, type Place } from "../logic/route";
import { problemFrom } from "../logic/problem";

export interface Loaded<T> {
  value: T | undefined;
  problem: Problem | undefined;
  loading: boolean;
  reload: () => void;
}

/** Loads when `what` changes; late responses for an earlier value are ignored. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, what: string): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [problem, setProblem] = useState<Problem>();
  const [loading, setLoading] = useState(true);
  const [times, setTimes] = useState(0);
  const loader = useRef(load);
  loader.current = load;
  useEffect(() => {
    const control = new AbortController();
    setLoading(true);
    loader
      .current(control.signal)
      .then((loaded) => {
        if (control.signal.aborted) return;
        setValue(loaded);
        setProblem(undefined);
        setLoading(false);
      })
      .catch((cause: unknown) => {
        if (control.signal.aborted) return;
        setProblem(problemFrom(cause));
        setLoading(false);
      });
    return () => control.abort();
  }, [what, times]);
  const reload = useCallback(() => setTimes((n) => n + 1), []);
  return { value, problem, loading, reload };
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  useEffect(() => {
    const look = () => setPlace(placeOf(location.hash));
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, []);
  return place;
}

export function useKeys(hear: (event: KeyboardEvent) => void): void {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latest.current(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
