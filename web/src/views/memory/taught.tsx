// Examples: questions with the SQL that answers them.
import { useContext, useState } from "react";
import { get, post, remove, segment } from "../../api/client";
import { Icon } from "../../parts/icon";
import { Sql } from "../../parts/sql";
import { SourcesContext, useSourceName } from "../../state/sources";
import { useLoad } from "../../state/use";
import { t } from "../../text";
import { List, useAttempt } from "./list";

interface Example {
  id: string;
  question: string;
  sql: string;
  datasource?: string;
}

function Add({ attempt }: { attempt: ReturnType<typeof useAttempt> }) {
  const sources = useContext(SourcesContext);
  const [question, setQuestion] = useState("");
  const [sql, setSql] = useState("");
  const [chosen, setChosen] = useState("");
  const source = chosen || (sources[0]?.id ?? "");
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(async () => {
          await post("/api/v1/taught", { question: question.trim(), sql: sql.trim(), ...(source ? { datasource: source } : {}) });
          setQuestion("");
          setSql("");
        }, t.memory.kept);
      }}
    >
      <h2>{t.memory.taught.add}</h2>
      <label className="labelled">
        <span>{t.memory.taught.question}</span>
        <input value={question} onChange={(event) => setQuestion(event.target.value)} />
      </label>
      <label className="labelled">
        <span>{t.memory.taught.sql}</span>
        <textarea rows={3} className="code" value={sql} spellCheck={false} onChange={(event) => setSql(event.target.value)} />
      </label>
      <div className="row">
        {sources.length > 1 && (
          <label className="select">
            <span>{t.ask.source}</span>
            <select value={source} onChange={(event) => setChosen(event.target.value)}>
              {sources.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.title ?? each.id}
                </option>
              ))}
            </select>
          </label>
        )}
        <button type="submit" className="button is-main" disabled={!question.trim() || !sql.trim()}>
          {t.memory.keep}
        </button>
      </div>
    </form>
  );
}

export function Taught() {
  const loaded = useLoad(async (signal) => (await get<{ taught?: Example[] }>("/api/v1/taught", signal)).taught ?? [], "taught");
  const attempt = useAttempt(loaded.reload);
  const source = useSourceName();
  return (
    <div className="stack">
      <List loaded={loaded} none={t.memory.taught.none} icon="memory">
        {(example) => (
          <li key={example.id} className="item is-tall" data-test="taught">
            <div>
              <p>
                <strong>{example.question}</strong> <span className="quiet">{source(example.datasource)}</span>
              </p>
              <Sql sql={example.sql} />
            </div>
            <button
              type="button"
              className="button is-icon"
              aria-label={t.memory.removeWhat(example.question)}
              onClick={() => void attempt(() => remove(`/api/v1/taught/${segment(example.id)}`), t.memory.removed)}
            >
              <Icon name="trash" />
            </button>
          </li>
        )}
      </List>
      <Add attempt={attempt} />
    </div>
  );
}
