// Connects a database by its address, after an optional test.
import { useState } from "react";
import { post } from "../../api/client";
import { ProblemCard } from "../../parts/problem";
import { problemFrom } from "../../logic/problem";
import { useVoice } from "../../state/voice";
import { t } from "../../text";
import { Checks, type Tested } from "./checks";

export function Connect({ onAdded }: { onAdded: () => void }) {
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
        <input value={url} placeholder={t.sources.urlHint} autoComplete="off" spellCheck={false} onChange={(event) => {
            setUrl(event.target.value);
            setTested(undefined); // the result is about another address
            setProblem(undefined);
          }} />
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
