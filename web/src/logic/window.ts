// The visible rows of a long list; only these are drawn.

export interface Window {
  first: number;
  /** one past the last */
  end: number;
}

/** `spare` rows are drawn above and below, so that scrolling shows no gaps. */
export function windowOf(top: number, height: number, rowHeight: number, count: number, spare = 8): Window {
  const first = Math.max(0, Math.floor(Math.max(0, top) / rowHeight) - spare);
  const end = Math.min(count, Math.ceil((Math.max(0, top) + height) / rowHeight) + spare);
  return { first: Math.min(first, count), end: Math.max(end, Math.min(first, count)) };
}
