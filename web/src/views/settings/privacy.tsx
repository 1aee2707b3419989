// Switches for what is sent to a model and what is stored; below, all current settings.
import { ProblemCard } from "../../parts/problem";
import { useVoice } from "../../state/voice";
import { Switch } from "../../parts/switch";
import type { Settings } from "../../state/settings";
import { t } from "../../text";

export function Privacy({ settings }: { settings: Settings }) {
  const { note } = useVoice();
  if (settings.problem) return <ProblemCard problem={settings.problem} />;
  const all = (settings.value ?? []).filter((each) => each.told);
  const switches = Object.entries(t.settings.switches).flatMap(([name, words]) => {
    const setting = settings.find(name);
    return setting ? [{ setting, words }] : [];
  });
  return (
    <section className="card" aria-label={t.settings.privacy}>
      <h2>{t.settings.privacy}</h2>
      <p className="quiet">{t.settings.privacyLead}</p>
      <ul className="list">
        {switches.map(({ setting, words: [title, what] }) => (
          <li key={setting.name} className="item">
            <Switch
              on={setting.value === "true"}
              disabled={!setting.canChange}
              onTurn={async (next) => {
                const problem = await settings.change({ [setting.name]: String(next) });
                if (problem) note(problem.message);
                return !problem;
              }}
            >
              {title} <span className="quiet">{what}</span>
            </Switch>
          </li>
        ))}
      </ul>
      {switches.some(({ setting }) => !setting.canChange) && <p className="quiet">{t.settings.readOnly}</p>}
      <details>
        <summary>{t.settings.all(all.length)}</summary>
        <dl className="values">
          {all.map(({ name, value, changed }) => (
            <div key={name}>
              <dt>
                <code>{name}</code> {changed && <span className="badge">{t.settings.changedHere}</span>}
              </dt>
              <dd>
                <code>{value || "–"}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
