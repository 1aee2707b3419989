// The shapes the service speaks: docs/api.md in TypeScript. Every field may be absent.

export type Status =
  | "understanding"
  | "searching"
  | "planning"
  | "generating"
  | "correcting"
  | "finished"
  | "failed"
  | "stopped";

export type Cell = string | number | boolean | null | object;
export type Row = readonly Cell[];

export interface Problem {
  code: string;
  message: string;
  detail?: string;
  hint?: string;
}

export interface Option {
  value: string;
  label?: string;
}

export interface Clarification {
  type?: string;
  message: string;
  options?: Option[];
  context?: { tables?: string[]; selected_table?: string; conditions?: string[] };
}

export interface Step {
  state: string;
  event?: string;
  ms?: number;
  calls?: number;
  tokens?: number;
  cost?: number;
}

export interface Confidence {
  score: number;
  factors?: Record<string, number>;
  reasons?: string[];
}

export interface Plan {
  steps?: string[];
  tables?: string[];
  joins?: string[];
  filters?: string[];
  aggregations?: string[];
  ordering?: string[];
}

export interface Usage {
  calls?: number;
  tokens_in?: number;
  tokens_out?: number;
  tokens?: number;
  cost?: number;
  saved_calls?: number;
  tokens_saved?: number;
}

export interface Chart {
  kind: string;
  reason?: string;
  /** columns by number */
  x?: number;
  y?: number | number[];
  series?: number;
  alternatives?: string[];
}

export interface Answer {
  query_id: string;
  session_id?: string;
  status: Status;
  state?: string;
  type?: "rows" | "text" | "schema" | "clarification" | "write" | "error";
  question?: string;
  rewritten_query?: string;
  intent?: string;
  datasource?: string;
  tables_used?: string[];
  summary?: string;
  plan?: Plan;
  reasoning?: string;
  sql?: string;
  columns?: string[];
  column_types?: string[];
  rows?: Row[];
  row_count?: number;
  truncated?: boolean;
  message?: string;
  explanation?: string;
  confidence?: Confidence;
  parser_probability?: number;
  brain?: string;
  engine?: { name?: string; reason?: string };
  clarification?: Clarification;
  error?: Problem;
  corrected_from?: string;
  diagnosis?: { error_type?: string; root_cause?: string; suggestion?: string; error?: string };
  lessons?: string[];
  warnings?: string[];
  stale?: boolean;
  dates_used?: string[];
  follow_ups?: string[];
  usage?: Usage;
  rows_touched?: number;
  trace?: Step[];
  chart?: Chart;
}

export interface MachineState {
  name: string;
  status: Status;
  shape?: string;
  title: string;
  final?: boolean;
}

export interface Session {
  session_id: string;
  title?: string;
  datasource?: string;
  created_at?: string | number;
  last_activity?: string | number;
  messages?: number;
}

export interface Message {
  role: "user" | "assistant";
  content: string;
  query_id?: string;
  sql?: string;
  sql_query?: string | null;
  status?: string;
  timestamp?: string | number;
}

export interface Datasource {
  id: string;
  /** what it is called, where that is not its id */
  title?: string;
  /** a file that this person brought */
  dataset?: boolean;
  kind?: string;
  url?: string;
  description?: string;
  writable?: boolean;
  added?: boolean;
}

export interface Column {
  name: string;
  type?: string;
  nullable?: boolean;
  primary?: boolean;
  /** what the database or people say of it */
  comment?: string;
  synonyms?: string[];
  samples?: string[];
  distinct?: number;
  null_share?: number;
  min?: string;
  max?: string;
}

export interface ForeignKey {
  columns: string[];
  table: string;
  references?: string[];
  confidence?: number;
}

export interface Table {
  name: string;
  kind?: string;
  /** what the database or people say of it */
  comment?: string;
  row_count?: number;
  row_count_exact?: boolean;
  columns: Column[];
  foreign_keys?: ForeignKey[];
}

export interface Schema {
  datasource?: string;
  dialect?: string;
  signature?: string;
  read_at?: number;
  tables: Table[];
}
