// One source: its tables and columns, a diagram, and the changes of its schema.
import { useMemo, useState } from "react";
import { get, post, segment } from "../api/client";
import type { Schema } from "../api/types";
import { hashOf } from "../logic/route";
import { findTables } from "../logic/search";
import { Diagram } from "../parts/diagram";
import { Icon } from "../parts/icon";
import { ProblemCard } from "../parts/problem";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";
import { Tabs } from "../parts/tabs";
import { useLoad } from "../state/use";
import { useSourceName } from "../state/sources";
import { t } from "../text";
import { TableCard } from "./sources/table";

interface Change {
  change: string;
  what: string;
  table?: string;
  name?: string;
  from?: string;
  to?: string;
}

function Changes({ id }: { id: string }) {
  const changes = useLoad((signal) => get<{ changes?: Change[] }>(`/api/v1/datasources/${segment(id)}/changes`, signal), id);
  const list = changes.value?.changes ?? [];
  if (list.length === 0) return null;
  return (
    <section className="notes is-changes" aria-label={t.sources.changes} data-test="changes">
      <strong>{t.sources.changes}</strong>
      <ul>
        {list.map((each, index) => (
          <li key={index}>
            {t.sources.changeWhats[each.what] ?? each.what} <code>{[each.table, each.name].filter(Boolean).join(".")}</code>{" "}
            {t.sources.changeKinds[each.change] ?? each.change}
            {each.from && each.to ? `: ${each.from} → ${each.to}` : ""}
          </li>
        ))}
      </ul>
    </section>
  );
}

const most_shown = 200;

export function SourceView({ id }: { id: string }) {
  const schema = useLoad((signal) => get<Schema>(`/api/v1/datasources/${segment(id)}/schema?format=json`, signal), id);
  const [tab, setTab] = useState<"schema" | "diagram">("schema");
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [times, setTimes] = useState(0);
  const { note } = useVoice();
  const name = useSourceName();
  const tables = useMemo(() => schema.value?.tables ?? [], [schema.value]);
  const found = useMemo(() => findTables(tables, text), [tables, text]);
  const refresh = async () => {
    setBusy(true);
    try {
      await post(`/api/v1/datasources/${segment(id)}/refresh`);
      schema.reload();
      setTimes((n) => n + 1);
      note(t.sources.refreshed);
    } catch (cause) {
      note(problemFrom(cause).message);
    }
    setBusy(false);
  };
  return (
    <div className="page is-wide">
      <header className="page-head">
        <a href="#/sources" className="back">
          <Icon name="back" /> {t.sources.back}
        </a>
        <h1>{name(id)}</h1>
        {schema.value && (
          <p>
            {t.sources.tables(tables.length)} · {schema.value.dialect}
          </p>
        )}
      </header>
      {schema.loading && !schema.value && <p className="empty">{t.loading}</p>}
      {schema.problem && <ProblemCard problem={schema.problem} />}
      {schema.value && (
        <div className="stack">
          <Changes key={times} id={id} />
          <Tabs
            label={t.sources.schema}
            tabs={[
              { name: "schema", title: t.sources.schema },
              { name: "diagram", title: t.sources.diagram },
            ]}
            chosen={tab}
            onChoose={setTab}
            tools={
              <div className="row tabs-tools">
                <button type="button" className="button is-small" disabled={busy} onClick={() => void refresh()}>
                  <Icon name="again" /> {busy ? t.loading : t.sources.refresh}
                </button>
                <a className="button is-small is-main" href={hashOf({ view: "ask", source: id })} aria-label={t.sources.askAbout(name(id))}>
                  <Icon name="ask" /> {t.sources.ask}
                </a>
              </div>
            }
          >
            {tab === "schema" ? (
              <div className="stack">
                <label className="field">
                  <Icon name="search" />
                  <input type="search" value={text} placeholder={t.sources.search} aria-label={t.sources.search} onChange={(event) => setText(event.target.value)} />
                </label>
                {found.length === 0 && <p className="quiet">{t.sources.noHit}</p>}
                <div>
                  {found.slice(0, most_shown).map((table) => (
                    <TableCard key={table.name} table={table} source={id} open={found.length === 1 || text.trim() === table.name} />
                  ))}
                </div>
              </div>
            ) : (
              <Diagram
                tables={tables}
                onOpen={(name) => {
                  setText(name);
                  setTab("schema");
                }}
              />
            )}
          </Tabs>
        </div>
      )}
    </div>
  );
}
