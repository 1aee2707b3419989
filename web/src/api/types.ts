// Made by tools/types.mjs from what `dragoman serve --openapi` says. Do not edit.

export type Cell = string | number | boolean | null | object;
export type Row = readonly Cell[];

/** A question in plain language */
export interface AskRequest {
  /** The question */
  query: string;
  /** Datasource; default: the only one, or the one that the question mentions */
  datasource?: string | null;
  /** Alias of datasource */
  dataset_id?: string | null;
  /** Conversation id */
  session_id?: string | null;
  /** Which engine writes the SQL: auto, parser or llm */
  brain?: string | null;
  /** Skip the plan before the SQL */
  ignore_sql_reasoning?: boolean | null;
  /** false: correct SQL without looking for the cause first */
  allow_sql_diagnosis?: boolean | null;
  /** Allow a statement that changes data; it runs only after approval */
  allow_write?: boolean | null;
  /** Stop after the SQL was checked */
  dry_run?: boolean | null;
  /** Do not reuse the SQL of an earlier, equal question */
  no_cache?: boolean | null;
  /** false: do not apply lessons */
  apply_memory?: boolean | null;
  /** Treat this as a new question even if another one waits for an answer */
  new_question?: boolean | null;
  /** Language of `text` in the answer: en, de or es; default: the header Accept-Language, then answer.language */
  language?: string | null;
}

/** A message of a conversation */
export interface ChatRequest {
  /** A question, or the answer to a clarifying question */
  message: string;
  /** Datasource */
  datasource?: string | null;
  /** Alias of datasource */
  dataset_id?: string | null;
  /** Conversation id; default: no conversation */
  session_id?: string | null;
  /** Which engine writes the SQL: auto, parser or llm */
  brain?: string | null;
  /** Skip the plan before the SQL */
  ignore_sql_reasoning?: boolean | null;
  /** false: correct SQL without looking for the cause first */
  allow_sql_diagnosis?: boolean | null;
  /** Allow a statement that changes data; it runs only after approval */
  allow_write?: boolean | null;
  /** Stop after the SQL was checked */
  dry_run?: boolean | null;
  /** Do not reuse the SQL of an earlier, equal question */
  no_cache?: boolean | null;
  /** false: do not apply lessons */
  apply_memory?: boolean | null;
  /** Treat this as a new question even if another one waits for an answer */
  new_question?: boolean | null;
  /** Language of `text` in the answer: en, de or es; default: the header Accept-Language, then answer.language */
  language?: string | null;
}

/** SQL written by the user */
export interface SqlRequest {
  /** One statement */
  sql: string;
  /** Datasource */
  datasource?: string | null;
  /** Conversation id */
  session_id?: string | null;
  /** Allow a statement that changes data; it runs only after approval */
  allow_write?: boolean | null;
  /** Wait for the answer: 200 with the answer object instead of 202 */
  wait?: boolean | null;
  /** Language of `text` in the answer: en, de or es; default: the header Accept-Language, then answer.language */
  language?: string | null;
}

/** The reply to a clarifying question; exactly one of the first three fields */
export interface AnswerRequest {
  /** Words */
  text?: string | null;
  /** Value or number of the chosen option */
  option?: unknown;
  /** Correction, structured or in words (docs/api.md) */
  correction?: unknown;
  /** Treat this as a new question, not as an answer */
  new_question?: boolean | null;
}

/** A decision */
export interface ApproveRequest {
  /** Run it? */
  approved: boolean;
}

/** Another reading of a question */
export interface ReadingRequest {
  /** Its number in `readings` of the answer, or the number of an option if the question waits */
  reading: number;
}

/** SQL to check */
export interface SqlCheckRequest {
  /** One statement */
  sql: string;
  /** Datasource; default: the only one */
  datasource?: string | null;
}

/** Whether the guard allows SQL */
export interface SqlVerdict {
  /** true if it only reads what the caller may read */
  allowed: boolean;
  /** true if it would change data */
  write: boolean;
  /** true if it cannot be parsed */
  unparsable: boolean;
  /** Byte where the problem begins */
  position?: number;
  /** Why it is not allowed */
  reason?: string;
  /** Tables that it reads: the name and the columns of each */
  tables?: unknown[];
  /** Columns without a table name that may belong to several of the tables */
  columns?: unknown[];
}

/** A cell of a column */
export interface PartValue {
  /** The cell as text */
  value: string;
  /** Number of rows that have it */
  count: unknown;
}

/** The most frequent cells of a column */
export interface PartValues {
  /** At most 50, the most frequent first */
  values: PartValue[];
  /** true if the column has more cells than these */
  more: boolean;
}

