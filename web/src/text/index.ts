// The language in use. To add one: write its file, and a row here.
import { en, type Text } from "./en";

interface Language {
  name: string;
  /** English is part of the page; any other is loaded when it is wanted */
  load?: () => Promise<Text>;
}

export const languages: Record<string, Language> = {
  en: { name: "English" },
  de: { name: "Deutsch", load: () => import("./de").then((file) => file.de) },
};

const kept = "dragoman.language";

/** What a person chose; "": as the browser. */
export function languageWanted(): string {
  try {
    const chosen = localStorage.getItem(kept) ?? "";
    return Object.hasOwn(languages, chosen) ? chosen : "";
  } catch {
    return "";
  }
}

/** Words are everywhere on the page, so that it begins anew in the other language. */
export function setLanguage(code: string): void {
  try {
    if (code) localStorage.setItem(kept, code);
    else localStorage.removeItem(kept);
  } catch {
    return; // no storage: it cannot be kept
  }
  location.reload();
}

export let t: Text = en;

/** To be awaited before anything is drawn. A language that does not come leaves English. */
export async function speak(): Promise<void> {
  const code = languageWanted() || (globalThis.navigator?.language?.slice(0, 2) ?? "");
  const load = Object.hasOwn(languages, code) ? languages[code]?.load : undefined;
  if (!load) return;
  try {
    t = await load();
    document.documentElement.lang = code;
  } catch {
    // the page is in English then
  }
}
