// Parser or model: the choice of this browser, and the default of the server.
import { useVoice } from "../../state/voice";
import { brains, useBrain } from "../../state/brain";
import type { Settings } from "../../state/settings";
import { t } from "../../text";

export function Brains({ settings }: { settings: Settings }) {
  const [brain, setBrain] = useBrain();
  const { note } = useVoice();
  const server = settings.find("agent.brain");
  return (
    <fieldset className="card">
      <legend>{t.settings.brain}</legend>
      <p className="quiet">{t.settings.brainLead}</p>
      {brains.map((each) => (
        <label key={each} className="radio">
          <input type="radio" name="brain" checked={brain === each} onChange={() => setBrain(each)} />
          <span>
            {t.settings.brains[each]?.[0]} <span className="quiet">{t.settings.brains[each]?.[1]}</span>
          </span>
        </label>
      ))}
      {server?.canChange && (
        <label className="select">
          <span>{t.settings.serverBrain}</span>
          <select value={server.value} onChange={(event) => void settings.change({ "agent.brain": event.target.value }).then((problem) => problem && note(problem.message))}>
            {brains.map((each) => (
              <option key={each} value={each}>
                {t.settings.brains[each]?.[0]}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}