/** A figure (figure and column, or count and table), a column (column, for dates also by), or a condition (one of these with test and values); or kept, for something that cannot be shown so */
export interface Part {
  /** What is computed */
  figure?: "count" | "count_different" | "sum" | "average" | "lowest" | "highest" | "median";
  /** Only with the figure count: the table whose rows are counted */
  table?: string;
  /** Column as table.column */
  column?: string;
  /** Part of a date */
  by?: "year" | "quarter" | "month" | "week" | "day" | "quarter_of_year" | "month_of_year" | "day_of_month" | "weekday" | "hour";
  /** true if the figure is rounded to two decimals */
  rounded?: boolean;
  /** Condition: how it compares */
  test?: "is" | "is_not" | "more" | "less" | "at_least" | "at_most" | "between" | "contains" | "not_contains" | "starts" | "ends" | "in" | "since" | "until" | "before" | "after" | "empty" | "not_empty";
  /** Condition: the values to compare with; periods are 2024, 2024-Q1, 2024-03, 2024-03-15, last month, last 30 days, 2 weeks ago */
  values?: string[];
  /** Number of something that can only be kept as it is or removed */
  kept?: number;
  /** The part in words; ignored in requests */
  label?: string;
}

/** What rows are ordered by: one of measure, column and kept */
export interface PartOrder {
  /** Index in measures */
  measure?: number;
  /** Index in columns */
  column?: number;
  /** Number of an order by something that cannot be shown as a part */
  kept?: number;
  /** Largest first */
  descending?: boolean;
  /** The same in words; ignored in requests */
  label?: string;
}

/** The parts of a query */
export interface PartsOfQuery {
  /** Figures */
  measures?: Part[];
  /** Columns; with figures, what the rows are grouped by */
  columns?: Part[];
  /** Conditions that all hold */
  filters?: Part[];
  /** Order of the rows; if missing in a request: by time; without a column of time, by the first figure */
  order?: PartOrder[];
  /** Maximum number of rows; 0: all */
  limit?: number;
}

/** A column that can be chosen */
export interface PartColumn {
  /** Column as table.column */
  column: string;
  /** The same in words */
  label: string;
  /** Its table */
  table: string;
  /** Kind of its cells */
  type: "text" | "number" | "time" | "boolean" | "other";
  /** true if it is part of a key */
  key?: boolean;
  /** Figures that fit */
  figures: string[];
  /** Tests that fit */
  tests: string[];
}

/** What can be chosen; tables of the query first, then those that are joined to them */
export interface PartChoices {
  /** Tables whose rows can be counted */
  tables: string[];
  /** At most 400 columns */
  columns: PartColumn[];
}

/** An answer as parts that can be changed */
export interface Parts {
  /** Question id */
  query_id: string;
  /** Datasource */
  datasource?: string;
  /** false if the answer cannot be changed part by part */
  fits: boolean;
  /** Why not */
  reason?: string;
  /** The parts */
  parts?: PartsOfQuery;
  /** What can be chosen instead */
  choices?: PartChoices;
}

/** Changed parts */
export interface ChangeRequest {
  /** All parts of the new query, also the unchanged ones */
  parts: PartsOfQuery;
  /** Language of `text` in the answer: en, de or es; default: the header Accept-Language, then answer.language */
  language?: string | null;
}

/** A user's rating of an answer */
export interface FeedbackRequest {
  /** Whether the answer was right */
  good: boolean;
}

/** The stored rating */
export interface Verdict {
  /** Question id */
  query_id: string;
  /** good or wrong */
  verdict: string;
}

/** The question was accepted */
export interface Accepted {
  /** Id for polling, streaming and stopping */
  query_id: string;
  /** Current status */
  status: "understanding" | "searching" | "planning" | "generating" | "correcting" | "finished" | "failed" | "stopped";
  /** Conversation id */
  session_id?: string;
}

/** An error */
export interface Problem {
  /** Stable error code: TIMEOUT, SQL_INVALID ... */
  code: string;
  /** What happened */
  message: string;
  /** Details, such as the database's message */
  detail?: string;
  /** What to do */
  hint?: string;
}

/** A possible answer to a clarifying question */
export interface Option {
  /** Value to send as the answer */
  value: string;
  /** To show */
  label?: string;
}

/** Context of a clarifying question */
export interface ClarificationContext {
  /** Tables */
  tables?: string[];
  /** Table that would be used */
  selected_table?: string;
  /** Possible join conditions */
  conditions?: string[];
}

/** A clarifying question */
export interface Clarification {
  /** Always: ambiguity */
  error?: string;
  /** Topic: intent, datasource, table_selection, join_inference, detail, approval ... */
  type?: string;
  /** The question */
  message: string;
  /** Possible answers; other text is accepted, too */
  options?: Option[];
  /** Details */
  context?: ClarificationContext;
  /** Conversation id */
  session_id?: string;
  /** Id of the waiting question */
  query_id?: string;
}

/** One step of the trace */
export interface Step {
  /** State (docs/states.md) */
  state: string;
  /** Event */
  event?: string;
  /** Duration in milliseconds */
  ms?: number;
  /** Number of model calls */
  calls?: number;
  /** Tokens of prompts and replies */
  tokens?: number;
  /** Cost in US dollars */
  cost?: number;
  /** Source of the schema */
  cache?: string;
}

