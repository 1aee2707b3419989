// Light or dark, and the language of the interface.
import { useTheme, type Theme } from "../../state/theme";
import { languageWanted, languages, setLanguage, t } from "../../text";

const themes: Theme[] = ["system", "light", "dark"];

export function Appearance() {
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
      <label className="select">
        <span>{t.settings.language}</span>
        <select value={languageWanted()} onChange={(event) => setLanguage(event.target.value)}>
          <option value="">{t.settings.languageSystem}</option>
          {Object.entries(languages).map(([code, { name }]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </fieldset>
  );
}
