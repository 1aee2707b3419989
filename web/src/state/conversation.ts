// A conversation: its questions; asking, following, stopping, answering a clarifying question.
import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "../text";
import { ApiError, get, post, segment } from "../api/client";
import { backoff, follow, forget, pause } from "../api/follow";
import type { Answer, PartsOfQuery, Session } from "../api/types";
import { hashOf, type Place } from "../logic/route";
import { problemFrom } from "../logic/problem";
import { brainWanted } from "./brain";
import { failed, heard, inOrder, isFinal, isRunning, newTurn, oldTurn, over, turnsOf, wasInterrupted, withRunning, type Turn } from "./turn";

/** a question that ends the server again and again is not asked forever */
const most_restarts = 3;
/** an older question that was interrupted is asked again only by a click */
const recent_ms = 60 * 60 * 1000;
const title_most = 100;

export interface Conversation {
  turns: Turn[];
  loading: boolean;
  missing: boolean;
  running: Turn | undefined;
  ask(question: string, datasource: string | undefined): void;
  /** a correction of the last answer; the previous question is asked again with it */
  correct(said: string, datasource: string | undefined): void;
  runSql(sql: string, datasource: string | undefined): void;
  /** answers the turn's question with changed parts, as the next one */
  change(turn: Turn, parts: PartsOfQuery): void;
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
      if (!turn.queryId || isRunning(turn)) return turn;
      try {
        const answer = await get<Answer>(`/api/v1/ask/${segment(turn.queryId)}`, signal);
        const question = answer.question ?? turn.question;
        return isFinal(answer) ? { ...over(turn, answer), question } : { ...oldTurn(answer), key: turn.key, question };
      } catch {
        return turn;
      }
    }),
  );
}

/** Interrupted a short time ago: the server was restarted, and nobody has asked again. */
function isLeft(turn: Turn): boolean {
  return !!turn.answer && wasInterrupted(turn.answer) && (turn.left ?? 0) > Date.now() - recent_ms;
}

/** The questions of a session that are not among the known ones, with their answers. */
async function loadTurns(id: string, known: readonly Turn[], signal: AbortSignal): Promise<Turn[]> {
  const found = await get<Session>(`/api/v1/chat/sessions/${segment(id)}`, signal);
  const messages = found.messages ?? [];
  const isNew = (turn: Turn) => !known.some((each) => each.queryId === turn.queryId);
  const all = withRunning(turnsOf(messages), found.running ?? []).filter(isNew);
  const asked = new Map(messages.map((message) => [message.query_id, Date.parse(message.timestamp ?? "") || 0]));
  const turns = await withAnswers(all, signal);
  return turns.map((turn) => ({ ...turn, left: asked.get(turn.queryId) ?? 0 }));
}

/** The event that would end a question which is asked again. */
function endsInterrupted(name: string, data: unknown): boolean {
  return (name === "done" || name === "error") && typeof data === "object" && data !== null && wasInterrupted(data as Answer);
}

/** Has the restarted server continue a question, as soon as it can be reached. */
async function askAgain(id: string, signal: AbortSignal): Promise<void> {
  forget(id);
  for (let failures = 1; ; failures++) {
    try {
      await post<Started>(`/api/v1/ask/${segment(id)}/retry`);
      return;
    } catch (cause) {
      if (signal.aborted) throw cause;
      if (cause instanceof ApiError && cause.code === "NOT_WAITING") return; // another tab was quicker
      const later = cause instanceof ApiError && (cause.status === 0 || cause.status >= 500 || cause.code === "INTERRUPTED");
      if (!later) throw cause;
    }
    await pause(backoff(failures), signal);
  }
}