/** Factors of the confidence */
export interface Factors {
  /** Tables and columns exist */
  schema_match?: number;
  /** Simplicity of the query */
  complexity?: number;
  /** Clarity of the question */
  clarity?: number;
  /** Validity of the SQL */
  validity?: number;
}

/** Confidence of the answer */
export interface Confidence {
  /** The probability that the answer is right, from 0 to 1 */
  score: number;
  /** The confidence as a word */
  label: "sure" | "likely" | "unsure";
  /** Factors */
  factors?: Factors;
  /** Explanation */
  reasons?: string[];
}

/** A word of the question that the SQL does not use */
export interface UnplacedWord {
  /** The word as written */
  word: string;
  /** Position of its first byte in the question, from 0 */
  position: number;
  /** What the word seems to express */
  role: "subject" | "restriction" | "name" | "number" | "period" | "operation";
  /** Column with the most similar values */
  column?: string;
  /** Similar values */
  nearest?: string[];
}

/** A way to read the question */
export interface Reading {
  /** From 1; POST /api/v1/ask/{id}/reading takes it */
  number: number;
  /** The reading in words */
  words: string;
  /** How it differs from the others, in at most 15 words */
  differs: string;
  /** Whether the answer uses this reading */
  used: boolean;
}

/** Parts of the question */
export interface ParsedQuery {
  /** From 0 to 1 */
  confidence?: number;
  /** Entities */
  entities?: string[];
  /** Conditions */
  filters?: string[];
  /** The period */
  time_range?: string;
}

/** Structure of the query */
export interface Plan {
  /** Steps in words */
  steps?: string[];
  /** Tables */
  tables?: string[];
  /** Join conditions */
  joins?: string[];
  /** Conditions */
  filters?: string[];
  /** Aggregations */
  aggregations?: string[];
  /** Sort order */
  ordering?: string;
}

/** Diagnosis of failed SQL */
export interface Diagnosis {
  /** Kind of error */
  error_type?: string;
  /** The cause */
  root_cause?: string;
  /** Suggested correction */
  suggestion?: string;
  /** Message of the database */
  error?: string;
}

/** SQL that did not work */
export interface Attempt {
  /** The SQL */
  sql: string;
  /** Why it did not work */
  error: string;
  /** Details */
  detail?: string;
}

/** Engine that ran the query */
export interface Engine {
  /** sqlite, duckdb, postgres ... */
  name?: string;
  /** Why this one */
  reason?: string;
}

/** Use of the language model */
export interface Usage {
  /** Calls */
  calls?: number;
  /** Prompt tokens */
  tokens_in?: number;
  /** Reply tokens */
  tokens_out?: number;
  /** Both */
  tokens?: number;
  /** Cost in US dollars */
  cost?: number;
  /** Model calls saved */
  saved_calls?: number;
  /** Tokens saved */
  tokens_saved?: number;
}

/** A cell that was cut */
export interface CutCell {
  /** From 0 */
  row: number;
  /** From 0 */
  column: number;
}

/** Suitable chart */
export interface ChartChoice {
  /** bar, line ...; none: a table is better */
  kind: string;
  /** true if it says more than the table and should be shown without being asked for */
  at_once?: boolean;
  /** Why */
  reason?: string;
  /** Column number, from 0 */
  x?: number;
  /** Column number, or several */
  y?: unknown;
  /** Column number, from 0 */
  series?: number;
  /** Other suitable kinds of chart */
  alternatives?: string[];
  /** The kind of chart that the question asks for; chart: any kind, table: no chart */
  wished?: string;
  /** The column by which the question asks to stack, in words */
  by?: string;
  /** Why this is not the chart that the question asks for */
  note?: string;
}

