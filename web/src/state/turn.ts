// One question of a conversation with all that is known about it, as an immutable value, and how each
// event changes it. The views only draw it.
import type { Answer, Message, Problem, Step } from "../api/types";
import type { Status } from "../logic/rail";

export interface Turn {
  key: string;
  question: string;
  /** a person's own SQL, not a question */
  own?: boolean;
  /** the user's correction of the previous answer, if this question is one */
  corrects?: string;
  queryId?: string;
  phase: "sending" | "running" | "over";
  status?: Status;
  state?: string;
  steps: Step[];
  progress: string[];
  reasoning: string;
  sql?: string;
  rowCount?: number;
  lost: boolean;
  stopping: boolean;
  startedAt: number;
  answer?: Answer;
  problem?: Problem;
}

export function newTurn(key: string, question: string, now: number): Turn {
  return {
    key,
    question,
    phase: "sending",
    steps: [],
    progress: [],
    reasoning: "",
    lost: false,
    stopping: false,
    startedAt: now,
  };
}

/** A question that had ended before the page was loaded. */
export function oldTurn(answer: Answer): Turn {
  const turn = newTurn(answer.query_id, answer.question ?? answer.sql ?? "", 0);
  return over({ ...turn, queryId: answer.query_id }, answer);
}

export function over(turn: Turn, answer: Answer): Turn {
  return {
    ...turn,
    phase: "over",
    lost: false,
    stopping: false,
    answer,
    status: answer.status,
    ...(answer.state ? { state: answer.state } : {}),
    ...(answer.trace ? { steps: answer.trace } : {}),
    ...(answer.sql ? { sql: answer.sql } : {}),
    ...(answer.error ? { problem: answer.error } : {}),
  };
}

export function failed(turn: Turn, problem: Problem): Turn {
  return { ...turn, phase: "over", lost: false, stopping: false, problem };
}

/**
 * The messages of a session whose answers are not loaded. A reply to a clarifying question belongs to that
 * question and has the same id.
 */
export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  messages.forEach((message, index) => {
    if (message.role !== "user") return;
    const reply = messages[index + 1]?.role === "assistant" ? messages[index + 1] : undefined;
    const id = reply?.query_id ?? message.query_id;
    const answer: Answer = { query_id: id ?? "", status: "finished", state: "FINISHED", type: "text" };
    if (reply?.content) answer.message = reply.content;
    const sql = reply?.sql_query;
    if (sql) answer.sql = sql;
    const asked = turns.findIndex((turn) => id && turn.queryId === id);
    const before = turns[asked];
    if (before) {
      turns[asked] = over(before, answer);
      return;
    }
    const turn = newTurn(`old-${index}-${id ?? ""}`, message.content, 0);
    turns.push({ ...over(turn, answer), ...(id ? { queryId: id } : {}) });
  });
  return turns;
}

type Data = Record<string, unknown>;
const text = (data: Data, name: string): string => (typeof data[name] === "string" ? (data[name] as string) : "");

function status(turn: Turn, data: Data): Turn {
  const state = text(data, "state");
  if (!state) return turn;
  const ms = typeof data.ms === "number" ? data.ms : undefined;
  return {
    ...turn,
    state,
    status: (text(data, "status") || turn.status) as Status,
    steps: [...turn.steps, ms === undefined ? { state } : { state, ms }],
  };
}

type Handler = (turn: Turn, data: Data) => Turn;
const handlers: Record<string, Handler> = {
  status,
  reasoning: (turn, data) => ({ ...turn, reasoning: (turn.reasoning + text(data, "text")).slice(-20_000) }),
  progress: (turn, data) => ({ ...turn, progress: [...turn.progress, text(data, "text")].slice(-50) }),
  sql: (turn, data) => ({ ...turn, sql: text(data, "sql") }),
  rows: (turn, data) => (typeof data.row_count === "number" ? { ...turn, rowCount: data.row_count } : turn),
  done: (turn, data) => over(turn, data as unknown as Answer),
  error: (turn, data) => over(turn, data as unknown as Answer),
};

export function heard(turn: Turn, event: string, data: unknown): Turn {
  if (typeof data !== "object" || data === null) return turn;
  const handler = Object.hasOwn(handlers, event) ? handlers[event] : undefined;
  return handler ? handler(turn, data as Data) : turn;
}

export function isWaiting(turn: Turn): boolean {
  return turn.answer?.type === "clarification" && !!turn.answer.clarification;
}

export function isRunning(turn: Turn): boolean {
  return turn.phase !== "over";
}

export function totalMs(answer: Answer): number {
  return (answer.trace ?? []).reduce((sum, step) => sum + (step.ms ?? 0), 0);
}

/** The label of the confidence: sure, likely or unsure. */
export function sureness(answer: Answer): "high" | "middle" | "low" | undefined {
  const score = answer.confidence?.score;
  if (score === undefined) return undefined;
  if (score >= 0.8) return "high";
  return score >= 0.5 ? "middle" : "low";
}
