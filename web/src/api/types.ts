// Made by tools/types.mjs from what `dragoman serve --openapi` says. Do not edit.

export type Cell = string | number | boolean | null | object;
export type Row = readonly Cell[];

/** A question in plain language */
export interface AskRequest {
  /** The question */
  query: string;
  /** Which datasource; without it the only one, or the one the question means */
  datasource?: string | null;
  /** The same by its other name */
  dataset_id?: string | null;
  /** The conversation it belongs to */
  session_id?: string | null;
  /** Who writes the SQL: auto, parser or llm */
  brain?: string | null;
  /** Leave out the plan before the SQL */
  ignore_sql_reasoning?: boolean | null;
  /** false: correct SQL without looking for the cause first */
  allow_sql_diagnosis?: boolean | null;
  /** A write may be proposed; it runs only once approved */
  allow_write?: boolean | null;
  /** Stop once the SQL is checked */
  dry_run?: boolean | null;
  /** Do not reuse the SQL of an earlier, equal question */
  no_cache?: boolean | null;
  /** false: do not apply lessons */
  apply_memory?: boolean | null;
  /** Not the answer to a question that waits, whatever it says */
  new_question?: boolean | null;
}

/** A message of a conversation */
export interface ChatRequest {
  /** The question, or the answer to a question back */
  message: string;
  /** Which datasource */
  datasource?: string | null;
  /** The same by its other name */
  dataset_id?: string | null;
  /** The conversation; without it a question by itself */
  session_id?: string | null;
  /** Who writes the SQL: auto, parser or llm */
  brain?: string | null;
  /** Leave out the plan before the SQL */
  ignore_sql_reasoning?: boolean | null;
  /** false: correct SQL without looking for the cause first */
  allow_sql_diagnosis?: boolean | null;
  /** A write may be proposed; it runs only once approved */
  allow_write?: boolean | null;
  /** Stop once the SQL is checked */
  dry_run?: boolean | null;
  /** Do not reuse the SQL of an earlier, equal question */
  no_cache?: boolean | null;
  /** false: do not apply lessons */
  apply_memory?: boolean | null;
  /** Not the answer to a question that waits, whatever it says */
  new_question?: boolean | null;
}

/** A person's own SQL */
export interface SqlRequest {
  /** One statement */
  sql: string;
  /** Which datasource */
  datasource?: string | null;
  /** The conversation it belongs to */
  session_id?: string | null;
  /** A write may be proposed; it runs only once approved */
  allow_write?: boolean | null;
  /** Wait for the answer: 200 with the answer object, not 202 */
  wait?: boolean | null;
}

/** What is said to a question that asked back; one of the three */
export interface AnswerRequest {
  /** Words */
  text?: string | null;
  /** An option's value, or its number */
  option?: unknown;
  /** A structured correction, or words (docs/api.md) */
  correction?: unknown;
  /** Not an answer but a question of its own, whatever it says */
  new_question?: boolean | null;
}

/** A decision */
export interface ApproveRequest {
  /** Run it? */
  approved: boolean;
}

/** Which reading is meant */
export interface ReadingRequest {
  /** Its number in `readings` of the answer, or of an option if the question waits */
  reading: number;
}

/** A person's word on an answer */
export interface FeedbackRequest {
  /** Was it right? */
  good: boolean;
}

/** What was noted */
export interface Verdict {
  /** Of this question */
  query_id: string;
  /** good or wrong */
  verdict: string;
}

/** The question is on its way */
export interface Accepted {
  /** Poll, stream or stop it by this id */
  query_id: string;
  /** How far it is */
  status: "understanding" | "searching" | "planning" | "generating" | "correcting" | "finished" | "failed" | "stopped";
  /** The conversation it belongs to */
  session_id?: string;
}

/** Why something failed */
export interface Problem {
  /** A name that stays the same: TIMEOUT, SQL_INVALID ... */
  code: string;
  /** What happened */
  message: string;
  /** Facts, such as the database's own message */
  detail?: string;
  /** What to do about it */
  hint?: string;
}

/** A possible answer to a question back */
export interface Option {
  /** To send as the answer */
  value: string;
  /** To show */
  label?: string;
}

