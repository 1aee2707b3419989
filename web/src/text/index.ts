// The language in use. To add one: write its file, and a row here.
import { en, type Text } from "./en";

interface Language {
  name: string;
  /** English is part of the page; other languages are loaded when needed */
  load?: () => Promise<Text>;
}

export const languages: Record<string, Language> = {
  en: { name: "English" },
  de: { name: "Deutsch", load: () => import("./de").then((file) => file.de) },
};

const kept = "dragoman.language";

/** The user's choice; "": the language of the browser. */
export function languageWanted(): string {
  try {
    const chosen = localStorage.getItem(kept) ?? "";
    return Object.hasOwn(languages, chosen) ? chosen : "";
  } catch {
    return "";
  }
}

/** Texts are all over the page, so the page is loaded again in the new language. */
export function setLanguage(code: string): void {
  try {
    if (code) localStorage.setItem(kept, code);
    else localStorage.removeItem(kept);
  } catch {
    return; // no storage: the choice is lost at the next reload
  }
  location.reload();
}

export let t: Text = en;

/** Await this before anything is drawn. If a language cannot be loaded, the page is in English. */
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
