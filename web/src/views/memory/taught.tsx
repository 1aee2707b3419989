// Examples: questions with the SQL that answers them.
import { useState } from "react";
import { get, post, remove, segment } from "../../api/client";
import { Icon } from "../../parts/icon";
import { Sql } from "../../parts/sql";
import { useLoad } from "../../state/use";
import { t } from "../../text";
import { List, useAttempt } from "./list";

interface Example {
  id: string;
  question: string;
  sql: string;
  datasource?: string;
}

export function Taught() {
  const loaded = useLoad(async (signal) => (await get<{ taught?: Example[] }>("/api/v1/taught", signal)).taught ?? [], "taught");
  const attempt = useAttempt(loaded.reload);
  const [question, setQuestion] = useState("");
  const [sql, setSql] = useState("");
  return (
    <div className="stack">
      <List loaded={loaded} none={t.memory.taught.none}>
        {(example) => (
          <li key={example.id} className="item is-tall">
            <div>
              <p>
                <strong>{example.question}</strong> <span className="quiet">{example.datasource}</span>
              </p>
              <Sql sql={example.sql} />
            </div>
            <button
              type="button"
              className="button is-icon"
              aria-label={t.memory.remove}
              onClick={() => attempt(() => remove(`/api/v1/taught/${segment(example.id)}`), t.memory.removed)}
            >
              <Icon name="trash" />
            </button>
          </li>
        )}
      </List>
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          attempt(() => post("/api/v1/taught", { question: question.trim(), sql: sql.trim() }), t.memory.kept);
          setQuestion("");
          setSql("");
        }}
      >
        <h2>{t.memory.taught.add}</h2>
        <label className="labelled">
          <span>{t.memory.taught.question}</span>
          <input value={question} onChange={(event) => setQuestion(event.target.value)} />
        </label>
        <label className="labelled">
          <span>{t.memory.taught.sql}</span>
          <textarea rows={3} value={sql} spellCheck={false} onChange={(event) => setSql(event.target.value)} />
        </label>
        <div className="row">
          <button type="submit" className="button is-main" disabled={!question.trim() || !sql.trim()}>
            {t.memory.keep}
          </button>
        </div>
      </form>
    </div>
  );
}
