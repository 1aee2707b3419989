// Ctrl+K: finds a conversation, an earlier question or a place by a few letters.
import { useEffect, useRef, useState } from "react";
import { get, query } from "../api/client";
import type { Session } from "../api/types";
import { hashOf } from "../logic/route";
import { t } from "../text";
import { Icon, type IconName } from "./icon";

interface Hit {
  href: string;
  title: string;
  icon: IconName;
}

interface Asked {
  query_id: string;
  question: string;
}

const places: Hit[] = [
  { href: "#/", title: t.side.fresh, icon: "plus" },
  { href: "#/sources", title: t.nav.sources, icon: "sources" },
  { href: "#/memory/saved", title: t.nav.memory, icon: "memory" },
  { href: "#/settings", title: t.nav.settings, icon: "settings" },
];

const most_hits = 12;

export default function Palette({ sessions, onClose }: { sessions: readonly Session[]; onClose: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [asked, setAsked] = useState<Asked[]>([]);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
  }, []);
  useEffect(() => {
    const control = new AbortController();
    const timer = setTimeout(() => {
      get<{ questions?: Asked[] }>(`/api/v1/history${query({ search: text, limit: 8 })}`, control.signal)
        .then((found) => setAsked(found.questions ?? []))
        .catch(() => setAsked([]));
    }, 120);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text]);
  const wanted = text.trim().toLowerCase();
  const hits: Hit[] = [
    ...places,
    ...sessions.map((session): Hit => ({
      href: hashOf({ view: "ask", session: session.session_id }),
      title: session.title || t.side.untitled,
      icon: "ask",
    })),
  ].filter((hit) => hit.title.toLowerCase().includes(wanted));
  for (const each of asked) {
    hits.push({ href: hashOf({ view: "ask", query: each.query_id }), title: each.question, icon: "search" });
  }
  const shown = hits.slice(0, most_hits);
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    onClose();
    location.hash = hit.href;
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t.side.search}
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
          placeholder={t.side.search}
          aria-label={t.side.search}
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-hits"
          aria-activedescendant={shown[at] ? `palette-${at}` : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
        />
      </label>
      <ul id="palette-hits" role="listbox" aria-label={t.side.search}>
        {shown.map((hit, index) => (
          <li key={`${hit.href} ${index}`} id={`palette-${index}`} role="option" aria-selected={index === at}>
            <a href={hit.href} tabIndex={-1} onClick={onClose}>
              <Icon name={hit.icon} /> <span>{hit.title}</span>
            </a>
          </li>
        ))}
      </ul>
    </dialog>
  );
}
