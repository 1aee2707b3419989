// Ctrl+K: searches pages, sources, saved queries, conversations and earlier questions. Other
// text can be asked as a question.
import { useContext, useEffect, useRef, useState } from "react";
import { get, query } from "../api/client";
import type { Session } from "../api/types";
import { hashOf } from "../logic/route";
import { grouped, type Hit } from "../logic/search";
import { SourcesContext } from "../state/sources";
import { t } from "../text";
import { Icon } from "./icon";

interface Asked {
  query_id: string;
  question: string;
}

const places: Hit[] = [
  { group: "go", href: "#/", title: t.side.fresh, icon: "plus" },
  { group: "go", href: "#/sources", title: t.nav.sources, icon: "sources" },
  { group: "go", href: "#/memory/lessons", title: t.memory.tabs.lessons, icon: "memory" },
  { group: "go", href: "#/memory/saved", title: t.palette.groups.saved, icon: "memory" },
  { group: "go", href: "#/memory/history", title: t.memory.tabs.history, icon: "memory" },
  { group: "go", href: "#/memory/taught", title: t.memory.tabs.taught, icon: "memory" },
  { group: "go", href: "#/settings", title: t.nav.settings, icon: "settings" },
];

/** Questions and saved queries that the server finds; requested shortly after the last keystroke. */
function useFound(text: string): Hit[] {
  const [found, setFound] = useState<Hit[]>([]);
  useEffect(() => {
    const control = new AbortController();
    const look = async () => {
      const [asked, saved] = await Promise.all([
        get<{ questions?: Asked[] }>(`/api/v1/history${query({ search: text.trim(), limit: 8 })}`, control.signal),
        get<{ saved?: { id: string; name: string }[] }>("/api/v1/saved", control.signal),
      ]);
      const queries = (saved.saved ?? []).map((each): Hit => ({ group: "saved", href: "#/memory/saved", title: each.name, icon: "save" }));
      const questions = (asked.questions ?? []).map(
        (each): Hit => ({ group: "asked", href: hashOf({ view: "ask", query: each.query_id }), title: each.question, icon: "search", sure: true }),
      );
      if (!control.signal.aborted) setFound([...queries, ...questions]);
    };
    const timer = setTimeout(() => void look().catch(() => undefined), 120);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text]);
  return found;
}

interface Props {
  sessions: readonly Session[];
  onClose: () => void;
  onAsk: (question: string) => void;
}

export default function Palette({ sessions, onClose, onAsk }: Props) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const sources = useContext(SourcesContext);
  const dialog = useRef<HTMLDialogElement>(null);
  const found = useFound(text);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
  }, []);
  useEffect(() => {
    document.getElementById(`palette-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const all: Hit[] = [
    ...places,
    ...sources.map((each): Hit => ({ group: "sources", href: hashOf({ view: "sources", source: each.id }), title: each.title ?? each.id, icon: "sources" })),
    ...sessions.map((session): Hit => ({
      group: "sessions",
      href: hashOf({ view: "ask", session: session.session_id }),
      title: session.title || t.side.untitled,
      icon: "ask",
    })),
    ...found,
  ];
  const groups = grouped(all, text);
  const shown = groups.flatMap((group) => group.hits);
  const go = (hit: Hit | undefined) => {
    if (hit) location.hash = hit.href;
    else if (text.trim()) onAsk(text.trim());
    else return;
    onClose();
  };
  let number = -1;
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t.side.search}
      data-test="palette"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowDown") setAt((n) => Math.min(n + 1, shown.length - 1));
        else if (event.key === "ArrowUp") setAt((n) => Math.max(n - 1, 0));
        else if (event.key === "Enter") go(shown[at]);
        else return;
        event.preventDefault();
      }}
    >
      <label className="field">
        <Icon name="search" />
        <input
          autoFocus
          value={text}
          placeholder={t.palette.placeholder}
          aria-label={t.side.search}
          role="combobox"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls="palette-hits"
          aria-activedescendant={shown[at] ? `palette-${at}` : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
        />
      </label>
      <div id="palette-hits" className="palette-hits" role="listbox" aria-label={t.side.search}>
        {groups.map((group) => (
          <div key={group.name} role="group" aria-label={t.palette.groups[group.name]}>
            <p className="title" aria-hidden="true">
              {t.palette.groups[group.name]}
            </p>
            {group.hits.map((hit) => {
              const index = ++number;
              return (
                <div
                  key={`${hit.href} ${hit.title}`}
                  id={`palette-${index}`}
                  className="hit"
                  role="option"
                  aria-selected={index === at}
                  onMouseMove={() => setAt(index)}
                  onClick={() => go(hit)}
                >
                  <Icon name={hit.icon} /> <span>{hit.title}</span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {shown.length === 0 && text.trim() && <p className="quiet palette-none">{t.palette.none}</p>}
      <p className="quiet palette-keys" aria-hidden="true">
        {t.palette.keys}
      </p>
    </dialog>
  );
}