/** What a question back is about */
export interface ClarificationContext {
  /** Tables */
  tables?: string[];
  /** The table that would be used */
  selected_table?: string;
  /** Possible join conditions */
  conditions?: string[];
}

/** A question back to the user */
export interface Clarification {
  /** Always: ambiguity */
  error?: string;
  /** What it is about: intent, datasource, table_selection, join_inference, detail, approval ... */
  type?: string;
  /** The question */
  message: string;
  /** Possible answers; other words are accepted, too */
  options?: Option[];
  /** What it is about */
  context?: ClarificationContext;
  /** The conversation */
  session_id?: string;
  /** The question that waits for the answer */
  query_id?: string;
}

/** One state that the question went through */
export interface Step {
  /** Its name (docs/states.md) */
  state: string;
  /** What happened there */
  event?: string;
  /** How long it took */
  ms?: number;
  /** Calls of the model */
  calls?: number;
  /** Tokens of the model, both ways */
  tokens?: number;
  /** What they cost */
  cost?: number;
  /** Where the schema came from */
  cache?: string;
}

/** What a confidence is made of */
export interface Factors {
  /** Do the tables and columns exist? */
  schema_match?: number;
  /** Is the query simple? */
  complexity?: number;
  /** Was the question clear? */
  clarity?: number;
  /** Is the SQL valid? */
  validity?: number;
}

/** How likely the answer is right */
export interface Confidence {
  /** The probability that the answer is right, from 0 to 1 */
  score: number;
  /** The same in a word */
  label: "sure" | "likely" | "unsure";
  /** What it is made of */
  factors?: Factors;
  /** The same in words */
  reasons?: string[];
}

/** A word of the question that the SQL does not account for */
export interface UnplacedWord {
  /** As it was written */
  word: string;
  /** Its first byte in the question, from 0 */
  position: number;
  /** What it seems to say */
  role: "subject" | "restriction" | "name" | "number" | "period" | "operation";
  /** The column whose values are the nearest */
  column?: string;
  /** What may have been meant */
  nearest?: string[];
}

/** A way to read the question */
export interface Reading {
  /** From 1; POST /api/v1/ask/{id}/reading takes it */
  number: number;
  /** What it asks for */
  words: string;
  /** What it says that the others do not, in at most 15 words */
  differs: string;
  /** Is the answer by this one? */
  used: boolean;
}

/** What the question says */
export interface ParsedQuery {
  /** From 0 to 1 */
  confidence?: number;
  /** Things that it names */
  entities?: string[];
  /** Conditions */
  filters?: string[];
  /** The period */
  time_range?: string;
}

/** How the query is built */
export interface Plan {
  /** In words */
  steps?: string[];
  /** Tables */
  tables?: string[];
  /** Join conditions */
  joins?: string[];
  /** Conditions */
  filters?: string[];
  /** Totals, counts, averages */
  aggregations?: string[];
  /** The order of the rows */
  ordering?: string;
}

/** Why SQL failed */
export interface Diagnosis {
  /** The kind of mistake */
  error_type?: string;
  /** The cause */
  root_cause?: string;
  /** What would be right */
  suggestion?: string;
  /** The database's message */
  error?: string;
}

/** What ran the query */
export interface Engine {
  /** sqlite, duckdb, postgres ... */
  name?: string;
  /** Why this one */
  reason?: string;
}

/** What the language model was used for */
export interface Usage {
  /** Calls */
  calls?: number;
  /** Tokens of prompts */
  tokens_in?: number;
  /** Tokens of replies */
  tokens_out?: number;
  /** Both */
  tokens?: number;
  /** What they cost */
  cost?: number;
  /** Calls that were not needed */
  saved_calls?: number;
  /** Tokens that were not needed */
  tokens_saved?: number;
}

/** A cell of which only the beginning is shown */
export interface CutCell {
  /** From 0 */
  row: number;
  /** From 0 */
  column: number;
}

