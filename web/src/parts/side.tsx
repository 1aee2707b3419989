// The sidebar: links to the views, and the conversations.
import { remove, segment } from "../api/client";
import type { Session } from "../api/types";
import { ago } from "../logic/format";
import { hashOf, type Place } from "../logic/route";
import { useSourceName } from "../state/sources";
import { isDark, useTheme } from "../state/theme";
import { t } from "../text";
import type { IconName } from "../logic/icons";
import { Icon } from "./icon";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";

const views: { view: Place["view"]; icon: IconName; href: string }[] = [
  { view: "ask", icon: "ask", href: "#/" },
  { view: "sources", icon: "sources", href: "#/sources" },
  { view: "memory", icon: "memory", href: "#/memory/lessons" },
  { view: "settings", icon: "settings", href: "#/settings" },
];

function Brand() {
  return (
    <a className="brand" href="#/">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" />
        <path d="M9 9h8a7 7 0 0 1 0 14H9zM9 16h7" />
      </svg>
      {t.app.name}
    </a>
  );
}

interface Props {
  place: Place;
  sessions: readonly Session[] | undefined;
  onChange: () => void;
  onSearch: () => void;
  open: boolean;
}

export function Side({ place, sessions, onChange, onSearch, open }: Props) {
  const { note } = useVoice();
  const [, setTheme] = useTheme();
  const name = useSourceName();
  const current = place.view === "ask" ? place.session : undefined;
  const drop = async (session: Session) => {
    try {
      await remove(`/api/v1/chat/sessions/${segment(session.session_id)}`);
      note(t.side.removed);
      if (session.session_id === current) location.hash = "#/";
      onChange();
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  return (
    <aside className={open ? "side is-open" : "side"} id="side">
      <div className="side-top">
        <Brand />
        <button
          type="button"
          className="button is-icon"
          aria-label={t.theme.toggle}
          title={t.theme.toggle}
          onClick={() => setTheme(isDark() ? "light" : "dark")}
        >
          <Icon name={isDark() ? "sun" : "moon"} />
        </button>
      </div>
      <a className="button side-new" href="#/">
        <Icon name="plus" /> {t.side.fresh}
      </a>
      <nav aria-label={t.nav.main}>
        <ul className="nav">
          {views.map(({ view, icon, href }) => (
            <li key={view}>
              <a href={href} aria-current={place.view === view ? "page" : undefined}>
                <Icon name={icon} /> {t.nav[view]}
              </a>
            </li>
          ))}
          <li>
            <button type="button" onClick={onSearch}>
              <Icon name="search" /> {t.side.search} <kbd>Ctrl K</kbd>
            </button>
          </li>
        </ul>
      </nav>
      <section className="sessions" aria-label={t.side.sessions}>
        <h2>{t.side.sessions}</h2>
        {sessions && sessions.length === 0 && <p className="quiet">{t.side.none}</p>}
        <ul>
          {(sessions ?? []).map((session) => {
            const title = session.title || t.side.untitled;
            return (
              <li key={session.session_id}>
                <a
                  href={hashOf({ view: "ask", session: session.session_id })}
                  aria-current={session.session_id === current ? "true" : undefined}
                >
                  <span>{title}</span>
                  <small>{[session.datasource && name(session.datasource), ago(session.last_activity ?? session.created_at)].filter(Boolean).join(" · ")}</small>
                </a>
                <button type="button" aria-label={t.side.remove(title)} onClick={() => void drop(session)}>
                  <Icon name="trash" />
                </button>
              </li>
            );
          })}
        </ul>
      </section>
    </aside>
  );
}