/** The answer object (docs/api.md); for a running question, the part known so far */
export interface Answer {
  /** Question id */
  query_id: string;
  /** Conversation id */
  session_id?: string;
  /** Current status */
  status: "understanding" | "searching" | "planning" | "generating" | "correcting" | "finished" | "failed" | "stopped";
  /** State (docs/states.md) */
  state: string;
  /** Kind of answer */
  type?: "rows" | "text" | "schema" | "clarification" | "write" | "error";
  /** The question as asked */
  question?: string;
  /** The question with the context of its conversation */
  rewritten_query?: string;
  /** Intent: TEXT_TO_SQL, SCHEMA_QUERY, GENERAL ... */
  intent?: string;
  /** Parts of the question */
  parsed_query?: ParsedQuery;
  /** Datasource */
  datasource?: string;
  /** Tables read by the SQL */
  tables_used?: string[];
  /** Summary of the question in one sentence */
  summary?: string;
  /** Structure of the query */
  plan?: Plan;
  /** Reasoning */
  reasoning?: string;
  /** The checked SQL that was run */
  sql?: string;
  /** Values of a saved query, by name */
  parameters?: Record<string, unknown>;
  /** Names */
  columns?: string[];
  /** Column types, in the same order */
  column_types?: string[];
  /** Rows; each is a list in the order of the columns */
  rows?: Row[];
  /** Number of rows in this answer */
  row_count?: number;
  /** true if there are more rows, or if cells were cut */
  truncated?: boolean;
  /** sql.max_bytes ended the rows or sql.max_cell_bytes a cell; the status is 206 then */
  incomplete?: boolean;
  /** Cells that were cut, at most ten */
  cut_cells?: CutCell[];
  /** Suitable chart */
  chart?: ChartChoice;
  /** The answer in a sentence, made from the rows; or the reply in words */
  text?: string;
  /** What was done, in one sentence */
  message?: string;
  /** How it was understood: description of the SQL, or the reply in words */
  explanation?: string;
  /** Words of the question that the SQL does not use */
  unplaced?: UnplacedWord[];
  /** Assumptions about the meaning of words */
  assumptions?: string[];
  /** Ways to read the question */
  readings?: Reading[];
  /** Confidence of the answer */
  confidence?: Confidence;
  /** Probability that the built-in parser estimated */
  parser_probability?: number;
  /** Source of the SQL: parser, llm, history or user */
  brain?: string;
  /** Engine that ran the query */
  engine?: Engine;
  /** Clarifying question */
  clarification?: Clarification;
  /** Error */
  error?: Problem;
  /** The first SQL, if it was corrected */
  corrected_from?: string;
  /** Why the first SQL failed */
  diagnosis?: Diagnosis;
  /** All attempts, oldest first, if none worked */
  attempts?: Attempt[];
  /** Applied lessons */
  lessons?: string[];
  /** Warnings */
  warnings?: string[];
  /** The warnings that may name servers, models or files; warnings has them, too */
  system_warnings?: string[];
  /** Version of the schema */
  version_signature?: string;
  /** Its hash */
  schema_hash?: string;
  /** true if the schema may be outdated */
  stale?: boolean;
  /** Dates used for words such as 'last month' */
  dates_used?: string[];
  /** Suggested follow-up questions */
  follow_ups?: string[];
  /** Use of the language model */
  usage?: Usage;
  /** Number of rows that the statement changes */
  rows_touched?: number;
  /** Trace of the states */
  trace?: Step[];
}

/** A kept answer: one object that can be stored and shown again (docs/api.md) */
export interface KeptAnswer {
  /** 1 */
  version: number;
  /** Question id; the answer may no longer be stored */
  query_id?: string;
  /** The question as asked */
  question?: string;
  /** The question with the context of its conversation */
  rewritten_query?: string;
  /** The answer in a sentence */
  text?: string;
  /** Summary of the question in one sentence */
  summary?: string;
  /** The checked SQL that was run */
  sql?: string;
  /** Values of a saved query, by name */
  parameters?: Record<string, unknown>;
  /** Datasource */
  datasource?: string;
  /** Name of the datasource, for people */
  datasource_name?: string;
  /** Tables read by the SQL */
  tables_used?: string[];
  /** The chart that was chosen; absent: none */
  chart?: ChartChoice;
  /** Names */
  columns?: string[];
  /** Column types, in the same order */
  column_types?: string[];
  /** Rows; each is a list in the order of the columns */
  rows?: Row[];
  /** Number of rows here */
  row_count?: number;
  /** true if the result has more rows, or longer cells */
  truncated?: boolean;
  /** Assumptions about the meaning of words */
  assumptions?: string[];
  /** Words of the question that the SQL does not use */
  unplaced?: UnplacedWord[];
  /** Confidence of the answer */
  confidence?: Confidence;
  /** Warnings about the answer, without those in system_warnings */
  warnings?: string[];
  /** Time of the answer */
  answered_at: string;
}

/** An answer or a conversation to share; exactly one of the first two fields */
export interface ShareRequest {
  /** Question id */
  query_id?: string | null;
  /** Conversation id */
  session_id?: string | null;
  /** Kind of chart, or none; default: the one that suits the rows */
  chart?: string | null;
  /** How long the link works, in seconds; default: share.days, at most share.max_days */
  expires_in_s?: number | null;
}

/** A link */
export interface Share {
  /** Id of the link, to revoke it */
  id: string;
  /** Path of the page, to append to the address of the server; only in the reply that makes the link */
  path?: string;
  /** The whole address, if server.public_url is set; only in the reply that makes the link */
  url?: string;
  /** What it shows */
  kind: "answer" | "conversation";
  /** Id of the question or conversation */
  subject: string;
  /** The question, or the title of the conversation */
  title: string;
  /** Who made it */
  account?: string;
  /** false: it cannot be opened at the moment, for example because a datasource was removed */
  works: boolean;
  /** When it was made */
  created_at: string;
  /** When the link expires */
  expires_at: string;
  /** How often it was opened */
  opens: number;
  /** When it was opened last */
  last_opened_at?: string;
}

/** Links */
export interface Shares {
  /** Links that have not expired, newest first */
  shares: Share[];
}

/** A new conversation */
export interface SessionRequest {
  /** Datasource of the whole conversation */
  datasource?: string | null;
  /** Alias of datasource */
  dataset_id?: string | null;
  /** Title; default: the first question */
  title?: string | null;
}

/** Changes of a conversation */
export interface SessionChange {
  /** New title, at most 400 bytes */
  title: string;
}