/** The chart that fits the rows */
export interface ChartChoice {
  /** bar, line ...; none: a table is better */
  kind: string;
  /** Why */
  reason?: string;
  /** The number of a column, from 0 */
  x?: number;
  /** The number of a column, or several */
  y?: unknown;
  /** The number of a column, from 0 */
  series?: number;
  /** Kinds that would fit as well */
  alternatives?: string[];
}

/** The answer object (docs/api.md); of a running question what is known so far */
export interface Answer {
  /** Names the question */
  query_id: string;
  /** The conversation it belongs to */
  session_id?: string;
  /** How far it is */
  status: "understanding" | "searching" | "planning" | "generating" | "correcting" | "finished" | "failed" | "stopped";
  /** The state it is in (docs/states.md) */
  state: string;
  /** What kind of answer this is */
  type?: "rows" | "text" | "schema" | "clarification" | "write" | "error";
  /** As it was asked */
  question?: string;
  /** As it was understood in its conversation */
  rewritten_query?: string;
  /** What is wanted: TEXT_TO_SQL, SCHEMA_QUERY, GENERAL ... */
  intent?: string;
  /** What the question says */
  parsed_query?: ParsedQuery;
  /** Which datasource was asked */
  datasource?: string;
  /** Tables that the SQL reads */
  tables_used?: string[];
  /** What is asked for, in a sentence */
  summary?: string;
  /** How the query is built */
  plan?: Plan;
  /** Why it is built so */
  reasoning?: string;
  /** What was checked, and run */
  sql?: string;
  /** Names */
  columns?: string[];
  /** Types, in the same order */
  column_types?: string[];
  /** Lists in the order of the columns */
  rows?: Row[];
  /** Rows in this answer */
  row_count?: number;
  /** There were more rows, or longer cells */
  truncated?: boolean;
  /** sql.max_bytes ended the rows or sql.max_cell_bytes a cell; the status is 206 then */
  incomplete?: boolean;
  /** Cells of which only the beginning is here; ten at most */
  cut_cells?: CutCell[];
  /** The chart that fits the rows */
  chart?: ChartChoice;
  /** What was done, in a sentence */
  message?: string;
  /** The SQL in words, or the reply */
  explanation?: string;
  /** Words of the question that the SQL does not account for */
  unplaced?: UnplacedWord[];
  /** What words were taken to mean */
  assumptions?: string[];
  /** How else the question may be read */
  readings?: Reading[];
  /** How likely the answer is right */
  confidence?: Confidence;
  /** How sure the built-in parser was */
  parser_probability?: number;
  /** Who wrote the SQL: parser, llm, history or user */
  brain?: string;
  /** What ran the query */
  engine?: Engine;
  /** A question back */
  clarification?: Clarification;
  /** Why it failed */
  error?: Problem;
  /** The first SQL, if it had to be corrected */
  corrected_from?: string;
  /** Why that failed */
  diagnosis?: Diagnosis;
  /** Lessons that were applied */
  lessons?: string[];
  /** What to keep in mind */
  warnings?: string[];
  /** The version of the schema */
  version_signature?: string;
  /** Its hash */
  schema_hash?: string;
  /** The schema may have changed since it was read */
  stale?: boolean;
  /** Dates that words such as 'last month' became */
  dates_used?: string[];
  /** What could be asked next */
  follow_ups?: string[];
  /** What the language model was used for */
  usage?: Usage;
  /** Rows that a write changes */
  rows_touched?: number;
  /** The path through the states */
  trace?: Step[];
}

/** A new conversation */
export interface SessionRequest {
  /** Which datasource it stays on */
  datasource?: string | null;
  /** The same by its other name */
  dataset_id?: string | null;
  /** Without it that of its first question */
  title?: string | null;
}

/** What is changed of a conversation */
export interface SessionChange {
  /** At most 400 bytes */
  title: string;
}

/** A message of a conversation */
export interface Message {
  /** Who said it */
  role: "user" | "assistant";
  /** The words */
  content: string;
  /** The question it belongs to */
  query_id?: string;
  /** The SQL of the answer */
  sql_query?: string | null;
  /** When it was said */
  timestamp?: string;
}

