// Saves a query under a name; values in it can become parameters, which are asked for when it runs.
import { useState } from "react";
import { post } from "../api/client";
import type { Answer } from "../api/types";
import { literalsIn, placesIn, types, valueOf, withPlace, type Literal } from "../logic/parameters";
import { layOut } from "../logic/sql";
import { t } from "../text";
import { Icon } from "./icon";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";

interface Place {
  type: string;
  value: string;
}

export function Save({ answer, onDone }: { answer: Answer; onDone: () => void }) {
  const [name, setName] = useState(answer.question ?? "");
  const [sql, setSql] = useState(() => layOut(answer.sql ?? ""));
  const [places, setPlaces] = useState<Record<string, Place>>({});
  const [problem, setProblem] = useState("");
  const { note } = useVoice();
  const names = placesIn(sql);
  const literals = literalsIn(sql);
  const place = (each: string): Place => places[each] ?? { type: "text", value: "" };
  const change = (each: string, to: Partial<Place>) => setPlaces({ ...places, [each]: { ...place(each), ...to } });
  const open = (literal: Literal) => {
    setSql(withPlace(sql, literal));
    setPlaces({ ...places, [literal.name]: { type: literal.type, value: literal.value } });
  };
  const save = async () => {
    const wrong = names.find((each) => valueOf(place(each).type, place(each).value) === undefined);
    if (wrong) return setProblem(t.memory.saved.wrong(wrong, place(wrong).type));
    const parameters = names.map((each) => ({ name: each, type: place(each).type, default: valueOf(place(each).type, place(each).value) ?? null }));
    try {
      await post("/api/v1/saved", {
        name: name.trim(),
        sql: sql.trim(),
        ...(answer.question ? { question: answer.question } : {}),
        ...(answer.datasource ? { datasource: answer.datasource } : {}),
        ...(parameters.length ? { parameters } : {}),
      });
      note(t.saved.done);
      onDone();
    } catch (cause) {
      const { message, hint } = problemFrom(cause);
      setProblem([message, hint].filter(Boolean).join(" "));
    }
  };
  return (
    <form
      className="panel"
      aria-label={t.answer.save}
      data-test="save"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() && sql.trim()) void save();
      }}
    >
      <label className="labelled">
        <span>{t.saved.name}</span>
        <input value={name} autoFocus onChange={(event) => setName(event.target.value)} />
      </label>
      {literals.length > 0 && (
        <div className="chips" role="group" aria-label={t.memory.saved.open}>
          <span className="quiet">{t.memory.saved.open}</span>
          {literals.map((literal) => (
            <button key={literal.at} type="button" className="chip" onClick={() => open(literal)}>
              <Icon name="plus" /> {literal.name}: {literal.value}
            </button>
          ))}
        </div>
      )}
      {names.map((each) => (
        <div key={each} className="row parameter" role="group" aria-label={each}>
          <code>:{each}</code>
          <label className="select">
            <span>{t.memory.saved.type}</span>
            <select value={place(each).type} onChange={(event) => change(each, { type: event.target.value })}>
              {types.map((type) => (
                <option key={type} value={type}>
                  {t.memory.saved.types[type]}
                </option>
              ))}
            </select>
          </label>
          <label className="select">
            <span>{t.memory.saved.usual}</span>
            <input className="inline" value={place(each).value} onChange={(event) => change(each, { value: event.target.value })} />
          </label>
        </div>
      ))}
      <details>
        <summary>{t.memory.saved.sql}</summary>
        <label className="labelled">
          <span className="quiet">{t.memory.saved.sqlHint}</span>
          <textarea rows={6} className="code" value={sql} spellCheck={false} aria-label={t.sql.label} onChange={(event) => setSql(event.target.value)} />
        </label>
      </details>
      {problem && (
        <p className="warning" role="alert">
          {problem}
        </p>
      )}
      <div className="row">
        <button type="submit" className="button is-main is-small" disabled={!name.trim() || !sql.trim()}>
          {t.answer.save}
        </button>
        <button type="button" className="button is-small" onClick={onDone}>
          {t.sql.cancel}
        </button>
      </div>
    </form>
  );
}
