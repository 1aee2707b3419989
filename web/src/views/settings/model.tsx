// The language model: its address, name and key, and a test whether it replies.
import { useState } from "react";
import { post } from "../../api/client";
import type { Problem } from "../../api/types";
import { duration } from "../../logic/format";
import { connection, type Setting } from "../../logic/settings";
import { ProblemCard } from "../../parts/problem";
import { problemFrom } from "../../logic/problem";
import type { Settings } from "../../state/settings";
import { t } from "../../text";

interface ModelTest {
  ok: boolean;
  text?: string;
  ms?: number;
}

interface Field {
  name: string;
  label: string;
  hint: string;
  choices?: string[];
}

const fields: Field[] = [
  { name: "llm.provider", label: t.settings.provider, hint: "", choices: ["", "openai", "anthropic", "ollama"] },
  { name: "llm.model", label: t.settings.modelName, hint: "" },
  { name: "llm.url", label: t.settings.url, hint: t.settings.urlHint },
  { name: "llm.key", label: t.settings.keyRef, hint: "${OPENAI_API_KEY}" },
];

function Input({ field, setting, value, onType }: { field: Field; setting: Setting; value: string; onType: (value: string) => void }) {
  const known = field.choices && (field.choices.includes(value) ? field.choices : [...field.choices, value]);
  return (
    <label className="labelled">
      <span>{field.label}</span>
      {known && setting.canChange ? (
        <select value={value} onChange={(event) => onType(event.target.value)}>
          {known.map((each) => (
            <option key={each} value={each}>
              {each || t.settings.providerAny}
            </option>
          ))}
        </select>
      ) : (
        <input
          value={value}
          placeholder={field.hint}
          readOnly={!setting.canChange}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </label>
  );
}

function Connection({ settings }: { settings: Settings }) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<Problem>();
  const known = fields.filter((field) => settings.find(field.name));
  const sent = connection(typed, settings.value ?? []);
  const changed = known.filter((field) => settings.find(field.name)?.changed).map((field) => field.name);
  const change = async (values: Record<string, string | null>) => {
    const wrong = await settings.change(values);
    setProblem(wrong);
    if (!wrong) setTyped({});
  };
  if (known.length === 0) return null;
  return (
    <form
      className="stack is-tight"
      data-test="model"
      onSubmit={(event) => {
        event.preventDefault();
        void change(sent);
      }}
    >
      <div className="pair is-two">
        {known.map((field) => {
          const setting = settings.find(field.name);
          return (
            setting && (
              <Input
                key={field.name}
                field={field}
                setting={setting}
                value={typed[field.name] ?? setting.value}
                onType={(value) => setTyped({ ...typed, [field.name]: value })}
              />
            )
          );
        })}
      </div>
      {problem && <ProblemCard problem={problem} />}
      {known.some((field) => settings.find(field.name)?.canChange) ? (
        <>
          <p className="quiet">{t.settings.keyRefHint}</p>
          <div className="row">
            <button type="submit" className="button is-main is-small" disabled={Object.keys(sent).length === 0}>
              {t.settings.save}
            </button>
            {changed.length > 0 && (
              <button
                type="button"
                className="button is-small"
                onClick={() => void change(Object.fromEntries(changed.map((name) => [name, null])))}
              >
                {t.settings.reset}
              </button>
            )}
          </div>
        </>
      ) : (
        <p className="quiet">{t.settings.readOnly}</p>
      )}
    </form>
  );
}

export function Model({ settings }: { settings: Settings }) {
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
    <section className="card" aria-label={t.settings.model}>
      <h2>{t.settings.model}</h2>
      <p className="quiet">{t.settings.modelLead}</p>
      <Connection settings={settings} />
      <div className="row">
        <button type="button" className="button" disabled={busy} onClick={() => void test()}>
          {busy ? t.settings.testing : t.settings.test}
        </button>
      </div>
      {tested && (
        <p className={tested.ok ? "verdict is-good" : "verdict is-bad"} role="status" data-test="model-test">
          {tested.ok ? t.settings.works(duration(tested.ms ?? 0)) : t.settings.fails} {tested.text}
        </p>
      )}
      {problem && <ProblemCard problem={problem} />}
    </section>
  );
}
