// Sources: the databases and files that can be asked; connecting databases, uploading files.
import { useEffect, useRef, useState } from "react";
import { get, post, remove, segment } from "../api/client";
import type { Schema } from "../api/types";
import type { Source } from "../state/sources";
import { ago } from "../logic/format";
import { periodWords } from "../logic/label";
import { hashOf } from "../logic/route";
import { factsOf } from "../logic/source";
import { useLoad } from "../state/use";
import { Icon } from "../parts/icon";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";
import { Upload } from "../parts/upload";
import { t } from "../text";
import { SourceView } from "./source";
import { Checks, type Tested } from "./sources/checks";
import { Connect } from "./sources/connect";
import "../styles/pages.css";

/** True from when the element can be seen. */
function useSeen<Found extends Element>(): [React.RefObject<Found | null>, boolean] {
  const place = useRef<Found>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || seen) return;
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [seen]);
  return [place, seen];
}

/** How much is in it, how new it is, and whose it is. The schema is read when the card comes into sight. */
function About({ source, seen }: { source: Source; seen: boolean }) {
  const wanted = seen && !source.schema;
  const loaded = useLoad(
    async (signal) => (wanted ? get<Schema>(`/api/v1/datasources/${segment(source.id)}/schema?format=json`, signal) : undefined),
    `${source.id} ${wanted}`,
  );
  const schema = source.schema ?? loaded.value;
  const facts = schema && factsOf(schema);
  const read = source.created ?? loaded.value?.read_at;
  return (
    <>
      {facts && (
        <p className="quiet" data-test="facts">
          {[
            facts.tables ? t.sources.tables(facts.tables) : "",
            facts.rows === undefined ? "" : t.sources.rowsOf(facts.rows, facts.exact),
            facts.newest ? t.sources.newest(periodWords(facts.newest)) : "",
            read ? t.sources.read(ago(read)) : "",
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      )}
      {loaded.problem && <p className="quiet">{t.sources.unreadable}</p>}
      <p className="quiet">{source.dataset ? t.sources.own : source.added ? t.sources.addedHere : t.sources.shared}</p>
    </>
  );
}

function SourceCard({ source, onChange }: { source: Source; onChange: () => void }) {
  const [tested, setTested] = useState<Tested>();
  const [busy, setBusy] = useState(false);
  const [place, seen] = useSeen<HTMLLIElement>();
  const { note } = useVoice();
  const name = source.title ?? source.id;
  const path = source.dataset ? `/api/v1/datasets/${segment(source.id)}` : `/api/v1/datasources/${segment(source.id)}`;
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (cause) {
      note(problemFrom(cause).message);
    }
    setBusy(false);
  };
  const drop = () =>
    attempt(async () => {
      await remove(path);
      note(t.sources.removed);
      onChange();
    });
  return (
    <li className="card source" data-test="source" ref={place}>
      <div className="source-head">
        <h2>
          <a href={hashOf({ view: "sources", source: source.id })}>{name}</a>
        </h2>
        {source.kind && <span className="badge">{source.kind}</span>}
      </div>
      {source.description && <p>{source.description}</p>}
      {source.url && <p className="quiet">{source.url}</p>}
      <About source={source} seen={seen} />
      {tested && <Checks tested={tested} />}
      <div className="row">
        <a className="button is-small is-main" href={hashOf({ view: "ask", source: source.id })} aria-label={t.sources.askAbout(name)}>
          <Icon name="ask" /> {t.sources.ask}
        </a>
        <a className="button is-small" href={hashOf({ view: "sources", source: source.id })} aria-label={t.sources.open(name)}>
          <Icon name="table" /> {t.sources.schema}
        </a>
        {source.url && !source.dataset && (
          <button
            type="button"
            className="button is-small"
            disabled={busy}
            onClick={() => void attempt(async () => setTested(await post<Tested>(`${path}/test`)))}
          >
            {busy ? t.sources.testing : t.sources.test}
          </button>
        )}
        {(source.added || source.dataset) && (
          <button type="button" className="button is-small is-danger" disabled={busy} onClick={() => void drop()}>
            {t.sources.remove}
          </button>
        )}
      </div>
    </li>
  );
}

interface Props {
  source: string | undefined;
  sources: readonly Source[] | undefined;
  onChange: () => void;
}

export default function SourcesView({ source, sources, onChange }: Props) {
  if (source) return <SourceView key={source} id={source} />;
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t.nav.sources}</h1>
        <p>{t.sources.lead}</p>
      </header>
      <div className="stack">
        {!sources && <p className="empty">{t.loading}</p>}
        {sources && sources.length === 0 && <p className="empty">{t.sources.none}</p>}
        <ul className="cards">
          {(sources ?? []).map((each) => (
            <SourceCard key={each.id} source={each} onChange={onChange} />
          ))}
        </ul>
        <Upload onAdded={onChange} />
        <Connect onAdded={onChange} />
      </div>
    </div>
  );
}
