// Saved queries: run again, with other values for their parameters.
import { useState } from "react";
import { get, post, remove, segment } from "../../api/client";
import { valueOf, type Parameter } from "../../logic/parameters";
import { hashOf } from "../../logic/route";
import { Icon } from "../../parts/icon";
import { useVoice } from "../../state/voice";
import { Sql } from "../../parts/sql";
import { useSourceName } from "../../state/sources";
import { useLoad } from "../../state/use";
import { t } from "../../text";
import { List, useAttempt } from "./list";

interface SavedQuery {
  id: string;
  name: string;
  question?: string;
  sql: string;
  datasource?: string;
  parameters?: Parameter[];
}

const inputs: Record<string, string> = { date: "date", integer: "number", number: "number" };

function SavedRow({ saved, attempt }: { saved: SavedQuery; attempt: ReturnType<typeof useAttempt> }) {
  const parameters = saved.parameters ?? [];
  const { note } = useVoice();
  const source = useSourceName();
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(parameters.map((each) => [each.name, String(each.default ?? "")])),
  );
  const path = `/api/v1/saved/${segment(saved.id)}`;
  const run = () => {
    const filled: Record<string, unknown> = {};
    for (const { name, type } of parameters) {
      const value = valueOf(type, values[name] ?? "");
      if (value === undefined) return note(t.memory.saved.wrong(name, type ?? ""));
      if (value !== null) filled[name] = value;
    }
    void attempt(async () => {
      const started = await post<{ query_id: string }>(`${path}/run`, { parameters: filled });
      location.hash = hashOf({ view: "ask", query: started.query_id });
    }, "");
  };
  return (
    <li className="item is-tall" data-test="saved">
      <div>
        <p>
          <strong>{saved.name}</strong> <span className="quiet">{source(saved.datasource)}</span>
        </p>
        {saved.question && saved.question !== saved.name && <p className="quiet">{saved.question}</p>}
        <details>
          <summary className="quiet">{t.answer.sql}</summary>
          <Sql sql={saved.sql} />
        </details>
      </div>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        {parameters.map((each) => (
          <label key={each.name} className="select">
            <span>{each.name}</span>
            <input
              className="inline"
              type={inputs[each.type ?? ""] ?? "text"}
              step={each.type === "number" ? "any" : undefined}
              value={values[each.name] ?? ""}
              onChange={(event) => setValues({ ...values, [each.name]: event.target.value })}
            />
          </label>
        ))}
        <button type="submit" className="button is-small is-main">
          <Icon name="play" /> {t.memory.saved.run}
        </button>
        <button
          type="button"
          className="button is-icon"
          aria-label={t.memory.removeWhat(saved.name)}
          onClick={() => void attempt(() => remove(path), t.memory.removed)}
        >
          <Icon name="trash" />
        </button>
      </form>
    </li>
  );
}

export function Saved() {
  const loaded = useLoad(async (signal) => (await get<{ saved?: SavedQuery[] }>("/api/v1/saved", signal)).saved ?? [], "saved");
  const attempt = useAttempt(loaded.reload);
  return (
    <List loaded={loaded} none={t.memory.saved.none} icon="save">
      {(saved) => <SavedRow key={saved.id} saved={saved} attempt={attempt} />}
    </List>
  );
}
