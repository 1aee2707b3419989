// A clarifying question: options with a sentence each, or free text.
import { useState } from "react";
import type { Answer } from "../api/types";
import { useNamed } from "../state/sources";
import { t } from "../text";
import { Icon } from "./icon";
import { Sql } from "./sql";

interface Props {
  answer: Answer;
  onAnswer: (text: string) => void;
  onApprove: (approved: boolean) => void;
}

function Words({ onAnswer }: { onAnswer: (text: string) => void }) {
  const [text, setText] = useState("");
  return (
    <form
      className="row words"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) onAnswer(text.trim());
      }}
    >
      <label className="field">
        <input
          value={text}
          aria-label={t.clarify.words}
          placeholder={t.clarify.words}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={!text.trim()}>
        {t.clarify.send}
      </button>
    </form>
  );
}

export function Clarify({ answer, onAnswer, onApprove }: Props) {
  const asked = answer.clarification;
  const name = useNamed();
  if (!asked) return null;
  const title = t.clarify.titles[asked.type ?? ""] ?? t.clarify.title;
  return (
    <section className="clarify" aria-label={title} data-test="clarification">
      <h3>{title}</h3>
      <p>{name(asked.message ?? "")}</p>
      {asked.type === "approval" ? (
        <>
          {answer.sql && <Sql sql={answer.sql} />}
          <div className="row">
            <button type="button" className="button is-main" onClick={() => onApprove(true)}>
              <Icon name="yes" /> {t.clarify.approve}
            </button>
            <button type="button" className="button" onClick={() => onApprove(false)}>
              {t.clarify.reject}
            </button>
          </div>
        </>
      ) : (
        <>
          <ul className="choices">
            {(asked.options ?? []).map((option, index) => (
              <li key={index}>
                <button type="button" className="choice" onClick={() => onAnswer(option.value)}>
                  <span>{option.label || option.value}</span>
                  {option.label && option.label !== option.value && <code>{option.value}</code>}
                </button>
              </li>
            ))}
          </ul>
          <Words onAnswer={onAnswer} />
          <p className="quiet">{t.clarify.remember}</p>
        </>
      )}
    </section>
  );
}
