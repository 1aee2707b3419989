import { describe, expect, it } from "vitest";
import type { State } from "../src/api/types";
import { doneLines, planLines, rail, titleOf } from "../src/logic/rail";

const states: State[] = [
  { name: "READ", status: "understanding", title: "Reading" },
  { name: "SEEK", status: "searching", title: "Seeking" },
  { name: "THINK", status: "understanding", title: "Thinking" },
  { name: "DO", status: "generating", title: "Doing" },
  { name: "END", status: "finished", title: "End", final: true },
];

describe("the rail", () => {
  it("draws every state that is not final, by status, with what was walked", () => {
    const lines = rail(states, [{ state: "READ", ms: 2 }, { state: "SEEK", ms: 1 }, { state: "READ", ms: 3 }], "SEEK");
    expect(lines.map((line) => [line.status, line.mark])).toEqual([
      ["understanding", "passed"],
      ["searching", "here"],
      ["generating", "ahead"],
    ]);
    expect(lines[0]?.stations.map((station) => [station.name, station.mark, station.visits, station.ms])).toEqual([
      ["READ", "passed", 2, 5],
      ["THINK", "ahead", 0, 0],
    ]);
  });

  it("shows nothing as current when the question is over", () => {
    expect(rail(states, [{ state: "DO" }], undefined).some((line) => line.mark === "here")).toBe(false);
  });

  it("names a state that it does not know", () => {
    expect(titleOf(states, "SEEK")).toBe("Seeking");
    expect(titleOf([], "CHECK_FRESHNESS")).toBe("Check freshness");
    expect(titleOf([], undefined)).toBe("");
  });

  it("lists what is done, once, without what it is doing now", () => {
    const walked = [{ state: "READ" }, { state: "SEEK" }, { state: "THINK" }, { state: "DO" }, { state: "NEW" }];
    expect(doneLines(states, walked, "DO")).toEqual(["understanding", "searching"]);
    expect(doneLines(states, walked, "THINK")).toEqual(["searching", "generating"]);
    expect(doneLines(states, [], undefined)).toEqual([]);
  });

  it("makes lines of a plan that is still being written", () => {
    expect(planLines("1. Join orders\n2) Sum up\n- Sort\n\n  Limit t")).toEqual(["Join orders", "Sum up", "Sort", "Limit t"]);
    expect(planLines("")).toEqual([]);
  });
});
