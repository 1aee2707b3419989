// A conversation: its questions; asking, following, stopping, answering a clarifying question.
import { useCallback, useEffect, useRef, useState } from "react";
import { get, post, segment } from "../api/client";
import { follow, forget } from "../api/follow";
import type { Answer, Message, Session } from "../api/types";
import { hashOf, type Place } from "../logic/route";
import { problemFrom } from "../logic/problem";
import { brainWanted } from "./brain";
import { failed, heard, isRunning, newTurn, oldTurn, over, turnsOf, type Turn } from "./turn";

export interface Conversation {
  turns: Turn[];
  loading: boolean;
  missing: boolean;
  running: Turn | undefined;
  ask(question: string, datasource: string | undefined): void;
  /** a correction of the last answer; the previous question is asked again with it */
  correct(said: string, datasource: string | undefined): void;
  runSql(sql: string, datasource: string | undefined): void;
  /** continues a question: an answer in words, an approval, another reading, or another try */
  go(turn: Turn, kind: "answer" | "approve" | "retry" | "reading", body: object): void;
  stop(): void;
}

interface Started {
  query_id: string;
  session_id?: string;
}

/** Sent only if the user chose; otherwise the setting of the server applies. */
const brain = () => (brainWanted() === "auto" ? {} : { brain: brainWanted() });

/** Replaces messages by their answers, if the server still has them. */
async function withAnswers(turns: Turn[], signal: AbortSignal): Promise<Turn[]> {
  return Promise.all(
    turns.map(async (turn) => {
      if (!turn.queryId) return turn;
      try {
        const answer = await get<Answer>(`/api/v1/ask/${segment(turn.queryId)}`, signal);
        return { ...over(turn, answer), question: answer.question ?? turn.question };
      } catch {
        return turn;
      }
    }),
  );
}

export function useConversation(place: Place & { view: "ask" }, onSession: () => void): Conversation {
  const [turns, setTurns] = useState<Turn[]>([]);
  const [loading, setLoading] = useState(false);
  const [missing, setMissing] = useState(false);
  const session = useRef<string | undefined>(undefined);
  const control = useRef(new AbortController());
  const serial = useRef(0);
  const changed = useRef(onSession);
  changed.current = onSession;

  const update = useCallback((key: string, change: (turn: Turn) => Turn) => {
    setTurns((all) => all.map((turn) => (turn.key === key ? change(turn) : turn)));
  }, []);

  const watch = useCallback(
    async (key: string, id: string, signal: AbortSignal) => {
      update(key, (turn) => ({ ...turn, queryId: id, phase: "running" }));
      const answer = await follow(
        id,
        {
          event: (name, data) => update(key, (turn) => heard(turn, name, data)),
          lost: (lost) => update(key, (turn) => (turn.lost === lost ? turn : { ...turn, lost })),
        },
        { signal },
      );
      update(key, (turn) => over(turn, answer));
      changed.current();
    },
    [update],
  );

  const begin = useCallback(
    (key: string, start: (signal: AbortSignal) => Promise<string>) => {
      const { signal } = control.current;
      start(signal)
        .then((id) => watch(key, id, signal))
        .catch((cause: unknown) => {
          if (!signal.aborted) update(key, (turn) => failed(turn, problemFrom(cause)));
        });
    },
    [update, watch],
  );

  // the address names another conversation
  const wanted = place.session ?? place.query ?? "";
  useEffect(() => {
    if (wanted && wanted === session.current) return;
    control.current.abort();
    control.current = new AbortController();
    const { signal } = control.current;
    session.current = place.session;
    setTurns([]);
    setMissing(false);
    setLoading(wanted !== "");
    if (!wanted) return;
    const load = async () => {
      if (place.query) {
        const answer = await get<Answer>(`/api/v1/ask/${segment(place.query)}`, signal);
        if (!signal.aborted) session.current = answer.session_id;
        return [oldTurn(answer)];
      }
      const found = await get<{ messages?: Message[] }>(`/api/v1/chat/sessions/${segment(wanted)}`, signal);
      return withAnswers(turnsOf(found.messages ?? []), signal);
    };
    load()
      .then((loaded) => {
        if (signal.aborted) return;
        setTurns(loaded);
        setLoading(false);
        for (const turn of loaded) {
          const running = turn.answer && !["finished", "failed", "stopped"].includes(turn.answer.status);
          if (running && turn.queryId) begin(turn.key, () => Promise.resolve(turn.queryId ?? ""));
        }
      })
      .catch(() => {
        if (signal.aborted) return;
        setMissing(true);
        setLoading(false);
      });
  }, [wanted, place.query, place.session, begin]);

  useEffect(() => () => control.current.abort(), []);

  const openSession = useCallback(async (datasource: string | undefined, signal: AbortSignal) => {
    if (session.current) return session.current;
    const made = await post<Session>("/api/v1/chat/sessions", datasource ? { datasource } : {});
    // if the user has opened another view meanwhile, stay there; the sidebar lists the conversation
    if (!signal.aborted) {
      session.current = made.session_id;
      history.replaceState(null, "", hashOf({ view: "ask", session: made.session_id }));
      window.dispatchEvent(new HashChangeEvent("hashchange")); // otherwise the page would still show "#/"
    }
    changed.current();
    return made.session_id;
  }, []);

  const start = useCallback(
    (kind: "ask" | "correct" | "sql", text: string, datasource: string | undefined) => {
      const own = kind === "sql";
      const key = `turn-${++serial.current}`;
      const turn = { ...newTurn(key, text, Date.now()), own, ...(kind === "correct" ? { corrects: text } : {}) };
      setTurns((all) => [...all, turn]);
      begin(key, async (signal) => {
        const session_id = await openSession(datasource, signal);
        const source = datasource ? { datasource } : {};
        const started = own
          ? await post<Started>("/api/v1/sql", { sql: text, session_id, ...source })
          : await post<Started>("/api/v1/ask", { query: text, session_id, ...brain(), ...source });
        return started.query_id;
      });
    },
    [begin, openSession],
  );

  const go = useCallback(
    (turn: Turn, kind: "answer" | "approve" | "retry" | "reading", body: object) => {
      const id = turn.queryId;
      if (!id) return;
      update(turn.key, ({ answer: _answer, problem: _problem, ...rest }) => ({ ...rest, phase: "sending", steps: [] }));
      begin(turn.key, async () => {
        if (kind === "retry") forget(id);
        const next = await post<Started>(`/api/v1/ask/${segment(id)}/${kind}`, body);
        return next.query_id ?? id;
      });
    },
    [begin, update],
  );

  const running = turns.find(isRunning);
  const stop = useCallback(() => {
    if (!running?.queryId || running.stopping) return;
    update(running.key, (turn) => ({ ...turn, stopping: true }));
    post(`/api/v1/ask/${segment(running.queryId)}/stop`).catch(() =>
      update(running.key, (turn) => ({ ...turn, stopping: false })),
    );
  }, [running, update]);

  return {
    turns,
    loading,
    missing,
    running,
    ask: useCallback((question, datasource) => start("ask", question, datasource), [start]),
    correct: useCallback((said, datasource) => start("correct", said, datasource), [start]),
    runSql: useCallback((sql, datasource) => start("sql", sql, datasource), [start]),
    go,
    stop,
  };
}
