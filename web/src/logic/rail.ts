// The progress of a question: the states of the machine, grouped by status.
import type { Answer, State, Step } from "../api/types";

/** The status in one word. */
export type Status = Answer["status"];

export interface Station {
  name: string;
  title: string;
  /** not reached (yet), passed, or current */
  mark: "ahead" | "passed" | "here";
  visits: number;
  ms: number;
}

export interface Line {
  status: Status;
  mark: "ahead" | "passed" | "here";
  stations: Station[];
}

const order: Status[] = ["understanding", "searching", "planning", "generating", "correcting"];

/** All states that are not final, in the order of the machine, with those that were passed. */
export function rail(states: readonly State[], walked: readonly Step[], at: string | undefined): Line[] {
  const visits = new Map<string, { visits: number; ms: number }>();
  for (const step of walked) {
    const sofar = visits.get(step.state) ?? { visits: 0, ms: 0 };
    visits.set(step.state, { visits: sofar.visits + 1, ms: sofar.ms + (step.ms ?? 0) });
  }
  return order
    .map((status): Line => {
      const stations = states
        .filter((state) => state.status === status && !state.final)
        .map((state): Station => {
          const seen = visits.get(state.name);
          const mark = state.name === at ? "here" : seen ? "passed" : "ahead";
          return { name: state.name, title: state.title, mark, visits: seen?.visits ?? 0, ms: seen?.ms ?? 0 };
        });
      const here = stations.some((station) => station.mark === "here");
      const passed = stations.some((station) => station.mark === "passed");
      return { status, stations, mark: here ? "here" : passed ? "passed" : "ahead" };
    })
    .filter((line) => line.stations.length > 0);
}

/** The title of a state, or its name in words when the machine is not known yet. */
export function titleOf(states: readonly State[], name: string | undefined): string {
  if (!name) return "";
  const known = states.find((state) => state.name === name)?.title;
  return known ?? name.charAt(0) + name.slice(1).toLowerCase().replaceAll("_", " ");
}

/** The phases that are over, in the order in which they were entered. */
export function doneLines(states: readonly State[], walked: readonly Step[], at: string | undefined): Status[] {
  const phases: Status[] = [];
  const here = states.find((state) => state.name === at)?.status;
  for (const step of walked) {
    const status = states.find((state) => state.name === step.state)?.status;
    const phase = order.find((each) => each === status);
    if (phase && phase !== here && !phases.includes(phase)) phases.push(phase);
  }
  return phases;
}

/** The steps of a plan that is still being written: one on each line, without numbers of their own. */
export function planLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\d+[.)]|[-*•])\s+/, "").trim())
    .filter(Boolean);
}
