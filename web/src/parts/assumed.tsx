// The assumptions of an answer: each can be changed, or remembered and forgotten again.
import { useState } from "react";
import { post, remove, segment } from "../api/client";
import type { Answer } from "../api/types";
import { correctionOf, lessonOf } from "../logic/assumed";
import { otherReadings } from "../logic/notes";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";
import { t } from "../text";
import { Icon } from "./icon";

interface Props {
  answer: Answer;
  onRead: (reading: number) => void;
  /** puts words into the question box */
  onDraft: (text: string) => void;
}

function Assumption({ text, answer, onRead, onDraft }: Props & { text: string }) {
  const [open, setOpen] = useState(false);
  const others = otherReadings(answer);
  const { kind, about } = correctionOf(text);
  const write = () => onDraft(kind === "question" ? (answer.question ?? "") : t.assumed.say[kind](about));
  return (
    <li data-test="assumption">
      <span>
        <span className="quiet">{t.assumed.label}</span> {text}
      </span>{" "}
      <button
        type="button"
        className="link"
        aria-label={t.assumed.changeWhat(text)}
        aria-expanded={others.length ? open : undefined}
        onClick={() => (others.length ? setOpen(!open) : write())}
      >
        {t.assumed.change}
      </button>
      {open && (
        <span className="chips">
          {others.map((reading) => (
            <button key={reading.number} type="button" className="chip" title={reading.words} onClick={() => onRead(reading.number)}>
              {reading.differs}
            </button>
          ))}
          <button type="button" className="chip" onClick={write}>
            {t.assumed.words}
          </button>
        </span>
      )}
    </li>
  );
}

/** Teaches the question with its SQL, which includes the assumptions. */
function Keep({ answer }: { answer: Answer }) {
  const [id, setId] = useState<string>();
  const { note } = useVoice();
  const lesson = lessonOf(answer);
  if (!lesson) return null;
  const run = async (work: () => Promise<string | undefined>) => {
    try {
      setId(await work());
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  const keep = () =>
    run(async () => {
      const made = await post<{ id: string }>("/api/v1/taught", lesson);
      note(t.saved.taught);
      return made.id;
    });
  const forget = (taught: string) =>
    run(async () => {
      await remove(`/api/v1/taught/${segment(taught)}`);
      note(t.correct.forgotten);
      return undefined;
    });
  return (
    <p className="row">
      {id === undefined ? (
        <button type="button" className="link" onClick={() => void keep()} data-test="keep-assumed">
          {t.assumed.keep}
        </button>
      ) : (
        <>
          <span className="quiet">{t.correct.learnedQuery(lesson.question)}</span>
          <button type="button" className="link" onClick={() => void forget(id)}>
            {t.correct.forget}
          </button>
        </>
      )}
    </p>
  );
}

export function Assumed(props: Props) {
  return (
    <div className="learned assumed" data-test="assumed">
      <Icon name="memory" />
      <div>
        <ul aria-label={t.assumed.title}>
          {(props.answer.assumptions ?? []).map((text, index) => (
            <Assumption key={index} text={text} {...props} />
          ))}
        </ul>
        <Keep answer={props.answer} />
      </div>
    </div>
  );
}
