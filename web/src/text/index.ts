// The language in use. To add one: write its file, and a row here.
import { en, type Text } from "./en";

const languages: Record<string, Text> = { en };

const wanted = globalThis.navigator?.language?.slice(0, 2) ?? "en";

export const t: Text = languages[wanted] ?? en;
