// Parts of the page that are loaded when they are first shown. A line that is down for a moment, or a server that is
// restarted, must not take away what is shown already: loading is tried again.
import { lazy, type ComponentType } from "react";

const waits_ms = [300, 1000, 2000, 4000, 8000, 15_000];

/** Tries again after each of these times; the last failure is the caller's. */
export async function patiently<T>(load: () => Promise<T>, waits: readonly number[] = waits_ms): Promise<T> {
  for (const wait of waits) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return load();
}

export const later = <Part extends ComponentType<any>>(load: () => Promise<{ default: Part }>) => lazy(() => patiently(load));