/** A message of a conversation */
export interface Message {
  /** Who said it */
  role: "user" | "assistant";
  /** Text of the message */
  content: string;
  /** Question id */
  query_id?: string;
  /** SQL of the answer */
  sql_query?: string | null;
  /** Time of the message */
  timestamp?: string;
}

/** A question of a conversation that is still being answered */
export interface Running {
  /** Question id, to follow it */
  query_id: string;
  /** The question */
  content: string;
  /** When it was asked */
  timestamp?: string;
}

/** A conversation */
export interface Session {
  /** Its id */
  session_id: string;
  /** Datasource of the conversation */
  datasource?: string;
  /** Title or first question */
  title?: string;
  /** Time of creation */
  created_at?: string;
  /** Time of the last message */
  last_activity?: string;
  /** Messages, oldest first */
  messages?: Message[];
  /** Questions that are still being answered, oldest first; their messages follow */
  running?: Running[];
}

/** A list of conversations */
export interface Sessions {
  /** Newest first, at most ?limit= (1000), starting at ?offset= */
  sessions: Session[];
  /** Total number */
  total?: number;
}

/** A datasource */
export interface Datasource {
  /** Name */
  id: string;
  /** sqlite, duckdb, postgres ... */
  kind?: string;
  /** URL without secrets; administrators only */
  url?: string;
  /** Description */
  description?: string;
  /** Data may be changed after approval */
  writable?: boolean;
  /** Added at run time; administrators only */
  added?: boolean;
}

/** Datasources */
export interface Datasources {
  /** Datasources that the key may use */
  datasources: Datasource[];
}

/** A state of a question */
export interface State {
  /** Name */
  name: string;
  /** Public status */
  status: "understanding" | "searching" | "planning" | "generating" | "correcting" | "finished" | "failed" | "stopped";
  /** What works in this state: the program, the model or nothing */
  shape?: string;
  /** Description */
  title: string;
  /** Final state */
  final?: boolean;
}

/** A transition */
export interface Move {
  /** The state */
  from: string;
  /** Event */
  event: string;
  /** Next state */
  to: string;
}

/** States and transitions of a question */
export interface States {
  /** States in their usual order */
  states?: State[];
  /** Transitions */
  moves?: Move[];
}

/** Rows of a result */
export interface Page {
  /** Column names; two may be equal */
  columns: string[];
  /** Rows; each is a list in the order of the columns */
  rows: Row[];
  /** Number of rows in this page */
  row_count: number;
  /** Number of the first row, from 0 */
  offset?: number;
  /** true if there are further rows */
  more?: boolean;
  /** Total number of rows */
  total?: number;
  /** Lower bound of the total, if counting was stopped early */
  total_at_least?: number;
  /** true if there were more rows */
  truncated?: boolean;
}

/** A chart */
export interface Chart {
  /** kind, title, reason, spec (Vega-Lite v5 with the data inline) */
  chart: Record<string, unknown>;
  /** Other suitable kinds of chart */
  alternatives: string[];
}

/** SQL in words */
export interface Explanation {
  /** Description of the SQL */
  explanation?: string;
}

/** A datasource to add */
export interface SourceRequest {
  /** Id; default: derived from the URL */
  id?: string | null;
  /** URL; never shown again */
  url: string;
  /** Description */
  description?: string | null;
}

/** A datasource to test */
export interface SourceTryRequest {
  /** URL; not stored */
  url: string;
}

/** A datasource */
export interface Source {
  /** Name */
  id: string;
  /** Description */
  description?: string;
  /** Added at run time */
  added?: boolean;
}

/** Result of a test */
export interface Checks {
  /** true if everything works */
  ok: boolean;
  /** name, ok, text, hint, ms, warning, lines (statements to copy) each */
  checks: unknown[];
}

/** A column */
export interface Column {
  /** Name */
  name: string;
  /** Type, as the database names it */
  type?: string;
  /** Whether NULL is allowed */
  nullable?: boolean;
  /** Part of the primary key */
  primary?: boolean;
  /** Comment of the database, or description by users */
  comment?: string;
  /** Synonyms */
  synonyms?: string[];
  /** Sample values */
  samples?: string[];
  /** Approximate number of distinct values */
  distinct?: number;
  /** Share of NULL, from 0 to 1 */
  null_share?: number;
  /** Minimum */
  min?: string;
  /** Maximum */
  max?: string;
}

/** A reference to another table */
export interface ForeignKey {
  /** Columns of this table */
  columns: string[];
  /** Referenced table */
  table: string;
  /** Referenced columns */
  references?: string[];
  /** 1: declared; less: probable */
  confidence?: number;
}

/** A table or view */
export interface Table {
  /** Name */
  name: string;
  /** table, view ... */
  kind?: string;
  /** Comment of the database, or description by users */
  comment?: string;
  /** Synonyms */
  synonyms?: string[];
  /** Number of rows */
  row_count?: number;
  /** true if counted, false if estimated */
  row_count_exact?: boolean;
  /** Columns */
  columns: Column[];
  /** References to other tables */
  foreign_keys?: ForeignKey[];
}

