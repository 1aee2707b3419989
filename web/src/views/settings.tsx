// Settings: who answers, whether the model does, what the server allows, how the page looks.
import { useState } from "react";
import { get, hasKey, patch, post, setKey } from "../api/client";
import { duration } from "../logic/format";
import { problemFrom, ProblemCard } from "../parts/problem";
import { useVoice } from "../parts/say";
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

interface Setting {
  key: string;
  value: Value;
  description?: string;
  mutable?: boolean;
}

/** The service may say a list of settings, or an object of values; both become a list. */
function settingsOf(body: unknown): Setting[] {
  const inner = (body as { settings?: unknown })?.settings ?? body;
  if (Array.isArray(inner)) return inner as Setting[];
  if (typeof inner !== "object" || inner === null) return [];
  return Object.entries(inner).map(([key, value]) =>
    typeof value === "object" && value !== null && "value" in value
      ? { ...(value as Omit<Setting, "key">), key }
      : { key, value: value as Value },
  );
}

function SettingRow({ setting, onChange }: { setting: Setting; onChange: () => void }) {
  const [text, setText] = useState(String(setting.value ?? ""));
  const { note } = useVoice();
  const set = async (value: Value) => {
    try {
      await patch("/api/v1/settings", { [setting.key]: value });
      note(t.settings.changed);
      onChange();
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  return (
    <li className="item">
      <div>
        <p>
          <code>{setting.key}</code>
        </p>
        {setting.description && <p className="quiet">{setting.description}</p>}
      </div>
      {!setting.mutable ? (
        <code>{String(setting.value ?? "")}</code>
      ) : typeof setting.value === "boolean" ? (
        <label className="switch">
          <input type="checkbox" checked={setting.value} aria-label={setting.key} onChange={() => void set(!setting.value)} />
        </label>
      ) : (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            void set(typeof setting.value === "number" ? Number(text) : text);
          }}
        >
          <input className="inline" value={text} aria-label={setting.key} onChange={(event) => setText(event.target.value)} />
          <button type="submit" className="button is-small">
            {t.settings.change}
          </button>
        </form>
      )}
    </li>
  );
}

function Server() {
  const loaded = useLoad(async (signal) => settingsOf(await get<unknown>("/api/v1/settings", signal)), "settings");
  if (loaded.problem) return <ProblemCard problem={loaded.problem} />;
  return (
    <section className="card">
      <h2>{t.settings.server}</h2>
      <p className="quiet">{t.settings.serverLead}</p>
      <ul className="list">
        {(loaded.value ?? []).map((setting) => (
          <SettingRow key={setting.key} setting={setting} onChange={loaded.reload} />
        ))}
      </ul>
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