/** A conversation */
export interface Session {
  /** Its id */
  session_id: string;
  /** The datasource it stays on */
  datasource?: string;
  /** Its first question */
  title?: string;
  /** When it began */
  created_at?: string;
  /** When something was said last */
  last_activity?: string;
  /** The oldest first */
  messages?: Message[];
}

/** Conversations */
export interface Sessions {
  /** The newest first, at most ?limit= (1000) from ?offset= on */
  sessions: Session[];
  /** How many there are */
  total?: number;
}

/** A datasource that can be asked */
export interface Datasource {
  /** Its name */
  id: string;
  /** sqlite, duckdb, postgres ... */
  kind?: string;
  /** Where it is, without secrets; for administrators only */
  url?: string;
  /** What it contains */
  description?: string;
  /** Writes may be approved */
  writable?: boolean;
  /** Added at run time; for administrators only */
  added?: boolean;
}

/** Datasources */
export interface Datasources {
  /** Those that the key may ask */
  datasources: Datasource[];
}

/** A state of a question */
export interface State {
  /** Its name */
  name: string;
  /** The status that clients see */
  status: "understanding" | "searching" | "planning" | "generating" | "correcting" | "finished" | "failed" | "stopped";
  /** Who works: the program, the model or nobody */
  shape?: string;
  /** What it does, in words */
  title: string;
  /** Nothing follows */
  final?: boolean;
}

/** What follows a state */
export interface Move {
  /** The state */
  from: string;
  /** What happened there */
  event: string;
  /** The next state */
  to: string;
}

/** The states of a question */
export interface States {
  /** In their usual order */
  states?: State[];
  /** What follows what */
  moves?: Move[];
}

/** Rows of a result */
export interface Page {
  /** Names; two may be equal */
  columns: string[];
  /** Lists in the order of the columns */
  rows: Row[];
  /** Rows in this page */
  row_count: number;
  /** Where it begins */
  offset?: number;
  /** There are rows behind it */
  more?: boolean;
  /** Rows in all */
  total?: number;
  /** When counting them ended early */
  total_at_least?: number;
  /** There were more */
  truncated?: boolean;
}

/** A chart */
export interface Chart {
  /** kind, title, reason, spec (Vega-Lite v5 with the data inline) */
  chart: Record<string, unknown>;
  /** Kinds that would fit as well */
  alternatives: string[];
}

/** SQL in words */
export interface Explanation {
  /** The words */
  explanation?: string;
}

/** A datasource to add */
export interface SourceRequest {
  /** Its name; without it made from the URL */
  id?: string | null;
  /** Where it is; never shown again */
  url: string;
  /** What it holds */
  description?: string | null;
}

/** A datasource to try */
export interface SourceTryRequest {
  /** Where it is; it is not kept */
  url: string;
}

/** A datasource */
export interface Source {
  /** Its name */
  id: string;
  /** What it holds */
  description?: string;
  /** At run time */
  added?: boolean;
}

/** What an examination found */
export interface Checks {
  /** All is well */
  ok: boolean;
  /** name, ok, text, hint, ms, warning, lines (statements to copy) each */
  checks: unknown[];
}

/** A column */
export interface Column {
  /** Its name */
  name: string;
  /** Its type, as the database calls it */
  type?: string;
  /** Cells may be NULL */
  nullable?: boolean;
  /** Part of the primary key */
  primary?: boolean;
  /** What the database or people say about it */
  comment?: string;
  /** Other words for it */
  synonyms?: string[];
  /** Some of its values */
  samples?: string[];
  /** How many different values it has, about */
  distinct?: number;
  /** The share of cells that are NULL, from 0 to 1 */
  null_share?: number;
  /** The smallest value */
  min?: string;
  /** The largest value */
  max?: string;
}

/** A reference to another table */
export interface ForeignKey {
  /** Columns of this table */
  columns: string[];
  /** The other table */
  table: string;
  /** Columns of the other table */
  references?: string[];
  /** Below 1: it is not declared, but likely */
  confidence?: number;
}

/** A table or view */
export interface Table {
  /** Its name */
  name: string;
  /** table, view ... */
  kind?: string;
  /** What the database or people say about it */
  comment?: string;
  /** Other words for it */
  synonyms?: string[];
  /** How many rows it has */
  row_count?: number;
  /** They were counted; otherwise estimated */
  row_count_exact?: boolean;
  /** Its columns */
  columns: Column[];
  /** Its references to other tables */
  foreign_keys?: ForeignKey[];
}