/** A schema */
export interface Schema {
  /** Datasource */
  datasource?: string;
  /** SQL dialect */
  dialect?: string;
  /** Version of the schema */
  signature?: string;
  /** Time of reading, in seconds since 1970 */
  read_at?: number;
  /** Tables */
  tables?: Table[];
}

/** Changes of a schema */
export interface Changes {
  /** change, what, table, name, from, to each */
  changes: unknown[];
  /** Current version */
  signature?: string;
  /** Time when the previous version was read */
  since?: string;
}

/** Descriptions of tables */
export interface Dictionary {
  /** By table name: description, synonyms, columns */
  tables: Record<string, unknown>;
}

/** A description */
export interface DescribeRequest {
  /** The table */
  table: string;
  /** Column; if missing, the table is described */
  column?: string | null;
  /** Description */
  description?: string | null;
  /** Synonyms */
  synonyms?: unknown[] | null;
}

/** Suggested questions */
export interface Suggestions {
  /** Questions in plain language */
  questions: string[];
}

/** Imported files */
export interface Datasets {
  /** id, name, file, bytes, created_at, rejected each */
  datasets: unknown[];
}

/** An imported file */
export interface Dataset {
  /** Its id */
  id: string;
  /** Name; ask with the datasource dataset:NAME */
  name: string;
  /** Source file */
  file?: string;
  /** Size after the import */
  bytes?: number;
  /** table_name, columns, row_count, tables */
  schema?: Record<string, unknown>;
  /** Warnings */
  warnings?: string[];
  /** Rows that could not be converted */
  rejects?: unknown[];
}

/** Earlier questions */
export interface History {
  /** query_id, question, datasource, status, sql, created_at, brain, row_count each */
  questions: unknown[];
  /** Total number */
  total: number;
}

/** A query to save */
export interface SavedRequest {
  /** Name */
  name: string;
  /** One reading statement; :name is a parameter */
  sql: string;
  /** Question that it answers */
  question?: string | null;
  /** Datasource */
  datasource?: string | null;
  /** name, type (text integer number date boolean), default each */
  parameters?: unknown[] | null;
}

/** Changes of a saved query */
export interface SavedChange {
  /** A new name */
  name?: string | null;
  /** New SQL */
  sql?: string | null;
  /** Question that it answers */
  question?: string | null;
  /** Datasource */
  datasource?: string | null;
  /** name, type, default each */
  parameters?: unknown[] | null;
}

/** Parameter values of a saved query */
export interface SavedRun {
  /** Values by name */
  parameters?: Record<string, unknown> | null;
  /** Conversation id */
  session_id?: string | null;
}

/** A saved query */
export interface Saved {
  /** Its id */
  id: string;
  /** Name */
  name: string;
  /** Question that it answers */
  question?: string;
  /** SQL */
  sql: string;
  /** Datasource */
  datasource?: string;
  /** name, type, default each */
  parameters: unknown[];
}

/** Saved queries */
export interface SavedList {
  /** Saved queries, by name */
  saved: Saved[];
}

/** A lesson */
export interface LessonRequest {
  /** table_mapping column_mapping error_pattern query_pattern */
  kind: string;
  /** The word or text */
  schema_name: string;
  /** Its meaning */
  actual_name?: string | null;
  /** For table mappings: add_prefix:PROD_ */
  transformation_rule?: string | null;
  /** From 0 to 1 */
  confidence?: number | null;
  /** Datasource */
  datasource?: string | null;
}

/** Changes of a lesson */
export interface LessonChange {
  /** false: kept, but not applied */
  enabled?: boolean | null;
  /** Its meaning */
  actual_name?: string | null;
  /** From 0 to 1 */
  confidence?: number | null;
}

/** A lesson */
export interface Lesson {
  /** Its id */
  id: string;
  /** Kind of lesson */
  kind: string;
  /** The word or text */
  schema_name: string;
  /** Its meaning */
  actual_name: string;
  /** Whether it is applied */
  enabled?: boolean;
  /** From 0 to 1 */
  confidence?: number;
  /** Number of uses */
  usage_count?: number;
  /** Share of successful uses, from 0 to 1 */
  success_rate?: number;
}

/** Lessons */
export interface Lessons {
  /** All lessons of the account */
  lessons: Lesson[];
}

/** Result of an import */
export interface Imported {
  /** How many */
  imported: number;
}

/** A question and its SQL */
export interface TaughtRequest {
  /** The question */
  question: string;
  /** SQL that answers it */
  sql: string;
  /** Datasource */
  datasource?: string | null;
}

/** Questions taught with their SQL */
export interface Taught {
  /** id, question, sql, datasource, source, confidence, usage_count, enabled each */
  taught: unknown[];
}

/** Settings */
export interface Settings {
  /** Values by key; secrets are *** */
  settings: Record<string, unknown>;
  /** Settings that can be changed at run time */
  changeable?: unknown[];
  /** Settings that were changed at run time */
  changed?: unknown[];
}

