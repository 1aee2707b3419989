// What can be asked: the datasources that all see, and the files that this person brought. A file
// is asked by its id, and shown by its name.
import { createContext, useCallback, useContext } from "react";
import { get } from "../api/client";
import type { Dataset, Datasource } from "../api/types";

/** What can be asked: a datasource, or a file that this person brought. */
export interface Source extends Datasource {
  /** what it is called, where that is not its id */
  title?: string;
  dataset?: boolean;
}

export async function loadSources(signal: AbortSignal): Promise<Source[]> {
  const [sources, datasets] = await Promise.all([
    get<{ datasources?: Datasource[] }>("/api/v1/datasources", signal),
    get<{ datasets?: Dataset[] }>("/api/v1/datasets", signal).catch(() => ({ datasets: [] })),
  ]);
  return merged(sources.datasources ?? [], datasets.datasets ?? []);
}

/** Files that an admin also made a datasource for all are shown once, as that. */
export function merged(sources: readonly Datasource[], datasets: readonly Pick<Dataset, "id" | "name" | "file">[]): Source[] {
  const shared = new Set(sources.map((source) => source.url));
  const files = datasets
    .filter((each) => !shared.has(`dataset:${each.name}`))
    .map((each): Source => ({
      id: each.id,
      title: each.name,
      kind: "file",
      dataset: true,
      ...(each.file ? { description: each.file } : {}),
    }));
  return [...sources, ...files];
}

export const SourcesContext = createContext<readonly Source[]>([]);

/** How a source is called, by its id. */
export function useSourceName(): (id: string | undefined) => string {
  const sources = useContext(SourcesContext);
  return useCallback((id) => sources.find((each) => each.id === id)?.title ?? id ?? "", [sources]);
}
