// The current view, stored in the address after the #, so that links and the back button work.

export type Place =
  | { view: "ask"; session?: string; query?: string; source?: string; question?: string }
  | { view: "sources"; source?: string }
  | { view: "memory"; tab: MemoryTab }
  | { view: "settings" };

export const memoryTabs = ["lessons", "saved", "history", "taught"] as const;
export type MemoryTab = (typeof memoryTabs)[number];

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function placeOf(hash: string): Place {
  const [view = "", rest = ""] = hash.replace(/^#?\/?/, "").split("/").map(decode);
  if (view === "s" && rest) return { view: "ask", session: rest };
  if (view === "q" && rest) return { view: "ask", query: rest };
  if (view === "about" && rest) return { view: "ask", source: rest };
  if (view === "ask" && rest) return { view: "ask", question: rest };
  if (view === "sources") return rest ? { view: "sources", source: rest } : { view: "sources" };
  if (view === "memory") return { view: "memory", tab: memoryTabs.find((tab) => tab === rest) ?? "lessons" };
  if (view === "settings") return { view: "settings" };
  return { view: "ask" };
}

export function hashOf(place: Place): string {
  const part = encodeURIComponent;
  switch (place.view) {
    case "ask":
      if (place.session) return `#/s/${part(place.session)}`;
      if (place.query) return `#/q/${part(place.query)}`;
      if (place.source) return `#/about/${part(place.source)}`;
      return place.question ? `#/ask/${part(place.question)}` : "#/";
    case "sources":
      return place.source ? `#/sources/${part(place.source)}` : "#/sources";
    case "memory":
      return `#/memory/${place.tab}`;
    case "settings":
      return "#/settings";
  }
}
