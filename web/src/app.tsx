// The page: a sidebar and one view. All views but the question view are loaded when first opened.
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { get } from "./api/client";
import type { State, Session } from "./api/types";
import { Icon } from "./parts/icon";
import { later } from "./parts/later";
import { KeyGate } from "./parts/key";
import { Fence, ProblemCard } from "./parts/problem";
import { VoiceProvider } from "./parts/say";
import { Side } from "./parts/side";
import { hashOf } from "./logic/route";
import { loadSources, SourcesContext } from "./state/sources";
import { useKeys, useLoad, usePlace } from "./state/use";
import { t } from "./text";
import AskView from "./views/ask";

const SourcesView = later(() => import("./views/sources"));
const MemoryView = later(() => import("./views/memory"));
const SettingsView = later(() => import("./views/settings"));
const Keys = later(() => import("./parts/keys"));
const Palette = later(() => import("./parts/palette"));

function Shell() {
  const place = usePlace();
  const [menu, setMenu] = useState(false);
  const [palette, setPalette] = useState(false);
  const [keys, setKeys] = useState(false);
  const states = useLoad((signal) => get<{ states: State[] }>("/api/v1/states", signal), "states");
  const sources = useLoad(loadSources, "sources");
  const sessions = useLoad(
    (signal) => get<{ sessions: Session[] }>("/api/v1/chat/sessions?limit=50", signal),
    "sessions",
  );
  useKeys((event) => {
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      setPalette((open) => !open);
      return;
    }
    const typing = event.target instanceof HTMLElement && !!event.target.closest("input, textarea, select, [contenteditable], dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") setKeys(true);
    else if (event.key === "/") document.querySelector<HTMLTextAreaElement>("[data-test=question]")?.focus();
    else return;
    event.preventDefault();
  });
  const where = place.view === "ask" ? `ask ${place.session ?? place.query ?? ""}` : place.view;
  const arrived = useRef(false);
  useEffect(() => {
    setMenu(false);
    // After a key press or a closed dialog the focus moves to the new content. A page that was just loaded keeps it at
    // its beginning, where the link that skips the menu is.
    if (arrived.current && document.activeElement === document.body) document.getElementById("content")?.focus({ preventScroll: true });
    arrived.current = true;
  }, [where]);
  useEffect(() => {
    document.title = place.view === "ask" ? t.app.name : `${t.nav[place.view]} · ${t.app.name}`;
  }, [place.view]);
  const reloadSessions = sessions.reload;
  const onSession = useCallback(() => reloadSessions(), [reloadSessions]);
  return (
    <SourcesContext.Provider value={sources.value ?? []}>
    <div className="shell">
      <a className="skip" href="#content" onClick={(event) => {
        event.preventDefault();
        document.getElementById("content")?.focus();
      }}>
        {t.app.skip}
      </a>
      <header className="topbar">
        <button type="button" className="button is-icon" aria-label={t.app.menu} aria-expanded={menu} aria-controls="side" onClick={() => setMenu(!menu)}>
          <Icon name={menu ? "close" : "menu"} />
        </button>
        <span>{t.app.name}</span>
      </header>
      <Side
        place={place}
        sessions={sessions.value?.sessions}
        onChange={reloadSessions}
        onSearch={() => setPalette(true)}
        open={menu}
      />
      <main id="content" tabIndex={-1}>
        <Fence name={where}>
          {sources.problem && (
            <div className="page">
              <ProblemCard problem={sources.problem}>
                <button type="button" className="button" onClick={sources.reload}>
                  {t.answer.retry}
                </button>
              </ProblemCard>
            </div>
          )}
          <Suspense fallback={<p className="page empty">{t.loading}</p>}>
            {place.view === "ask" && (
              <AskView
                place={place}
                states={states.value?.states ?? []}
                sources={sources.value}
                onSession={onSession}
                fresh={sessions.value?.sessions.length === 0}
                onSource={sources.reload}
                onKeys={() => setKeys(true)}
              />
            )}
            {place.view === "sources" && (
              <SourcesView source={place.source} sources={sources.value} onChange={sources.reload} />
            )}
            {place.view === "memory" && <MemoryView tab={place.tab} />}
            {place.view === "settings" && <SettingsView />}
          </Suspense>
        </Fence>
      </main>
      {keys && (
        <Suspense fallback={null}>
          <Keys onClose={() => setKeys(false)} />
        </Suspense>
      )}
      {palette && (
        <Suspense fallback={null}>
          <Palette
            sessions={sessions.value?.sessions ?? []}
            onClose={() => setPalette(false)}
            onAsk={(question) => {
              location.hash = hashOf({ view: "ask", question });
            }}
          />
        </Suspense>
      )}
    </div>
    </SourcesContext.Provider>
  );
}

export function App() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const hear = () => setWanted(true);
    window.addEventListener("dragoman:key", hear);
    return () => window.removeEventListener("dragoman:key", hear);
  }, []);
  return <VoiceProvider>{wanted ? <KeyGate onKey={() => setWanted(false)} /> : <Shell />}</VoiceProvider>;
}
