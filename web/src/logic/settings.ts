// The server's settings as the page needs them: by name, which of them may be changed here, and
// which were. Some may be changed that are never told, as where the model is and whose key it gets.

type Plain = string | number | boolean | null;

export interface SettingsBody {
  settings?: Record<string, Plain>;
  changeable?: string[];
  changed?: string[];
}

export interface Setting {
  name: string;
  value: string;
  /** false: the server does not tell its value */
  told: boolean;
  canChange: boolean;
  /** changed here, above what the configuration says */
  changed: boolean;
}

export function settingsOf(body: SettingsBody): Setting[] {
  const free = new Set(body.changeable ?? []);
  const changed = new Set(body.changed ?? []);
  const told = body.settings ?? {};
  const untold = [...free].filter((name) => !Object.hasOwn(told, name));
  return [...Object.keys(told), ...untold].map((name) => ({
    name,
    value: String(told[name] ?? ""),
    told: Object.hasOwn(told, name),
    canChange: free.has(name),
    changed: changed.has(name),
  }));
}

/** What is sent for a model's connection: an address only together with the key meant for it. */
export function connection(typed: Record<string, string>, settings: readonly Setting[]): Record<string, string> {
  const now = new Map(settings.map((each) => [each.name, each]));
  const sent = Object.fromEntries(Object.entries(typed).filter(([name, value]) => !now.get(name)?.told || value !== now.get(name)?.value));
  if (sent["llm.url"] !== undefined && sent["llm.key"] === undefined) sent["llm.key"] = "";
  return sent;
}
