// The settings of the server: loaded once for the view; changes are sent one request at a time.
import { useCallback } from "react";
import { get, patch } from "../api/client";
import type { Problem } from "../api/types";
import { settingsOf, type Setting, type SettingsBody } from "../logic/settings";
import { problemFrom } from "../logic/problem";
import { useVoice } from "./voice";
import { t } from "../text";
import { useLoad, type Loaded } from "./use";

export interface Settings extends Loaded<Setting[]> {
  find(name: string): Setting | undefined;
  /** null: back to the configured value. Returns the reason if the server refused a change. */
  change(values: Record<string, string | null>): Promise<Problem | undefined>;
}

export function useSettings(): Settings {
  const loaded = useLoad(async (signal) => settingsOf(await get<SettingsBody>("/api/v1/settings", signal)), "settings");
  const { note } = useVoice();
  const { value, reload } = loaded;
  const find = useCallback((name: string) => value?.find((each) => each.name === name), [value]);
  const change = useCallback(
    async (values: Record<string, string | null>) => {
      try {
        await patch("/api/v1/settings", { settings: values });
        note(t.settings.saved);
        reload();
        return undefined;
      } catch (cause) {
        return problemFrom(cause);
      }
    },
    [note, reload],
  );
  return { ...loaded, find, change };
}