/** Tables and columns */
export interface Schema {
  /** Of this datasource */
  datasource?: string;
  /** Its dialect of SQL */
  dialect?: string;
  /** The version of the schema */
  signature?: string;
  /** When it was read, in seconds since 1970 */
  read_at?: number;
  /** Its tables */
  tables?: Table[];
}

/** What has changed in a schema */
export interface Changes {
  /** change, what, table, name, from, to each */
  changes: unknown[];
  /** The version as it is now */
  signature?: string;
  /** When the version before was read */
  since?: string;
}

/** What people have said of tables */
export interface Dictionary {
  /** By name: description, synonyms, columns */
  tables: Record<string, unknown>;
}

/** A description */
export interface DescribeRequest {
  /** The table */
  table: string;
  /** The column; without it the table is described */
  column?: string | null;
  /** What it is */
  description?: string | null;
  /** Other words for it */
  synonyms?: unknown[] | null;
}

/** Questions that a schema suggests */
export interface Suggestions {
  /** In plain language */
  questions: string[];
}

/** Files that were brought */
export interface Datasets {
  /** id, name, file, bytes, created_at, rejected each */
  datasets: unknown[];
}

/** A file that was brought */
export interface Dataset {
  /** Its id */
  id: string;
  /** Its name; to ask it, the datasource dataset:NAME */
  name: string;
  /** What it was made from */
  file?: string;
  /** Of the imported form */
  bytes?: number;
  /** table_name, columns, row_count, tables */
  schema?: Record<string, unknown>;
  /** What to keep in mind */
  warnings?: string[];
  /** Rows that could not be read */
  rejects?: unknown[];
}

/** What was asked */
export interface History {
  /** query_id, question, datasource, status, sql, created_at, brain, row_count each */
  questions: unknown[];
  /** How many there are */
  total: number;
}

/** A query to save */
export interface SavedRequest {
  /** Its name */
  name: string;
  /** One statement that reads; :name is a place for a value */
  sql: string;
  /** What it answers */
  question?: string | null;
  /** Which datasource */
  datasource?: string | null;
  /** name, type (text integer number date boolean), default each */
  parameters?: unknown[] | null;
}

/** What is changed of a saved query */
export interface SavedChange {
  /** A new name */
  name?: string | null;
  /** New SQL */
  sql?: string | null;
  /** What it answers */
  question?: string | null;
  /** Which datasource */
  datasource?: string | null;
  /** name, type, default each */
  parameters?: unknown[] | null;
}

/** Values for a saved query */
export interface SavedRun {
  /** Values by name */
  parameters?: Record<string, unknown> | null;
  /** The conversation it belongs to */
  session_id?: string | null;
}

/** A saved query */
export interface Saved {
  /** Its id */
  id: string;
  /** Its name */
  name: string;
  /** What it answers */
  question?: string;
  /** Its SQL */
  sql: string;
  /** Which datasource */
  datasource?: string;
  /** name, type, default each */
  parameters: unknown[];
}

/** Saved queries */
export interface SavedList {
  /** By name */
  saved: Saved[];
}

/** A lesson */
export interface LessonRequest {
  /** table_mapping column_mapping error_pattern query_pattern */
  kind: string;
  /** What is said */
  schema_name: string;
  /** What is meant */
  actual_name?: string | null;
  /** Of table mappings: add_prefix:PROD_ */
  transformation_rule?: string | null;
  /** From 0 to 1 */
  confidence?: number | null;
  /** Which datasource */
  datasource?: string | null;
}

/** What is changed of a lesson */
export interface LessonChange {
  /** false: kept, but not applied */
  enabled?: boolean | null;
  /** What is meant */
  actual_name?: string | null;
  /** From 0 to 1 */
  confidence?: number | null;
}

