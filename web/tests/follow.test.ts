import { afterEach, describe, expect, it, vi } from "vitest";
import { backoff, follow, forget } from "../src/api/follow";

interface Seen {
  path: string;
  last: string | null;
}

const event = (id: number, name: string, data: unknown) => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A server that plays each reply in turn: a text is a stream that then breaks off. */
function play(replies: (string | Response | Error)[]): Seen[] {
  const seen: Seen[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    seen.push({ path, last: new Headers(init.headers).get("Last-Event-ID") });
    const reply = replies.shift() ?? new Error("no more replies");
    if (reply instanceof Error) throw reply;
    return typeof reply === "string" ? new Response(reply) : reply;
  });
  return seen;
}

const listen = () => {
  const events: string[] = [];
  const lost: boolean[] = [];
  return {
    events,
    lost,
    follower: { event: (name: string) => events.push(name), lost: (is: boolean) => lost.push(is) },
  };
};

const settings = (tries = 12) => ({ signal: new AbortController().signal, wait: () => 0, tries });
const running = () => Response.json({ query_id: "q", status: "generating" });

afterEach(() => {
  vi.unstubAllGlobals();
  forget("q");
});

describe("following a question", () => {
  it("ends with the final answer", async () => {
    play([event(1, "status", { state: "A" }) + event(2, "done", { query_id: "q", status: "finished" })]);
    const heard = listen();
    const answer = await follow("q", heard.follower, settings());
    expect(answer.status).toBe("finished");
    expect(heard.events).toEqual(["status", "done"]);
  });

  it("takes a lost connection up after the last event it saw", async () => {
    const seen = play([
      event(1, "status", { state: "A" }) + event(2, "status", { state: "B" }),
      running(),
      new Error("network"),
      event(3, "done", { query_id: "q", status: "finished" }),
    ]);
    const heard = listen();
    await follow("q", heard.follower, settings());
    expect(heard.events).toEqual(["status", "status", "done"]);
    expect(seen.map((each) => each.last)).toEqual([null, null, "2", "2"]);
    expect(seen[2]?.path).toContain("last_event_id=2");
    expect(heard.lost).toContain(true);
    expect(heard.lost.at(-1)).toBe(false);
  });

  it("finds an end that was told while nobody listened", async () => {
    play([event(1, "status", { state: "A" }), Response.json({ query_id: "q", status: "failed" })]);
    expect((await follow("q", listen().follower, settings())).status).toBe("failed");
  });

  it("goes on after the last event when a question is continued", async () => {
    const seen = play([
      event(4, "done", { query_id: "q", status: "finished", type: "clarification" }),
      event(5, "done", { query_id: "q", status: "finished", type: "rows" }),
    ]);
    await follow("q", listen().follower, settings());
    expect((await follow("q", listen().follower, settings())).type).toBe("rows");
    expect(seen[1]?.last).toBe("4");
  });

  it("gives up on a refusal at once, and on silence after its tries", async () => {
    play([Response.json({ error: { code: "NOT_FOUND", message: "No such question." } }, { status: 404 })]);
    await expect(follow("q", listen().follower, settings())).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
    const seen = play(Array.from({ length: 9 }, () => new Error("network")));
    await expect(follow("q", listen().follower, settings(3))).rejects.toMatchObject({ code: "NETWORK" });
    expect(seen.length).toBe(4);
  });

  it("waits longer each time, within bounds", () => {
    expect([1, 2, 3, 10].map(backoff)).toEqual([300, 600, 1200, 5000]);
  });
});
