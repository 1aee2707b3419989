// The schema of a source, for choosing tables and columns; loaded when it is first needed.
import { get, segment } from "../api/client";
import type { Schema, Table } from "../api/types";
import { useLoad } from "./use";

export function useTables(source: string | undefined, wanted: boolean): readonly Table[] {
  const loaded = useLoad(
    async (signal) =>
      wanted && source
        ? (await get<Schema>(`/api/v1/datasources/${segment(source)}/schema?format=json`, signal)).tables
        : [],
    `tables ${wanted ? (source ?? "") : ""}`,
  );
  return loaded.value ?? [];
}
