// Numbers and times as people read them.

export function duration(ms: number): string {
  if (ms < 1) return "under 1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

const whole = new Intl.NumberFormat("en");
export const count = (number: number): string => whole.format(number);

export function money(dollars: number): string {
  if (dollars === 0) return "$0";
  return dollars < 0.01 ? `$${dollars.toPrecision(2)}` : `$${dollars.toFixed(2)}`;
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Takes seconds since 1970, milliseconds, or ISO text. */
export function moment(value: string | number | undefined): Date | undefined {
  if (value === undefined || value === "") return undefined;
  const date = new Date(typeof value === "number" && value < 1e11 ? value * 1000 : value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

export function ago(value: string | number | undefined, now = Date.now()): string {
  const date = moment(value);
  if (!date) return "";
  const minutes = Math.round((now - date.getTime()) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  if (minutes < 48 * 60) return "yesterday";
  return date.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}

export function bytes(size: number): string {
  if (size < 1024) return `${size} B`;
  if (size < 1024 ** 2) return `${(size / 1024).toFixed(0)} KB`;
  return `${(size / 1024 ** 2).toFixed(1)} MB`;
}
