// "Not what you meant?": rules tables out by a click, or takes a correction in words.
import { useState } from "react";
import type { Answer } from "../api/types";
import { t } from "../text";

export function Correct({ answer, onSay }: { answer: Answer; onSay: (text: string) => void }) {
  const [text, setText] = useState("");
  const tables = answer.tables_used ?? [];
  return (
    <details className="correct">
      <summary>{t.correct.open}</summary>
      <p className="quiet">{t.correct.lead}</p>
      <p className="chips">
        {tables.map((table) => (
          <button key={table} type="button" className="chip" onClick={() => onSay(`not ${table}`)}>
            {t.correct.notTable(table)}
          </button>
        ))}
      </p>
      <form
        className="row words"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) onSay(text.trim());
        }}
      >
        <label className="field">
          <input
            value={text}
            aria-label={t.correct.title}
            placeholder={t.correct.placeholder}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={!text.trim()}>
          {t.correct.send}
        </button>
      </form>
    </details>
  );
}
