// What can be asked: the shared datasources, and the files that this user uploaded. Files are asked
// by their id and shown by their name.
import { createContext, useCallback, useContext } from "react";
import { get } from "../api/client";
import type { Dataset, Datasource } from "../api/types";

/** A datasource, or a file that this user uploaded. */
export interface Source extends Datasource {
  /** its name, if that is not the id */
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

/** A file that an admin also made a shared datasource is listed once, as a datasource. */
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

/** The name of a source, by its id. */
export function useSourceName(): (id: string | undefined) => string {
  const sources = useContext(SourcesContext);
  return useCallback((id) => sources.find((each) => each.id === id)?.title ?? id ?? "", [sources]);
}
