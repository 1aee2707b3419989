// What can be asked: the datasources that all see, and the files that this person brought. A file
// is asked by its id, and shown by its name.
import { createContext, useCallback, useContext } from "react";
import { get } from "../api/client";
import type { Datasource } from "../api/types";

interface Dataset {
  id: string;
  name: string;
  file?: string;
}

export async function loadSources(signal: AbortSignal): Promise<Datasource[]> {
  const [sources, datasets] = await Promise.all([
    get<{ datasources?: Datasource[] }>("/api/v1/datasources", signal),
    get<{ datasets?: Dataset[] }>("/api/v1/datasets", signal).catch(() => ({ datasets: [] })),
  ]);
  return merged(sources.datasources ?? [], datasets.datasets ?? []);
}

/** Files that an admin also made a datasource for all are shown once, as that. */
export function merged(sources: readonly Datasource[], datasets: readonly Dataset[]): Datasource[] {
  const shared = new Set(sources.map((source) => source.url));
  const files = datasets
    .filter((each) => !shared.has(`dataset:${each.name}`))
    .map((each): Datasource => ({
      id: each.id,
      title: each.name,
      kind: "file",
      dataset: true,
      ...(each.file ? { description: each.file } : {}),
    }));
  return [...sources, ...files];
}

export const SourcesContext = createContext<readonly Datasource[]>([]);

/** How a source is called, by its id. */
export function useSourceName(): (id: string | undefined) => string {
  const sources = useContext(SourcesContext);
  return useCallback((id) => sources.find((each) => each.id === id)?.title ?? id ?? "", [sources]);
}