export function useConversation(place: Place & { view: "ask" }, onSession: () => void): Conversation {
  const [turns, setTurns] = useState<Turn[]>([]);
  const [loading, setLoading] = useState(false);
  const [missing, setMissing] = useState(false);
  const session = useRef<string | undefined>(undefined);
  const control = useRef(new AbortController());
  const serial = useRef(0);
  const sending = useRef<Promise<unknown>>(Promise.resolve());
  const unwanted = useRef(new Set<string>());
  const changed = useRef(onSession);
  changed.current = onSession;

  const update = useCallback((key: string, change: (turn: Turn) => Turn) => {
    setTurns((all) => all.map((turn) => (turn.key === key ? change(turn) : turn)));
  }, []);

  const halt = useCallback(
    (key: string, id: string) => {
      post(`/api/v1/ask/${segment(id)}/stop`).catch(() => update(key, (turn) => ({ ...turn, stopping: false })));
    },
    [update],
  );

  const watch = useCallback(
    async (key: string, id: string, signal: AbortSignal) => {
      if (unwanted.current.delete(key)) halt(key, id);
      for (let restarts = 0; ; restarts++) {
        update(key, (turn) => ({ ...turn, queryId: id, phase: "running", ...(restarts ? { restarts, steps: [], reasoning: "", progress: [] } : {}) }));
        const answer = await follow(
          id,
          {
            event: (name, data) => update(key, (turn) => (endsInterrupted(name, data) ? turn : heard(turn, name, data))),
            lost: (lost) => update(key, (turn) => (turn.lost === lost ? turn : { ...turn, lost })),
          },
          { signal },
        );
        if (wasInterrupted(answer) && restarts < most_restarts) {
          update(key, (turn) => ({ ...turn, lost: true }));
          await askAgain(id, signal);
          update(key, (turn) => ({ ...turn, lost: false }));
          continue;
        }
        update(key, (turn) => over(turn, answer));
        break;
      }
      changed.current();
    },
    [halt, update],
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

  /** Follows a question that was asked in another tab, or before the page was loaded. */
  const goOn = useCallback(
    (turn: Turn) => {
      const id = turn.queryId;
      if (!id || (!isRunning(turn) && !isLeft(turn))) return;
      if (isRunning(turn)) begin(turn.key, () => Promise.resolve(id));
      else
        begin(turn.key, async (signal) => {
          update(turn.key, ({ answer: _answer, problem: _problem, ...rest }) => ({ ...rest, phase: "running", lost: true, steps: [], restarts: 1 }));
          await askAgain(id, signal);
          update(turn.key, (now) => ({ ...now, lost: false }));
          return id;
        });
    },
    [begin, update],
  );

  // the address names another conversation
  const wanted = place.session ?? place.query ?? "";
  useEffect(() => {
    if (wanted && wanted === session.current) return;
    control.current.abort();
    control.current = new AbortController();
    const { signal } = control.current;
    sending.current = Promise.resolve();
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
      return loadTurns(wanted, [], signal);
    };
    load()
      .then((loaded) => {
        if (signal.aborted) return;
        setTurns(loaded);
        setLoading(false);
        loaded.forEach(goOn);
      })
      .catch(() => {
        if (signal.aborted) return;
        setMissing(true);
        setLoading(false);
      });
  }, [wanted, place.query, place.session, goOn]);

  // what was asked meanwhile in another tab
  const latest = useRef(turns);
  latest.current = turns;
  useEffect(() => {
    const look = () => {
      const { signal } = control.current;
      const id = session.current;
      const sending = latest.current.some((turn) => turn.phase === "sending");
      if (document.visibilityState !== "visible" || !id || !place.session || sending) return;
      loadTurns(id, latest.current, signal).then(
        (fresh) => {
          if (signal.aborted || fresh.length === 0) return;
          setTurns((all) => inOrder([...all, ...fresh.filter((turn) => !all.some((each) => each.queryId === turn.queryId))]));
          fresh.forEach(goOn);
        },
        () => undefined, // the next look may succeed
      );
    };
    document.addEventListener("visibilitychange", look);
    window.addEventListener("focus", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("focus", look);
    };
  }, [place.session, goOn]);

  useEffect(() => () => control.current.abort(), []);

  const openSession = useCallback(async (datasource: string | undefined, title: string, signal: AbortSignal) => {
    if (session.current) return session.current;
    const made = await post<Session>("/api/v1/chat/sessions", { title: title.slice(0, title_most), ...(datasource ? { datasource } : {}) });
    // if the user has opened another view meanwhile, stay there; the sidebar lists the conversation
    if (!signal.aborted) {
      session.current = made.session_id;
      history.replaceState(null, "", hashOf({ view: "ask", session: made.session_id }));
      window.dispatchEvent(new HashChangeEvent("hashchange")); // otherwise the page would still show "#/"
    }
    changed.current();
    return made.session_id;
  }, []);

  const send = useCallback(
    (turn: Turn) => {
      const { key, question, own, datasource, changes } = turn;
      begin(key, async (signal) => {
        // one after another: a second question waits until the server has the first one, and so keeps its place
        const before = sending.current;
        const deliver = async () => {
          await before.catch(() => undefined);
          if (changes) return post<Started>(`/api/v1/ask/${segment(changes.queryId)}/change`, { parts: changes.parts });
          const session_id = await openSession(datasource, question, signal);
          const source = datasource ? { datasource } : {};
          return own
            ? post<Started>("/api/v1/sql", { sql: question, session_id, ...source })
            : post<Started>("/api/v1/ask", { query: question, session_id, ...brain(), ...source });
        };
        const delivered = deliver();
        sending.current = delivered;
        const started = await delivered;
        return started.query_id;
      });
    },
    [begin, openSession],
  );

  const start = useCallback(
    (kind: "ask" | "correct" | "sql", text: string, datasource: string | undefined) => {
      const key = `turn-${++serial.current}`;
      const turn: Turn = {
        ...newTurn(key, text, Date.now()),
        own: kind === "sql",
        ...(kind === "correct" ? { corrects: text } : {}),
        ...(datasource ? { datasource } : {}),
      };
      setTurns((all) => [...all, turn]);
      send(turn);
    },
    [send],
  );

  const change = useCallback(
    (of: Turn, parts: PartsOfQuery) => {
      if (!of.queryId) return;
      const turn: Turn = { ...newTurn(`turn-${++serial.current}`, t.change.running, Date.now()), changes: { queryId: of.queryId, parts } };
      setTurns((all) => [...all, turn]);
      send(turn);
    },
    [send],
  );

  const go = useCallback(
    (turn: Turn, kind: "answer" | "approve" | "retry" | "reading", body: object) => {
      const id = turn.queryId;
      if (!id && kind === "retry") {
        // it never reached the server
        update(turn.key, ({ problem: _problem, ...rest }) => ({ ...rest, phase: "sending", steps: [] }));
        send(turn);
      }
      if (!id) return;
      update(turn.key, ({ answer: _answer, problem: _problem, ...rest }) => ({ ...rest, phase: "sending", steps: [] }));
      begin(turn.key, async () => {
        if (kind === "retry") forget(id);
        const next = await post<Started>(`/api/v1/ask/${segment(id)}/${kind}`, body);
        return next.query_id ?? id;
      });
    },
    [begin, send, update],
  );

  // of several, the one that was asked last
  const running = [...turns].reverse().find(isRunning);
  const stop = useCallback(() => {
    if (!running || running.stopping) return;
    update(running.key, (turn) => ({ ...turn, stopping: true }));
    if (running.queryId && running.phase === "running") halt(running.key, running.queryId);
    else unwanted.current.add(running.key); // stopped as soon as the server has it
  }, [running, update, halt]);

  return {
    turns,
    loading,
    missing,
    running,
    ask: useCallback((question, datasource) => start("ask", question, datasource), [start]),
    correct: useCallback((said, datasource) => start("correct", said, datasource), [start]),
    runSql: useCallback((sql, datasource) => start("sql", sql, datasource), [start]),
    change,
    go,
    stop,
  };
}
