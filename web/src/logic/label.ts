// Numbers and periods as charts and cards write them.
import { cellNumber, cellShown } from "./cells";
import type { Cell } from "../api/types";

const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** "174.8K" would hide what a small number says in full. */
export function shortNumber(value: number): string {
  if (Math.abs(value) >= 10_000) return short.format(value);
  return cellShown(Number.isInteger(value) ? value : Number(value.toPrecision(4)), true);
}

/** A number with its separators; amounts get at most two decimals. */
export function fullNumber(cell: Cell | undefined): string {
  const value = cellNumber(cell);
  if (Number.isNaN(value)) return cellShown(cell);
  if (typeof cell === "string" || Number.isInteger(value)) return cellShown(cell, true);
  const rounded = Math.abs(value) >= 1 ? Math.round(value * 100) / 100 : Number(value.toPrecision(3));
  return cellShown(rounded, true, Math.abs(value) >= 1 && !Number.isInteger(rounded) ? 2 : 0);
}

const language = (): string => globalThis.document?.documentElement.lang || "en";

/** "2025-12" → "Dec 2025", "2025-12-31" → "31 Dec 2025"; other texts stay. */
export function periodWords(text: string): string {
  const parts = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]([\d:]{5})\S*)?$/.exec(text);
  if (!parts) return text;
  const [, year = "", month = "", day, time] = parts;
  const moment = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1)));
  if (Number.isNaN(moment.getTime()) || moment.getUTCMonth() !== Number(month) - 1) return text;
  const shape: Intl.DateTimeFormatOptions = { timeZone: "UTC", month: "short", year: "numeric", ...(day ? { day: "numeric" } : {}) };
  const locale = language() === "en" ? "en-GB" : language();
  return `${moment.toLocaleDateString(locale, shape)}${time && time !== "00:00" ? ` ${time}` : ""}`;
}
