// Follows one question to its end: streams its events and, if the connection is lost, continues
// after the last event that arrived. A lost connection never stops a question.
import { ApiError, get, headers, query, request, segment } from "./client";
import { EventReader, type ServerEvent } from "./sse";
import type { Answer } from "./types";

export interface Follower {
  event(name: string, data: unknown): void;
  /** true while the connection is lost and the page reconnects */
  lost(lost: boolean): void;
}

export interface FollowSettings {
  signal: AbortSignal;
  /** ms to wait before the nth attempt in a row without an event */
  wait?: (failures: number) => number;
  /** attempts in a row without an event; without a limit, because the server goes on with the question */
  tries?: number;
}

const finals = new Set(["done"]);

// The number of the last event of each question, from which a resumed question continues.
const last_seen = new Map<string, string>();

/** A question that is retried sends its events from the first one again. */
export function forget(id: string): void {
  last_seen.delete(id);
}

export const backoff = (failures: number): number => Math.min(300 * 2 ** (failures - 1), 5000);

/** Waits; ends early when the network is back. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.("online", done);
      signal.removeEventListener("abort", gone);
    };
    const done = () => {
      end();
      resolve();
    };
    const gone = () => {
      end();
      reject(signal.reason);
    };
    const timer = setTimeout(done, ms);
    globalThis.addEventListener?.("online", done);
    signal.addEventListener("abort", gone);
  });
}

function parse(event: ServerEvent): unknown {
  try {
    return JSON.parse(event.data);
  } catch {
    return undefined;
  }
}

/** Reads one connection; returns the final answer, or undefined if the connection was lost before. */
async function listen(
  id: string,
  follower: Follower,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const extra: Record<string, string> = { Accept: "text/event-stream" };
  const last = last_seen.get(id);
  if (last) extra["Last-Event-ID"] = last;
  const response = await request(
    `/api/v1/ask/${segment(id)}/stream${query({ last_event_id: last })}`,
    { headers: headers(extra), signal },
  );
  follower.lost(false);
  const stream = response.body?.getReader();
  if (!stream) return undefined;
  const decoder = new TextDecoder();
  const reader = new EventReader();
  for (;;) {
    const { done, value } = await stream.read();
    if (done) return undefined;
    for (const event of reader.push(decoder.decode(value, { stream: true }))) {
      if (event.id) last_seen.set(id, event.id);
      const data = parse(event);
      if (data === undefined) continue;
      follower.event(event.name, data);
      if (finals.has(event.name)) {
        void stream.cancel().catch(() => undefined);
        return data as Answer;
      }
    }
  }
}

function isOver(answer: Answer): boolean {
  return ["finished", "failed", "stopped"].includes(answer.status);
}

/** The answer of question `id`; reconnects as often as necessary. */
export async function follow(id: string, follower: Follower, settings: FollowSettings): Promise<Answer> {
  const { signal, wait = backoff, tries = Infinity } = settings;
  let failures = 0;
  for (;;) {
    const before = last_seen.get(id);
    try {
      const answer = await listen(id, follower, signal);
      if (answer) return answer;
      // the stream ended without an answer: perhaps it had been sent before
      const now = await get<Answer>(`/api/v1/ask/${segment(id)}`, signal);
      if (isOver(now)) return now;
    } catch (cause) {
      if (signal.aborted) throw cause;
      if (cause instanceof ApiError && cause.status !== 0 && cause.status < 500) throw cause;
    }
    failures = last_seen.get(id) === before ? failures + 1 : 1;
    if (failures > tries) {
      throw new ApiError(0, {
        code: "NETWORK",
        message: "The connection to the server was lost.",
        hint: "The server continues with the question. Reload the page to see the answer.",
      });
    }
    follower.lost(true);
    await pause(wait(failures), signal);
  }
}
