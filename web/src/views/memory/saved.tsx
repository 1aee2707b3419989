// Saved queries: run again, with other values where they have parameters.
import { useState } from "react";
import { get, post, remove, segment } from "../../api/client";
import { hashOf } from "../../logic/route";
import { Icon } from "../../parts/icon";
import { Sql } from "../../parts/sql";
import { useLoad } from "../../state/use";
import { t } from "../../text";
import { List, useAttempt } from "./list";

interface Parameter {
  name: string;
  type?: string;
  default?: string | number | boolean | null;
}

interface SavedQuery {
  id: string;
  name: string;
  question?: string;
  sql: string;
  datasource?: string;
  parameters?: Parameter[];
}

function typed(parameter: Parameter, text: string): string | number {
  const number = Number(text);
  return /^(int|num|real|double|float|dec)/i.test(parameter.type ?? "") && text.trim() && !Number.isNaN(number) ? number : text;
}

function SavedRow({ saved, attempt }: { saved: SavedQuery; attempt: ReturnType<typeof useAttempt> }) {
  const parameters = saved.parameters ?? [];
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(parameters.map((each) => [each.name, String(each.default ?? "")])),
  );
  const path = `/api/v1/saved/${segment(saved.id)}`;
  const run = () =>
    attempt(async () => {
      const filled = Object.fromEntries(parameters.map((each) => [each.name, typed(each, values[each.name] ?? "")]));
      const started = await post<{ query_id: string }>(`${path}/run`, { parameters: filled });
      location.hash = hashOf({ view: "ask", query: started.query_id });
    }, "");
  return (
    <li className="item is-tall" data-test="saved">
      <div>
        <p>
          <strong>{saved.name}</strong> <span className="quiet">{saved.datasource}</span>
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
            <input className="inline" value={values[each.name] ?? ""} onChange={(event) => setValues({ ...values, [each.name]: event.target.value })} />
          </label>
        ))}
        <button type="submit" className="button is-small is-main">
          <Icon name="play" /> {t.memory.saved.run}
        </button>
        <button type="button" className="button is-icon" aria-label={t.memory.remove} onClick={() => attempt(() => remove(path), t.memory.removed)}>
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
    <List loaded={loaded} none={t.memory.saved.none}>
      {(saved) => <SavedRow key={saved.id} saved={saved} attempt={attempt} />}
    </List>
  );
}
