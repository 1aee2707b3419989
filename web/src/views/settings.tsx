// Settings: who answers, whether the model does, what the server allows, how the page looks.
import { useState } from "react";
import { get, hasKey, post, setKey } from "../api/client";
import { duration } from "../logic/format";
import { problemFrom, ProblemCard } from "../parts/problem";
import { brains, useBrain } from "../state/brain";
import { useTheme, type Theme } from "../state/theme";
import { useLoad } from "../state/use";
import { t } from "../text";
import "../styles/pages.css";

function Brains() {
  const [brain, setBrain] = useBrain();
  return (
    <fieldset className="card">
      <legend>{t.settings.brain}</legend>
      {brains.map((each) => (
        <label key={each} className="radio">
          <input type="radio" name="brain" checked={brain === each} onChange={() => setBrain(each)} />
          <span>
            {t.settings.brains[each]?.[0]} <span className="quiet">{t.settings.brains[each]?.[1]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface ModelTest {
  ok: boolean;
  text?: string;
  ms?: number;
  hint?: string;
}

function Model() {
  const [busy, setBusy] = useState(false);
  const [tested, setTested] = useState<ModelTest>();
  const [problem, setProblem] = useState<ReturnType<typeof problemFrom>>();
  const test = async () => {
    setBusy(true);
    setProblem(undefined);
    setTested(undefined);
    try {
      setTested(await post<ModelTest>("/api/v1/settings/test-model"));
    } catch (cause) {
      setProblem(problemFrom(cause));
    }
    setBusy(false);
  };
  return (
    <section className="card">
      <h2>{t.settings.model}</h2>
      <p className="quiet">{t.settings.modelLead}</p>
      {tested && (
        <p className={tested.ok ? "badge is-good" : "warning"} role="status">
          {tested.ok ? t.settings.works(duration(tested.ms ?? 0)) : t.settings.fails} {tested.text} {tested.hint}
        </p>
      )}
      {problem && <ProblemCard problem={problem} />}
      <div className="row">
        <button type="button" className="button" disabled={busy} onClick={() => void test()}>
          {busy ? t.settings.testing : t.settings.test}
        </button>
      </div>
    </section>
  );
}

const themes: Theme[] = ["system", "light", "dark"];

function Appearance() {
  const [theme, setTheme] = useTheme();
  return (
    <fieldset className="card">
      <legend>{t.settings.theme}</legend>
      <div className="row">
        {themes.map((each) => (
          <label key={each} className="radio">
            <input type="radio" name="theme" checked={theme === each} onChange={() => setTheme(each)} />
            <span>{t.theme[each]}</span>
          </label>
        ))}
      </div>
      <p className="quiet">
        {t.settings.language}: {t.settings.languageLead}
      </p>
    </fieldset>
  );
}

type Value = string | number | boolean | null;

/** What a person may want to know is used for, before the long rest. */
const privacy = ["llm.send_rows", "knowledge.values", "store.folder", "agent.brain"];

function Values({ settings }: { settings: [string, Value][] }) {
  return (
    <ul className="list">
      {settings.map(([key, value]) => (
        <li key={key} className="item">
          <code>{key}</code>
          <code className="quiet">{value === "" || value === null ? "–" : String(value)}</code>
        </li>
      ))}
    </ul>
  );
}

function Server() {
  const loaded = useLoad(
    async (signal) => Object.entries((await get<{ settings?: Record<string, Value> }>("/api/v1/settings", signal)).settings ?? {}),
    "settings",
  );
  if (loaded.problem) return <ProblemCard problem={loaded.problem} />;
  const all = loaded.value ?? [];
  return (
    <section className="card">
      <h2>{t.settings.privacy}</h2>
      <p className="quiet">{t.settings.privacyLead}</p>
      <Values settings={all.filter(([key]) => privacy.includes(key))} />
      <details>
        <summary>{t.settings.all(all.length)}</summary>
        <Values settings={all} />
      </details>
    </section>
  );
}

function Key() {
  const me = useLoad((signal) => get<{ account?: string; open?: boolean }>("/api/v1/me", signal), "me");
  const [text, setText] = useState("");
  const [have, setHave] = useState(hasKey);
  return (
    <section className="card">
      <h2>{t.settings.key}</h2>
      <p className="quiet">
        {me.value?.open ? t.settings.open : me.value?.account ? t.settings.account(me.value.account) : t.settings.keyLead}
      </p>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          setKey(text);
          setHave(text.trim() !== "");
          setText("");
          me.reload();
        }}
      >
        <label className="field is-small">
          <input type="password" autoComplete="off" value={text} placeholder="dgm_…" aria-label={t.key.label} onChange={(event) => setText(event.target.value)} />
        </label>
        <button type="submit" className="button is-small" disabled={!text.trim()}>
          {t.key.send}
        </button>
        {have && (
          <button
            type="button"
            className="button is-small"
            onClick={() => {
              setKey("");
              setHave(false);
            }}
          >
            {t.settings.keyForget}
          </button>
        )}
      </form>
    </section>
  );
}

export default function SettingsView() {
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t.nav.settings}</h1>
        <p>{t.settings.lead}</p>
      </header>
      <div className="stack">
        <Brains />
        <Model />
        <Appearance />
        <Key />
        <Server />
      </div>
    </div>
  );
}
