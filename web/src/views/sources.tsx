// Sources: the databases and files that can be asked; connecting databases, uploading files.
import { useState } from "react";
import { post, remove, segment } from "../api/client";
import type { Source } from "../state/sources";
import { hashOf } from "../logic/route";
import { Icon } from "../parts/icon";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";
import { Upload } from "../parts/upload";
import { t } from "../text";
import { SourceView } from "./source";
import { Checks, type Tested } from "./sources/checks";
import { Connect } from "./sources/connect";
import "../styles/pages.css";

function SourceCard({ source, onChange }: { source: Source; onChange: () => void }) {
  const [tested, setTested] = useState<Tested>();
  const [busy, setBusy] = useState(false);
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
    <li className="card source" data-test="source">
      <div className="source-head">
        <h2>
          <a href={hashOf({ view: "sources", source: source.id })}>{name}</a>
        </h2>
        {source.kind && <span className="badge">{source.kind}</span>}
      </div>
      {source.description && <p>{source.description}</p>}
      {source.url && <p className="quiet">{source.url}</p>}
      {source.dataset && <p className="quiet">{t.sources.own}</p>}
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
