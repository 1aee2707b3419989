// One question of a conversation with all that is known about it, as an immutable value, and how each
// event changes it. The views only draw it.
import type { Answer, Message, PartsOfQuery, Problem, Running, Step } from "../api/types";
import type { Status } from "../logic/rail";

export interface Turn {
  key: string;
  question: string;
  /** a person's own SQL, not a question */
  own?: boolean;
  /** the user's correction of the previous answer, if this question is one */
  corrects?: string;
  /** the parts of an answer that the user changed, and the question that it answered */
  changes?: { queryId: string; parts: PartsOfQuery };
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
  /** how often the server was restarted while it worked on this question */
  restarts?: number;
  /** the time of its last message, if it was asked before the page was loaded */
  left?: number;
  /** where it was to be answered, to send it again */
  datasource?: string;
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

export function isFinal(answer: Answer): boolean {
  return ["finished", "failed", "stopped"].includes(answer.status);
}

/** A question that was asked before the page was loaded. */
export function oldTurn(answer: Answer): Turn {
  const turn = { ...newTurn(answer.query_id, answer.question ?? answer.sql ?? "", 0), queryId: answer.query_id };
  if (isFinal(answer)) return over(turn, answer);
  return { ...turn, phase: "running", status: answer.status, state: answer.state };
}

/** The server ended while it worked on the question. One that only reads is asked again without being told to. */
export function wasInterrupted(answer: Answer): boolean {
  return answer.error?.code === "INTERRUPTED" && (!answer.sql || /^[\s(]*(select|with|from)\b/i.test(answer.sql));
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

/** The reply to a message: the next one with its id. Without an id, the next one. */
function replyTo(messages: readonly Message[], index: number): Message | undefined {
  const id = messages[index]?.query_id;
  const next = messages[index + 1];
  if (!id || (next?.role === "assistant" && next.query_id === id)) return next?.role === "assistant" ? next : undefined;
  return messages.slice(index + 1).find((message) => message.role === "assistant" && message.query_id === id) ?? (next?.role === "assistant" && !next.query_id ? next : undefined);
}

/** "q-" and nine letters of an id: the time of asking, in milliseconds */
const time_of_id = 11;

/**
 * Questions in the order in which they were asked, which their ids begin with. Their messages are stored when they
 * end: of two that run at the same time, the second one's may come first.
 */
export function inOrder(turns: readonly Turn[]): Turn[] {
  const placed = turns.map((turn, index) => ({ turn, index }));
  placed.sort((a, b) => {
    const [x, y] = [a, b].map(({ turn }) => turn.queryId?.slice(0, time_of_id));
    return x && y && x !== y ? (x < y ? -1 : 1) : a.index - b.index;
  });
  return placed.map(({ turn }) => turn);
}

/** Adds the questions that are still being answered. One that asked back and goes on is there already. */
export function withRunning(turns: readonly Turn[], running: readonly Running[]): Turn[] {
  const all = [...turns];
  for (const each of running) {
    const at = all.findIndex((turn) => turn.queryId === each.query_id);
    const before = all[at] ?? newTurn(`old-${each.query_id}`, each.content, 0);
    const { answer: _answer, problem: _problem, ...rest } = before;
    const turn: Turn = { ...rest, queryId: each.query_id, phase: "running", steps: [] };
    if (at >= 0) all[at] = turn;
    else all.push(turn);
  }
  return inOrder(all);
}

/**
 * The messages of a session whose answers are not loaded. A reply to a clarifying question belongs to that
 * question and has the same id.
 */
export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  messages.forEach((message, index) => {
    if (message.role !== "user") return;
    const reply = replyTo(messages, index);
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
  return inOrder(turns);
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
