// Asking: an empty page with one box and some suggestions, or a conversation.
import { Suspense, useEffect, useRef, useState } from "react";
import { get, segment } from "../api/client";
import type { Answer, State } from "../api/types";
import type { Source } from "../state/sources";
import type { Place } from "../logic/route";
import { titleOf } from "../logic/rail";
import { AskBox } from "../parts/askbox";
import { Clarify } from "../parts/clarify";
import { DropZone } from "../parts/dropzone";
import { Icon } from "../parts/icon";
import { later } from "../parts/later";
import { Fence, ProblemCard } from "../parts/problem";
import { Progress } from "../parts/rail";
import { useVoice } from "../state/voice";
import { Sql } from "../parts/sql";
import { useConversation, type Conversation } from "../state/conversation";
import { isRunning, isWaiting, type Turn } from "../state/turn";
import { useKeys, useLoad } from "../state/use";
import { t } from "../text";

// What shows answers is loaded while the first question is being answered.
const loadAnswer = () => import("../parts/answer").then((part) => ({ default: part.AnswerCard }));
const AnswerCard = later(loadAnswer);

interface TurnProps {
  turn: Turn;
  states: readonly State[];
  conversation: Conversation;
  source: string;
  onDraft: (text: string) => void;
}

function Attempts({ answer }: { answer: Answer | undefined }) {
  const attempts = answer?.attempts ?? [];
  if (attempts.length < 2) return null; // with one attempt, the error says it all
  return (
    <details className="attempts" data-test="attempts">
      <summary>{t.error.attempts(attempts.length)}</summary>
      <ol>
        {attempts.map((attempt, index) => (
          <li key={index}>
            <Sql sql={attempt.sql} />
            <p>{attempt.error}</p>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Body({ turn, states, conversation, source, onDraft }: TurnProps) {
  const { answer } = turn;
  const datasource = answer?.datasource ?? (source || undefined);
  if (isRunning(turn)) {
    return (
      <>
        <Progress states={states} turn={turn} />
        {turn.sql && !turn.own && <Sql sql={turn.sql} />}
      </>
    );
  }
  if (answer && isWaiting(turn)) {
    return (
      <Clarify
        answer={answer}
        onAnswer={(text) => conversation.go(turn, "answer", { text })}
        onApprove={(approved) => conversation.go(turn, "approve", { approved })}
      />
    );
  }
  if (turn.status === "stopped") {
    return (
      <div className="row">
        <p className="quiet">{t.answer.stopped}</p>
        <button type="button" className="button is-small" onClick={() => conversation.go(turn, "retry", {})}>
          {t.answer.retry}
        </button>
      </div>
    );
  }
  if (turn.problem) {
    return (
      <ProblemCard problem={turn.problem}>
        <button type="button" className="button" onClick={() => conversation.go(turn, "retry", {})}>
          {t.answer.retry}
        </button>
        {answer?.sql && <Sql sql={answer.sql} onRun={(sql) => conversation.runSql(sql, datasource)} datasource={datasource} />}
        <Attempts answer={answer} />
      </ProblemCard>
    );
  }
  if (!answer) return null;
  return (
    <Suspense fallback={<p className="quiet">{t.loading}</p>}>
      <AnswerCard
        turn={turn}
        answer={answer}
        states={states}
        onRead={(reading) => conversation.go(turn, "reading", { reading })}
        onCorrect={(text) => conversation.correct(text, datasource)}
        onDraft={onDraft}
        onSql={(sql) => conversation.runSql(sql, datasource)}
        onChange={(parts) => conversation.change(turn, parts)}
      />
    </Suspense>
  );
}

/** A correction and a change are told by what they turned out to be. */
function headingOf({ corrects, changes, answer, question }: Turn): string {
  if (corrects !== undefined) return answer?.rewritten_query ?? question;
  return changes ? (answer?.question ?? question) : question;
}

function TurnView(props: TurnProps) {
  const { turn } = props;
  return (
    <section className="turn" aria-busy={isRunning(turn)} data-test="turn" data-status={turn.status ?? turn.phase}>
      {turn.own ? (
        <div className="question is-sql">
          <p className="quiet">{t.sql.own}</p>
          <Sql sql={turn.question} />
        </div>
      ) : (
        <h2 className="question">{headingOf(turn)}</h2>
      )}
      <Fence name={turn.key} plain>
        <Body {...props} />
      </Fence>
    </section>
  );
}

function Questions({ title, questions, onAsk }: { title: string; questions: readonly string[]; onAsk: (q: string) => void }) {
  if (questions.length === 0) return null;
  return (
    <section className="questions" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {questions.slice(0, 6).map((question) => (
          <li key={question}>
            <button type="button" onClick={() => onAsk(question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Hero() {
  return (
    <header className="hero">
      <h1>{t.ask.title}</h1>
      <p>{t.ask.lead}</p>
    </header>
  );
}

/** For somebody who is here for the first time: three things to try. */
function First({ questions, onAsk }: { questions: readonly string[]; onAsk: (question: string) => void }) {
  const [first, second] = questions;
  const cards = [
    { icon: "chart", title: t.first.trend, text: first },
    { icon: "ask", title: t.first.leaders, text: second },
  ] as const;
  return (
    <section className="first" aria-label={t.first.title} data-test="first">
      <h2>{t.first.title}</h2>
      <ul>
        {cards.map(
          ({ icon, title, text }) =>
            text && (
              <li key={text}>
                <button type="button" onClick={() => onAsk(text)}>
                  <span className="title">
                    <Icon name={icon} /> {title}
                  </span>
                  {text}
                </button>
              </li>
            ),
        )}
        <li>
          <a href="#/sources">
            <span className="title">
              <Icon name="upload" /> {t.first.own}
            </span>
            {t.first.ownText}
          </a>
        </li>
      </ul>
    </section>
  );
}

function NoSource() {
  return (
    <section className="empty-card">
      <Icon name="sources" />
      <p>
        <strong>{t.ask.noSource}</strong>
      </p>
      <p className="quiet">{t.ask.noSourceHint}</p>
      <a className="button is-main" href="#/sources">
        {t.ask.addSource}
      </a>
    </section>
  );
}

/** Tells screen readers the progress of a question and how it ended. */
function useSpoken(turns: readonly Turn[], states: readonly State[]) {
  const { tell } = useVoice();
  const last = turns[turns.length - 1];
  const state = last && isRunning(last) ? last.state : undefined;
  const over = last && !isRunning(last) && last.startedAt > 0 ? last : undefined;
  useEffect(() => {
    if (state) tell(t.progress.live(titleOf(states, state)));
  }, [state, states, tell]);
  useEffect(() => {
    if (!over) return;
    if (isWaiting(over)) tell(t.answer.needsYou);
    else if (over.status === "stopped") tell(t.answer.stopped);
    else if (over.problem) tell(t.answer.failed(over.problem.message));
    else tell(over.answer?.rows ? t.answer.ready(over.answer.rows.length) : t.answer.readyText);
  }, [over, tell]);
}

interface Props {
  place: Place & { view: "ask" };
  states: readonly State[];
  sources: readonly Source[] | undefined;
  onSession: () => void;
  /** nothing was asked here before */
  fresh: boolean;
  /** the sources have changed */
  onSource: () => void;
  onKeys: () => void;
}

export default function AskView({ place, states, sources, onSession, fresh, onSource, onKeys }: Props) {
  const conversation = useConversation(place, onSession);
  const { turns, running } = conversation;
  const [chosen, setChosen] = useState(place.source ?? "");
  useEffect(() => {
    if (place.source) setChosen(place.source);
  }, [place.source]);
  const [draft, setDraft] = useState({ text: "" });
  useEffect(() => setDraft({ text: place.question ?? "" }), [place.question]);
  const known = sources ?? [];
  const source = known.some((each) => each.id === chosen) ? chosen : known.length === 1 ? (known[0]?.id ?? "") : "";
  const suggested = source || known[0]?.id;
  const suggestions = useLoad(
    async (signal) =>
      suggested
        ? (await get<{ questions?: string[] }>(`/api/v1/datasources/${segment(suggested)}/suggestions`, signal)).questions ?? []
        : [],
    `suggestions ${suggested ?? ""}`,
  );
  const page = useRef<HTMLDivElement>(null);
  const count = turns.length;
  const begun = count > 0;
  useEffect(() => {
    if (begun) loadAnswer().catch(() => undefined); // tried again when there is an answer
  }, [begun]);
  const last = turns[count - 1];
  useEffect(() => {
    const newest = page.current?.querySelector(".turn:last-of-type");
    newest?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [count, last?.phase]);
  useSpoken(turns, states);
  useKeys((event) => {
    if (event.defaultPrevented) return;
    if (event.key === "Escape" && running) conversation.stop();
    // the box is not inside of what scrolls, so that it covers nothing; its page keys scroll the conversation
    const by = event.key === "PageDown" ? 1 : event.key === "PageUp" ? -1 : 0;
    if (by && event.target instanceof HTMLTextAreaElement) page.current?.scrollBy({ top: by * page.current.clientHeight * 0.85 });
  });
  const added = (id: string) => {
    setChosen(id);
    onSource();
  };
  const ask = (question: string) => conversation.ask(question, source || undefined);
  const box = (
    <AskBox
      sources={known}
      source={source}
      onSource={setChosen}
      running={!!running}
      stopping={running?.stopping ?? false}
      follow={count > 0}
      draft={draft}
      onAsk={ask}
      onStop={conversation.stop}
      focus={count}
    />
  );
  if (conversation.loading) return <p className="page empty">{t.ask.loading}</p>;
  if (count === 0) {
    return (
      <DropZone className="page ask is-empty" onAdded={added}>
        <Hero />
        {conversation.missing && <p className="warning">{t.ask.notFound}</p>}
        {sources && known.length === 0 ? <NoSource /> : box}
        {fresh && (suggestions.value?.length ?? 0) > 1 && <First questions={suggestions.value ?? []} onAsk={ask} />}
        <Questions title={t.ask.suggestions} questions={(suggestions.value ?? []).slice(fresh ? 2 : 0)} onAsk={ask} />
        <p className="quiet keys">
          {t.ask.keys} ·{" "}
          <button type="button" className="link is-quiet" onClick={onKeys}>
            {t.keyboard.title}
          </button>
        </p>
      </DropZone>
    );
  }
  return (
    <DropZone className="talk" onAdded={added}>
      <div className="talk-scroll" ref={page} data-test="talk">
        <div className="page ask">
          <h1 className="hidden">{t.nav.ask}</h1>
          <div>
            {turns.map((turn) => (
              <TurnView key={turn.key} turn={turn} states={states} conversation={conversation} source={source} onDraft={(text) => setDraft({ text })} />
            ))}
          </div>
          {!running && last?.answer && !isWaiting(last) && (
            <Questions title={t.ask.followUps} questions={last.answer.follow_ups ?? []} onAsk={ask} />
          )}
        </div>
      </div>
      <div className="ask-foot">{box}</div>
    </DropZone>
  );
}
