// What can be asked: the shared datasources, and the files that this user uploaded. Files are asked
// by their id and shown by their name.
import { createContext, useCallback, useContext } from "react";
import { get } from "../api/client";
import type { Dataset, Datasource, Schema } from "../api/types";

/** A datasource, or a file that this user uploaded. */
export interface Source extends Datasource {
  /** its name, if that is not the id */
  title?: string;
  dataset?: boolean;
  /** of a file: what the list of files tells already */
  schema?: Pick<Schema, "tables">;
  /** of a file: when it was imported */
  created?: string;
}

export async function loadSources(signal: AbortSignal): Promise<Source[]> {
  const [sources, datasets] = await Promise.all([
    get<{ datasources?: Datasource[] }>("/api/v1/datasources", signal),
    get<{ datasets?: Dataset[] }>("/api/v1/datasets", signal).catch(() => ({ datasets: [] })),
  ]);
  return merged(sources.datasources ?? [], datasets.datasets ?? []);
}

/** A file that an admin also made a shared datasource is listed once, as a datasource. */
export function merged(sources: readonly Datasource[], datasets: readonly (Pick<Dataset, "id" | "name" | "file" | "schema"> & { created_at?: string })[]): Source[] {
  const shared = new Set(sources.map((source) => source.url));
  const files = datasets
    .filter((each) => !shared.has(`dataset:${each.name}`))
    .map((each): Source => ({
      id: each.id,
      title: each.name,
      kind: "file",
      dataset: true,
      ...(each.file ? { description: each.file } : {}),
      ...(each.schema ? { schema: each.schema as Pick<Schema, "tables"> } : {}),
      ...(each.created_at ? { created: each.created_at } : {}),
    }));
  return [...sources, ...files];
}

export const SourcesContext = createContext<readonly Source[]>([]);

/** The name of a source, by its id. */
export function useSourceName(): (id: string | undefined) => string {
  const sources = useContext(SourcesContext);
  return useCallback((id) => sources.find((each) => each.id === id)?.title ?? id ?? "", [sources]);
}

/** A text of the server with the names of files instead of their ids. */
export function named(text: string, sources: readonly Pick<Source, "id" | "title">[]): string {
  return text.replace(/dataset-[0-9a-f]{8,}/g, (id) => sources.find((each) => each.id === id)?.title ?? id);
}

export function useNamed(): (text: string) => string {
  const sources = useContext(SourcesContext);
  return useCallback((text) => named(text, sources), [sources]);
}