/** Settings to change at run time */
export interface SettingsChange {
  /** Values by setting; null restores the configured value. llm.key is an environment variable: ${OPENAI_API_KEY} */
  settings: Record<string, unknown>;
}

/** Result of a test of the model */
export interface ModelTest {
  /** true if the model responds */
  ok: boolean;
  /** Model name, or the error */
  text: string;
  /** Duration in milliseconds */
  ms: number;
}

/** The caller */
export interface Me {
  /** Account of the key; null on a server without keys */
  account: unknown;
  /** read, ask, admin */
  scopes: unknown[];
  /** Datasources of the key, separated by commas; missing: all */
  datasources?: string;
  /** true if the server requires no key */
  open: boolean;
  /** true for a person who signed in on the page */
  signed_in: boolean;
  /** How long a link works by default, in days; absent: links are off */
  share_days?: number;
  /** How long a link may work at most, in days */
  share_max_days?: number;
}

/** Signing in on the page */
export interface SignIn {
  /** true if people can sign in at /auth/sign-in */
  sign_in: boolean;
}

/** Signed out */
export interface SignedOut {
  /** A word */
  status: string;
  /** Where the browser goes to sign out at the issuer as well */
  issuer_url?: string;
}

/** Where tokens for this server come from */
export interface Resource {
  /** URL of this server */
  resource: string;
  /** Issuers */
  authorization_servers: string[];
  /** Scopes that tokens may have */
  scopes_supported: string[];
  /** How a token is sent: header */
  bearer_methods_supported: string[];
}

/** Confirmation */
export interface Status {
  /** A word */
  status: string;
}

/** A new session */
export interface AgentsStartRequest {
  /** Dataset or datasource */
  dataset_id: string;
}

/** The session */
export interface AgentsStarted {
  /** Its id */
  session_id: string;
  /** table_name, columns, row_count; tables for more than one */
  schema: Record<string, unknown>;
  /** What could be asked */
  sample_questions: string[];
}

/** A message */
export interface AgentsChatRequest {
  /** Session id */
  session_id: string;
  /** A question, or the answer to a clarifying question */
  message: string;
}

/** The answer */
export interface AgentsAnswer {
  /** success, clarification_needed or error */
  status: string;
  /** What was done, in words */
  message: string;
  /** The answer in a sentence, made from the rows; or the reply in words */
  text?: string;
  /** SQL that was run */
  sql_query?: string;
  /** Rows as objects */
  results?: unknown[];
  /** Names */
  columns?: unknown[];
  /** Number of rows in results */
  row_count?: number;
  /** Facts */
  error_details?: string;
  /** Options of a clarifying question, with value and label; the number of an option is a valid answer, too */
  options?: unknown[];
  /** Question id, for /api/v1/ask/{id} */
  query_id?: string;
  /** Confidence of the answer */
  confidence?: Confidence;
  /** Warnings */
  warnings?: string[];
  /** Assumptions about the meaning of words */
  assumptions?: string[];
  /** Words of the question that the SQL does not use */
  unplaced?: UnplacedWord[];
  /** Ways to read the question */
  readings?: Reading[];
  /** All attempts, oldest first, if none worked */
  attempts?: Attempt[];
}

/** A session */
export interface AgentsSession {
  /** Its id */
  session_id: string;
  /** Dataset or datasource */
  dataset_id?: string;
  /** Schema, as in the reply that created the session */
  schema?: Record<string, unknown>;
  /** role, content, sql_query, timestamp each */
  messages: unknown[];
  /** Time of creation */
  created_at: string;
  /** Time of the last message */
  last_activity: string;
}

/** Confirmation */
export interface AgentsStatus {
  /** success */
  status: string;
  /** Confirmation */
  message: string;
}

/** Health of the service */
export interface AgentsHealth {
  /** healthy or unhealthy */
  status: string;
  /** text_to_sql_agent */
  service: string;
  /** Version of dragoman */
  version: string;
  /** Number of active sessions */
  active_sessions: number;
}

/** Error message */
export interface Error {
  /** Why */
  error: Problem;
}

/** An access key to create */
export interface KeyRequest {
  /** Account: letters, digits, _ and - */
  account: string;
  /** Purpose */
  label?: string | null;
  /** read, ask, admin; without it ask */
  scopes?: unknown[] | null;
  /** Only these datasources; default: all */
  datasources?: unknown[] | null;
  /** Requests per minute; 0: no limit, here and below */
  rate_per_minute?: number | null;
  /** Questions at the same time */
  concurrent?: number | null;
  /** Model tokens per day */
  daily_tokens?: number | null;
  /** Seconds until the key expires; 0: never */
  expires_in_s?: number | null;
}

/** A key */
export interface Key {
  /** Its id */
  id: string;
  /** Account */
  account: string;
  /** The key itself, only in the reply that creates it */
  key?: string;
  /** Purpose */
  label?: string;
  /** Permissions */
  scopes: unknown[];
  /** Only these datasources; missing: all */
  datasources?: unknown[];
  /** Whether it has expired or was revoked */
  expired?: boolean;
}

