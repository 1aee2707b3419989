// Whether this browser asks for the parser or the model; "auto": the server decides.
import { useCallback, useState } from "react";

export const brains = ["auto", "parser", "llm"] as const;
export type Brain = (typeof brains)[number];
const name = "dragoman.brain";

export function brainWanted(): Brain {
  try {
    return brains.find((each) => each === localStorage.getItem(name)) ?? "auto";
  } catch {
    return "auto";
  }
}

export function useBrain(): [Brain, (brain: Brain) => void] {
  const [brain, setBrain] = useState(brainWanted);
  const set = useCallback((next: Brain) => {
    try {
      localStorage.setItem(name, next);
    } catch {
      // no storage: the choice is lost at the next reload
    }
    setBrain(next);
  }, []);
  return [brain, set];
}
