// The question box: a question, its database, and a button that asks or stops.
import { useEffect, useRef, useState } from "react";
import type { Source } from "../state/sources";
import { t } from "../text";
import { Icon } from "./icon";

interface Props {
  sources: readonly Source[];
  source: string;
  onSource: (id: string) => void;
  running: boolean;
  stopping: boolean;
  follow: boolean;
  onAsk: (question: string) => void;
  onStop: () => void;
  /** the initial text; a new value replaces the text in the box */
  draft: { text: string };
  /** a change of this value moves the focus into the box */
  focus: number;
}

const most_letters = 4000;

export function AskBox(props: Props) {
  const { sources, source, running, stopping } = props;
  const [text, setText] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), [props.focus]);
  useEffect(() => {
    if (!props.draft.text) return;
    setText(props.draft.text);
    box.current?.focus();
  }, [props.draft]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 200)}px`;
  }, [text]);
  const send = () => {
    const question = text.trim();
    if (!question) return;
    setText("");
    props.onAsk(question);
  };
  return (
    <form
      className="askbox"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={box}
        value={text}
        rows={1}
        maxLength={most_letters}
        aria-label={t.ask.label}
        placeholder={props.follow ? t.ask.again : t.ask.placeholder}
        data-test="question"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            send();
          }
        }}
      />
      <div className="row askbox-bar">
        {sources.length > 0 && (
          <label className="askbox-source">
            <Icon name="sources" />
            <select value={source} aria-label={t.ask.source} onChange={(event) => props.onSource(event.target.value)}>
              {sources.length > 1 && <option value="">{t.ask.anySource}</option>}
              {sources.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.title ?? each.id}
                </option>
              ))}
            </select>
          </label>
        )}
        <span className="spring" />
        {running && (
          <button type="button" className={text.trim() ? "button" : "button is-main"} onClick={props.onStop} disabled={stopping} data-test="stop">
            <Icon name="stop" /> {stopping ? t.ask.stopping : t.ask.stop}
          </button>
        )}
        {(!running || text.trim()) && (
          <button type="submit" className="button is-main" disabled={!text.trim()} data-test="ask">
            {t.ask.send} <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}