/** Keys */
export interface Keys {
  /** Access keys without the keys themselves, and when each was last used */
  keys: Key[];
}

/** A conversation. Other fields are accepted and ignored */
export interface ChatCompletionRequest {
  /** Id of a datasource, dataset:NAME, or dragoman to find the right one */
  model: string;
  /** The conversation; the last message is the question */
  messages: ChatMessage[];
  /** Reply with a stream of chunks (SSE) */
  stream?: boolean | null;
  /** Options of the stream */
  stream_options?: StreamOptions;
}

/** A message */
export interface ChatMessage {
  /** Who said it; system messages are not obeyed */
  role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
  /** A text, or a list of parts with type and text */
  content?: unknown;
}

/** Options of a stream */
export interface StreamOptions {
  /** End the stream with a chunk that has the usage */
  include_usage?: boolean;
}

/** Tokens of the language model; 0 if none was used */
export interface ChatUsage {
  /** Tokens of prompts */
  prompt_tokens: number;
  /** Tokens of the model's replies */
  completion_tokens: number;
  /** Both */
  total_tokens: number;
}

/** A message of the assistant */
export interface ChatReply {
  /** assistant */
  role: string;
  /** The answer as Markdown, or a clarifying question with numbered options */
  content: string;
  /** Always null */
  refusal?: string | null;
}

/** The answer */
export interface ChatChoice {
  /** Always 0 */
  index: number;
  /** The message */
  message: ChatReply;
  /** Always null */
  logprobs?: Record<string, unknown> | null;
  /** stop */
  finish_reason: string;
}

/** The reply to a conversation */
export interface ChatCompletion {
  /** Its id */
  id: string;
  /** chat.completion */
  object: string;
  /** Time, in seconds since 1970 */
  created: number;
  /** The model that was requested */
  model: string;
  /** Always null */
  system_fingerprint?: string | null;
  /** One choice */
  choices: ChatChoice[];
  /** Use of the language model */
  usage: ChatUsage;
  /** Question id, for /api/v1/ask/{id}; missing if nothing was asked */
  query_id?: string;
  /** Conversation id */
  session_id?: string;
}

/** A conversation. Other fields are accepted and ignored */
export interface ResponseRequest {
  /** Id of a datasource, dataset:NAME, or dragoman to find the right one */
  model: string;
  /** The question, or a list of messages with role and content */
  input: unknown;
  /** Id of the response that this one continues */
  previous_response_id?: string | null;
  /** Reply with a stream of events (SSE) */
  stream?: boolean | null;
}

/** A part of a message */
export interface ResponsePart {
  /** output_text */
  type: string;
  /** The answer as Markdown, or a clarifying question with numbered options */
  text: string;
  /** Always empty */
  annotations: unknown[];
  /** Always empty */
  logprobs?: unknown[];
}

/** A message of the assistant */
export interface ResponseItem {
  /** Its id */
  id: string;
  /** message */
  type: string;
  /** completed */
  status: string;
  /** assistant */
  role: string;
  /** One part */
  content: ResponsePart[];
}

/** Tokens of the language model; 0 if none was used */
export interface ResponseUsage {
  /** Tokens of prompts */
  input_tokens: number;
  /** cached_tokens: always 0 */
  input_tokens_details?: Record<string, unknown>;
  /** Tokens of the model's replies */
  output_tokens: number;
  /** reasoning_tokens: always 0 */
  output_tokens_details?: Record<string, unknown>;
  /** Both */
  total_tokens: number;
}

/** The reply to a conversation. Fields about what cannot be chosen here are left out of this list */
export interface Response {
  /** Its id, for previous_response_id */
  id: string;
  /** response */
  object: string;
  /** Time, in seconds since 1970 */
  created_at: number;
  /** completed; the other words are in events only */
  status: "in_progress" | "completed" | "failed";
  /** The model that was requested */
  model: string;
  /** Null; in the event response.failed, the error */
  error?: Record<string, unknown> | null;
  /** One message */
  output: ResponseItem[];
  /** Use of the language model */
  usage: ResponseUsage;
  /** Question id, for /api/v1/ask/{id}; missing if nothing was asked */
  query_id?: string;
  /** Conversation id */
  session_id?: string;
}

/** A model: a datasource, or dragoman */
export interface Model {
  /** Its id */
  id: string;
  /** model */
  object: string;
  /** Time, in seconds since 1970 */
  created: number;
  /** dragoman */
  owned_by: string;
}

/** Models */
export interface Models {
  /** list */
  object: string;
  /** dragoman, the datasources that the key may use, and the datasets of the account as dataset:NAME */
  data: Model[];
}

/** An error */
export interface OpenAIProblem {
  /** What happened, and what to do */
  message: string;
  /** Kind of error */
  type: string;
  /** Field that is wrong */
  param?: string | null;
  /** Stable error code */
  code: string;
}

/** Error message of the routes below /v1 */
export interface OpenAIError {
  /** Why */
  error: OpenAIProblem;
}
