// The settings of the server by name: which can be changed here, and which have been changed. The values
// of some, such as the address and the key of the model, can be set but never read.

type Plain = string | number | boolean | null;

export interface SettingsBody {
  settings?: Record<string, Plain>;
  changeable?: string[];
  changed?: string[];
}

export interface Setting {
  name: string;
  value: string;
  /** false: the server does not return its value */
  told: boolean;
  canChange: boolean;
  /** changed here; overrides the configuration */
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

/** The request that sets the connection to a model; an address is only sent together with its key. */
export function connection(typed: Record<string, string>, settings: readonly Setting[]): Record<string, string> {
  const now = new Map(settings.map((each) => [each.name, each]));
  const sent = Object.fromEntries(Object.entries(typed).filter(([name, value]) => !now.get(name)?.told || value !== now.get(name)?.value));
  if (sent["llm.url"] !== undefined && sent["llm.key"] === undefined) sent["llm.key"] = "";
  return sent;
}
