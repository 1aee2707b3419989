// The history: all earlier questions, with a search.
import { useDeferredValue, useState } from "react";
import { get, query } from "../../api/client";
import { ago } from "../../logic/format";
import { hashOf } from "../../logic/route";
import { Icon } from "../../parts/icon";
import { useSourceName } from "../../state/sources";
import { useLoad } from "../../state/use";
import { t } from "../../text";
import { List } from "./list";

interface Asked {
  query_id: string;
  question: string;
  datasource?: string;
  status?: string;
  created_at?: string | number;
  brain?: string;
  row_count?: number;
}

export function History() {
  const [text, setText] = useState("");
  const source = useSourceName();
  const wanted = useDeferredValue(text.trim());
  const loaded = useLoad(
    async (signal) => (await get<{ questions?: Asked[] }>(`/api/v1/history${query({ search: wanted, limit: 100 })}`, signal)).questions ?? [],
    `history ${wanted}`,
  );
  return (
    <div className="stack">
      <label className="field">
        <Icon name="search" />
        <input type="search" value={text} placeholder={t.memory.history.search} aria-label={t.memory.history.search} onChange={(event) => setText(event.target.value)} />
      </label>
      <List loaded={loaded} none={wanted ? t.memory.history.noHit : t.memory.history.none} icon="search">
        {(asked) => (
          <li key={asked.query_id} className="item" data-test="asked">
            <div>
              <a href={hashOf({ view: "ask", query: asked.query_id })}>{asked.question}</a>
              <p className="quiet">
                {[
                  source(asked.datasource),
                  asked.status === "finished" ? "" : asked.status,
                  asked.brain && t.answer.by[asked.brain],
                  asked.row_count === undefined ? "" : t.answer.rows(asked.row_count),
                  ago(asked.created_at),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
            </div>
          </li>
        )}
      </List>
    </div>
  );
}
