// "Remember this": makes a lesson of the question with its SQL, or of the meaning of a word.
import { useState } from "react";
import { post } from "../api/client";
import type { Answer } from "../api/types";
import { wordsOf } from "../logic/lesson";
import { useTables } from "../state/schema";
import { t } from "../text";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";

const kinds = ["query", "table", "column"] as const;
type Kind = (typeof kinds)[number];

const lesson_kind = { table: "table_mapping", column: "column_mapping" } as const;

export function Remember({ answer, onDone }: { answer: Answer; onDone: () => void }) {
  const question = answer.rewritten_query ?? answer.question ?? "";
  const words = wordsOf(question);
  const [kind, setKind] = useState<Kind>("query");
  const [word, setWord] = useState("");
  const [meant, setMeant] = useState("");
  const { note } = useVoice();
  const tables = useTables(answer.datasource, kind !== "query");
  const used = new Set(answer.tables_used ?? []);
  // tables and columns of the answer first
  const sorted = [...tables].sort((a, b) => Number(used.has(b.name)) - Number(used.has(a.name)));
  const names = kind === "table" ? sorted.map((table) => table.name) : sorted.flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`));
  const keep = async () => {
    const source = answer.datasource ? { datasource: answer.datasource } : {};
    try {
      if (kind === "query") await post("/api/v1/taught", { question, sql: answer.sql, ...source });
      else await post("/api/v1/lessons", { kind: lesson_kind[kind], schema_name: word.trim(), actual_name: meant, ...source });
      note(kind === "query" ? t.saved.taught : t.saved.lesson(word.trim(), meant));
      onDone();
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  return (
    <form
      className="panel"
      aria-label={t.answer.remember}
      data-test="remember"
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
    >
      <fieldset className="plain-set">
        <legend className="title">{t.remember.title}</legend>
        {kinds.map((each) => (
          <label key={each} className="radio">
            <input
              type="radio"
              name={`remember-${answer.query_id}`}
              checked={kind === each}
              onChange={() => {
                setKind(each);
                setMeant("");
              }}
            />
            <span>{t.remember.kinds[each]}</span>
          </label>
        ))}
      </fieldset>
      {kind === "query" ? (
        <p className="quiet">{t.remember.query(question)}</p>
      ) : (
        <>
          <p className="chips">
            {words.map((each) => (
              <button key={each} type="button" className="chip" aria-pressed={word === each} onClick={() => setWord(each)}>
                {each}
              </button>
            ))}
          </p>
          <div className="pair">
            <label className="labelled">
              <span>{t.remember.word}</span>
              <input value={word} onChange={(event) => setWord(event.target.value)} />
            </label>
            <label className="labelled">
              <span>{t.remember.means}</span>
              <select value={meant} onChange={(event) => setMeant(event.target.value)}>
                <option value="">{t.correct.choose}</option>
                {names.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          </div>
        </>
      )}
      <div className="row">
        <button type="submit" className="button is-main is-small" disabled={kind !== "query" && (!word.trim() || !meant)}>
          {t.remember.keep}
        </button>
        <button type="button" className="button is-small" onClick={onDone}>
          {t.sql.cancel}
        </button>
      </div>
    </form>
  );
}
