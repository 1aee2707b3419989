// Sources: what can be asked, connecting more, and bringing files.
import { useState } from "react";
import { post, remove, segment } from "../api/client";
import type { Datasource } from "../api/types";
import { hashOf } from "../logic/route";
import { Icon } from "../parts/icon";
import { problemFrom, ProblemCard } from "../parts/problem";
import { useVoice } from "../parts/say";
import { Upload } from "../parts/upload";
import { t } from "../text";
import { SourceView } from "./source";
import "../styles/pages.css";

interface Check {
  name: string;
  ok: boolean;
  text?: string;
  hint?: string;
  warning?: boolean;
}

interface Tested {
  ok: boolean;
  checks?: Check[];
}

export function Checks({ tested }: { tested: Tested }) {
  return (
    <ul className="checks" aria-live="polite">
      {(tested.checks ?? []).map((check, index) => (
        <li key={index}>
          <span className={check.ok ? "badge is-good" : "badge is-bad"}>{check.ok ? t.sources.ok : t.sources.notOk}</span>
          <span>
            {check.name} {check.text && <span className="quiet">{check.text}</span>}
            {check.hint && <span className="quiet"> {check.hint}</span>}
          </span>
        </li>
      ))}
      {!tested.checks?.length && (
        <li>
          <span className={tested.ok ? "badge is-good" : "badge is-bad"}>{tested.ok ? t.sources.ok : t.sources.notOk}</span>
        </li>
      )}
    </ul>
  );
}

function Connect({ onAdded }: { onAdded: () => void }) {
  const [url, setUrl] = useState("");
  const [id, setId] = useState("");
  const [description, setDescription] = useState("");
  const [busy, setBusy] = useState(false);
  const [tested, setTested] = useState<Tested>();
  const [problem, setProblem] = useState<ReturnType<typeof problemFrom>>();
  const { note } = useVoice();
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (cause) {
      setProblem(problemFrom(cause));
    }
    setBusy(false);
  };
  const test = () => run(async () => setTested(await post<Tested>("/api/v1/datasources/test", { url: url.trim() })));
  const add = () =>
    run(async () => {
      const made = await post<{ id?: string }>("/api/v1/datasources", {
        url: url.trim(),
        ...(id.trim() ? { id: id.trim() } : {}),
        ...(description.trim() ? { description: description.trim() } : {}),
      });
      note(t.sources.connected(made.id ?? id));
      setUrl("");
      setId("");
      setDescription("");
      setTested(undefined);
      onAdded();
    });
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        if (url.trim()) void add();
      }}
    >
      <h2>{t.sources.add}</h2>
      <label className="labelled">
        <span>{t.sources.url}</span>
        <input value={url} placeholder={t.sources.urlHint} autoComplete="off" spellCheck={false} onChange={(event) => setUrl(event.target.value)} />
      </label>
      <div className="pair">
        <label className="labelled">
          <span>{t.sources.id}</span>
          <input value={id} placeholder={t.sources.idHint} onChange={(event) => setId(event.target.value)} />
        </label>
        <label className="labelled">
          <span>{t.sources.description}</span>
          <input value={description} onChange={(event) => setDescription(event.target.value)} />
        </label>
      </div>
      {problem && <ProblemCard problem={problem} />}
      {tested && <Checks tested={tested} />}
      <div className="row">
        <button type="submit" className="button is-main" disabled={busy || !url.trim()}>
          {t.sources.connect}
        </button>
        <button type="button" className="button" disabled={busy || !url.trim()} onClick={() => void test()}>
          {busy ? t.sources.testing : t.sources.test}
        </button>
      </div>
    </form>
  );
}

function SourceCard({ source, onChange }: { source: Datasource; onChange: () => void }) {
  const [tested, setTested] = useState<Tested>();
  const { note } = useVoice();
  const path = `/api/v1/datasources/${segment(source.id)}`;
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  return (
    <li className="card source">
      <div className="source-head">
        <h2>
          <a href={hashOf({ view: "sources", source: source.id })}>{source.id}</a>
        </h2>
        {source.kind && <span className="badge">{source.kind}</span>}
      </div>
      {source.description && <p>{source.description}</p>}
      {source.url && <p className="quiet">{source.url}</p>}
      {tested && <Checks tested={tested} />}
      <div className="row">
        <a className="button is-small" href={hashOf({ view: "sources", source: source.id })} aria-label={t.sources.open(source.id)}>
          <Icon name="table" /> {t.sources.schema}
        </a>
        <button type="button" className="button is-small" onClick={() => void attempt(async () => setTested(await post<Tested>(`${path}/test`)))}>
          {t.sources.test}
        </button>
        {source.added && (
          <button
            type="button"
            className="button is-small is-danger"
            onClick={() =>
              void attempt(async () => {
                await remove(path);
                note(t.sources.removed);
                onChange();
              })
            }
          >
            {t.sources.remove}
          </button>
        )}
      </div>
    </li>
  );
}

interface Props {
  source: string | undefined;
  sources: readonly Datasource[] | undefined;
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

