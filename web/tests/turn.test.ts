import { describe, expect, it } from "vitest";
import type { Answer } from "../src/api/types";
import { failed, heard, inOrder, isRunning, isWaiting, newTurn, oldTurn, over, sureness, turnsOf, wasInterrupted, withRunning } from "../src/state/turn";

const start = () => newTurn("t", "how many?", 1);

describe("a turn", () => {
  it("becomes what its events say", () => {
    let turn = start();
    turn = heard(turn, "status", { state: "READ", status: "understanding", ms: 1 });
    turn = heard(turn, "reasoning", { text: "First " });
    turn = heard(turn, "reasoning", { text: "second" });
    turn = heard(turn, "sql", { sql: "SELECT 1" });
    turn = heard(turn, "progress", { text: "10 rows" });
    turn = heard(turn, "rows", { row_count: 10 });
    expect(turn).toMatchObject({
      state: "READ",
      status: "understanding",
      steps: [{ state: "READ", ms: 1 }],
      reasoning: "First second",
      sql: "SELECT 1",
      progress: ["10 rows"],
      rowCount: 10,
    });
    expect(isRunning(turn)).toBe(true);
    const answer: Answer = { query_id: "q", status: "finished", state: "FINISHED", type: "rows", trace: [{ state: "A" }, { state: "B" }] };
    turn = heard(turn, "done", answer);
    expect(isRunning(turn)).toBe(false);
    expect(turn.steps).toHaveLength(2);
  });

  it("is not shaken by events it does not know or cannot read", () => {
    const turn = start();
    for (const data of [null, 5, "x", [], { state: 7 }]) expect(heard(turn, "status", data)).toEqual(turn);
    expect(heard(turn, "toString", {})).toBe(turn);
    expect(heard(turn, "__proto__", {})).toBe(turn);
  });

  it("waits when the answer is a question back", () => {
    const turn = over(start(), { query_id: "q", status: "finished", state: "FINISHED", type: "clarification", clarification: { message: "Which?" } });
    expect(isWaiting(turn)).toBe(true);
    expect(isWaiting(over(start(), { query_id: "q", status: "finished", state: "FINISHED", type: "rows" }))).toBe(false);
  });

  it("keeps an error with its hint", () => {
    const turn = failed(start(), { code: "NETWORK", message: "Gone.", hint: "Look." });
    expect(turn.problem?.hint).toBe("Look.");
    expect(isRunning(turn)).toBe(false);
  });

  it("is one with the answer to its clarifying question", () => {
    const turns = turnsOf([
      { role: "user", content: "best sale?" },
      { role: "assistant", content: "Best by what?", query_id: "q-1" },
      { role: "user", content: "by amount" },
      { role: "assistant", content: "One row.", query_id: "q-1", sql_query: "SELECT 1" },
      { role: "user", content: "how many sales?" },
      { role: "assistant", content: "Three.", query_id: "q-2" },
      { role: "user", content: "and now?" },
    ]);
    expect(turns.map((turn) => turn.question)).toEqual(["best sale?", "how many sales?", "and now?"]);
    expect(turns.map((turn) => turn.answer?.message)).toEqual(["One row.", "Three.", undefined]);
    expect(turns[0]?.sql).toBe("SELECT 1");
  });

  it("calls an answer as sure as its score", () => {
    const answer = (score: number, label: "sure" | "likely" | "unsure"): Answer => ({
      query_id: "q",
      status: "finished", state: "FINISHED",
      brain: "parser",
      confidence: { score, label },
    });
    expect(sureness(answer(0.8, "sure"))).toBe("high");
    expect(sureness(answer(0.5, "likely"))).toBe("middle");
    expect(sureness(answer(0.4, "unsure"))).toBe("low");
    expect(sureness({ query_id: "q", status: "finished", state: "FINISHED" })).toBeUndefined();
  });
});

describe("a conversation after a reload", () => {
  const said = (role: "user" | "assistant", content: string, query_id: string) => ({ role, content, query_id });
  const [first, second, third] = ["q-000000001aaa", "q-000000002aaa", "q-000000003aaa"] as const;

  it("keeps the order of asking, although the second question ended first", () => {
    const turns = turnsOf([
      said("user", "two", second),
      said("user", "one", first),
      said("assistant", "2", second),
      said("assistant", "1", first),
    ]);
    expect(turns.map((turn) => [turn.question, turn.answer?.message])).toEqual([["one", "1"], ["two", "2"]]);
  });

  it("has the questions that are still being answered at their place", () => {
    const done = turnsOf([said("user", "one", first), said("assistant", "1", first), said("user", "three", third), said("assistant", "3", third)]);
    const all = withRunning(done, [{ query_id: second, content: "two" }]);
    expect(all.map((turn) => [turn.question, isRunning(turn)])).toEqual([["one", false], ["two", true], ["three", false]]);
    // one that asked back and now goes on runs again, with what is known of it
    const again = withRunning(done, [{ query_id: first, content: "one" }]);
    expect(again.map((turn) => [turn.question, isRunning(turn), turn.answer])).toEqual([["one", true, undefined], ["three", false, done[1]?.answer]]);
  });

  it("keeps what has no id where it is", () => {
    const turns = [newTurn("a", "sent just now", 1), { ...newTurn("b", "later", 1), queryId: second }, { ...newTurn("c", "earlier", 1), queryId: first }];
    expect(inOrder(turns.slice(1)).map((turn) => turn.key)).toEqual(["c", "b"]);
  });

  it("shows a question that still runs as running", () => {
    expect(isRunning(oldTurn({ query_id: first, status: "generating", state: "GENERATE_SQL" }))).toBe(true);
    expect(isRunning(oldTurn({ query_id: first, status: "failed", state: "FAILED" }))).toBe(false);
  });

  it("asks again what a restart interrupted, and never what may have written", () => {
    const interrupted = (sql?: string): Answer => ({
      query_id: first,
      status: "failed",
      state: "FAILED",
      error: { code: "INTERRUPTED", message: "dragoman was ended." },
      ...(sql ? { sql } : {}),
    });
    expect(wasInterrupted(interrupted())).toBe(true);
    expect(wasInterrupted(interrupted("WITH x AS (SELECT 1) SELECT * FROM x"))).toBe(true);
    expect(wasInterrupted(interrupted("DELETE FROM orders"))).toBe(false);
    expect(wasInterrupted({ ...interrupted(), error: { code: "TIMEOUT", message: "Too slow." } })).toBe(false);
  });
});