/** A lesson */
export interface Lesson {
  /** Its id */
  id: string;
  /** What it is about */
  kind: string;
  /** What is said */
  schema_name: string;
  /** What is meant */
  actual_name: string;
  /** Is it applied? */
  enabled?: boolean;
  /** From 0 to 1 */
  confidence?: number;
  /** How often it was applied */
  usage_count?: number;
  /** How often it helped */
  success_rate?: number;
}

/** Lessons */
export interface Lessons {
  /** All of the account */
  lessons: Lesson[];
}

/** What was imported */
export interface Imported {
  /** How many */
  imported: number;
}

/** A question and its SQL */
export interface TaughtRequest {
  /** The question */
  question: string;
  /** What answers it */
  sql: string;
  /** Which datasource */
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
  /** The keys that may be changed while it runs */
  changeable?: unknown[];
  /** Those that were */
  changed?: unknown[];
}

/** Settings to change while it runs */
export interface SettingsChange {
  /** Values by key; null: what the configuration says. llm.key is named as ${OPENAI_API_KEY} */
  settings: Record<string, unknown>;
}

/** Does the model answer? */
export interface ModelTest {
  /** It does */
  ok: boolean;
  /** Which one, or what is wrong */
  text: string;
  /** How long it took */
  ms: number;
}

/** Who is asking */
export interface Me {
  /** The account of the key; null for the person at the machine */
  account: unknown;
  /** read, ask, admin */
  scopes: unknown[];
  /** Those that the key is for, with commas; without it all */
  datasources?: string;
  /** Everybody who can reach the server is let in */
  open: boolean;
}

/** What was done */
export interface Status {
  /** A word */
  status: string;
}

/** A new session */
export interface AgentsStartRequest {
  /** A dataset or datasource */
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
  /** Of this session */
  session_id: string;
  /** The question, or the answer to a question back */
  message: string;
}

/** The answer */
export interface AgentsAnswer {
  /** success, clarification_needed or error */
  status: string;
  /** In words */
  message: string;
  /** What was run */
  sql_query?: string;
  /** Rows as objects */
  results?: unknown[];
  /** Names */
  columns?: unknown[];
  /** Rows in results */
  row_count?: number;
  /** Facts */
  error_details?: string;
  /** What a question back can be answered with: value and label each; the number of one is an answer, too */
  options?: unknown[];
}

/** A session */
export interface AgentsSession {
  /** Its id */
  session_id: string;
  /** What it is about */
  dataset_id?: string;
  /** As when it began */
  schema?: Record<string, unknown>;
  /** role, content, sql_query, timestamp each */
  messages: unknown[];
  /** When it began */
  created_at: string;
  /** When something was said last */
  last_activity: string;
}

/** What was done */
export interface AgentsStatus {
  /** success */
  status: string;
  /** In words */
  message: string;
}

/** How it is */
export interface AgentsHealth {
  /** healthy or unhealthy */
  status: string;
  /** text_to_sql_agent */
  service: string;
  /** Of dragoman */
  version: string;
  /** Sessions that have not expired */
  active_sessions: number;
}

/** What went wrong */
export interface Error {
  /** Why */
  error: Problem;
}

/** A key to make */
export interface KeyRequest {
  /** Whose it is: letters, digits, _ and - */
  account: string;
  /** What it is for */
  label?: string | null;
  /** read, ask, admin; without it ask */
  scopes?: unknown[] | null;
  /** For these alone; without it all */
  datasources?: unknown[] | null;
  /** Requests; 0: no limit, here and below */
  rate_per_minute?: number | null;
  /** Questions at once */
  concurrent?: number | null;
  /** Tokens of models per day */
  daily_tokens?: number | null;
  /** Seconds until it expires; 0: never */
  expires_in_s?: number | null;
}

/** A key */
export interface Key {
  /** Its id */
  id: string;
  /** Whose it is */
  account: string;
  /** The key itself: only in the reply that makes it */
  key?: string;
  /** What it is for */
  label?: string;
  /** What it may do */
  scopes: unknown[];
  /** What for; without it all */
  datasources?: unknown[];
  /** Is it over? */
  expired?: boolean;
}

/** Keys */
export interface Keys {
  /** Each as it was made, without the key itself, and when it was last used */
  keys: Key[];
}
