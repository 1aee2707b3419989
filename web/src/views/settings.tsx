// Settings: how questions are answered, the model, privacy, keys, and appearance.
import { get } from "../api/client";
import { useSettings } from "../state/settings";
import { useLoad } from "../state/use";
import { t } from "../text";
import { Appearance } from "./settings/appearance";
import { Brains } from "./settings/brains";
import { Door, type Me } from "./settings/door";
import { Keys } from "./settings/keys";
import { Model } from "./settings/model";
import { Privacy } from "./settings/privacy";
import "../styles/pages.css";

export default function SettingsView() {
  const settings = useSettings();
  const me = useLoad((signal) => get<Me>("/api/v1/me", signal), "me");
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t.nav.settings}</h1>
        <p>{t.settings.lead}</p>
      </header>
      <div className="stack">
        <Brains settings={settings} />
        <Model settings={settings} />
        <Privacy settings={settings} />
        <Appearance />
        <Keys open={me.value?.open ?? false} onChange={me.reload} />
        <Door me={me.value} onChange={me.reload} />
      </div>
    </div>
  );
}
