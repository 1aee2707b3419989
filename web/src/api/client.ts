// HTTP requests to the server of this page; every failure becomes an ApiError.
import type { Problem } from "./types";

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly hint: string | undefined;
  readonly detail: string | undefined;

  constructor(status: number, problem: Problem) {
    super(problem.message);
    this.name = "ApiError";
    this.status = status;
    this.code = problem.code;
    this.hint = problem.hint;
    this.detail = problem.detail;
  }
}

const key_name = "dragoman.key";

function storage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined; // storage is forbidden by the browser's settings: the key is lost at the next reload
  }
}

let key = storage()?.getItem(key_name) ?? "";

/** The key of this tab; forgotten when the tab is closed. */
export function setKey(value: string): void {
  key = value.trim();
  if (key) storage()?.setItem(key_name, key);
  else storage()?.removeItem(key_name);
}

export function hasKey(): boolean {
  return key !== "";
}

/** The page's language is that of the sentences in answers, too. */
export function headers(extra: Record<string, string> = {}): Record<string, string> {
  const language = globalThis.document?.documentElement.lang;
  return {
    ...extra,
    ...(language ? { "Accept-Language": language } : {}),
    ...(key ? { Authorization: `Bearer ${key}` } : {}),
  };
}

/** Reads the body of an error response, also if it is not JSON. */
export function problemOf(status: number, body: unknown): Problem {
  const error = (body as { error?: Partial<Problem> } | null)?.error;
  if (error && typeof error === "object" && typeof error.message === "string") {
    return { ...error, code: error.code ?? String(status), message: error.message };
  }
  return { code: `HTTP_${status}`, message: `The server answered with status ${status}.` };
}

/** Sends a request and returns the response, unread; throws if the status is not 2xx. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(0, {
      code: "NETWORK",
      message: "The server cannot be reached.",
      hint: "Check your network connection, then reload the page. The server continues with a running question.",
    });
  }
  if (!response.ok) {
    const body: unknown = await response.json().catch(() => null);
    const error = new ApiError(response.status, problemOf(response.status, body));
    if (response.status === 401) globalThis.dispatchEvent?.(new Event("dragoman:key"));
    throw error;
  }
  return response;
}

async function json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = { method, headers: headers({ Accept: "application/json" }) };
  if (body !== undefined) {
    init.headers = headers({ Accept: "application/json", "Content-Type": "application/json" });
    init.body = JSON.stringify(body);
  }
  if (signal) init.signal = signal;
  const response = await request(path, init);
  const text = await response.text();
  return (text ? JSON.parse(text) : {}) as T;
}

export const get = <T>(path: string, signal?: AbortSignal) => json<T>("GET", path, undefined, signal);
export const post = <T>(path: string, body: unknown = {}, signal?: AbortSignal) => json<T>("POST", path, body, signal);
export const put = <T>(path: string, body: unknown) => json<T>("PUT", path, body);
export const patch = <T>(path: string, body: unknown) => json<T>("PATCH", path, body);
export const remove = <T>(path: string) => json<T>("DELETE", path);

/** A query string of the values that are set. */
export function query(values: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(values)
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length ? `?${pairs.join("&")}` : "";
}

export const segment = encodeURIComponent;
