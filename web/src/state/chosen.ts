// The kind of chart that was chosen for an answer: what leaves the page shows the same.
import type { Answer } from "../api/types";

const chosen = new Map<string, string>();

export function choose(query_id: string, kind: string): void {
  chosen.set(query_id, kind);
}

/** For the server, which knows fewer kinds than the page: its own choice if it cannot draw this one. */
export function chartOf(answer: Answer): { chart?: string } {
  const kind = chosen.get(answer.query_id);
  const known = [answer.chart?.kind, ...(answer.chart?.alternatives ?? [])];
  return kind && known.includes(kind) ? { chart: kind } : {};
}
