// The schema of a source, for choosing tables and columns; loaded when it is first needed.
import { get, segment } from "../api/client";
import type { Schema, Table } from "../api/types";
import { useLoad } from "./use";

const none: Schema = {};
const nothing: readonly Table[] = [];

/** With its dialect. */
export function useSchema(source: string | undefined, wanted: boolean): Schema {
  const loaded = useLoad(
    async (signal) => (wanted && source ? get<Schema>(`/api/v1/datasources/${segment(source)}/schema?format=json`, signal) : none),
    `schema ${wanted ? (source ?? "") : ""}`,
  );
  return loaded.value ?? none;
}

export function useTables(source: string | undefined, wanted: boolean): readonly Table[] {
  return useSchema(source, wanted).tables ?? nothing;
}
