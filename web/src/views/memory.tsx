// Memory: lessons, saved queries, the history, and taught examples.
import { memoryTabs, type MemoryTab } from "../logic/route";
import { Tabs } from "../parts/tabs";
import { t } from "../text";
import { History } from "./memory/history";
import { Lessons } from "./memory/lessons";
import { Saved } from "./memory/saved";
import { Taught } from "./memory/taught";
import "../styles/pages.css";

const panels: Record<MemoryTab, () => React.ReactNode> = {
  lessons: () => <Lessons />,
  saved: () => <Saved />,
  history: () => <History />,
  taught: () => <Taught />,
};

export default function MemoryView({ tab }: { tab: MemoryTab }) {
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t.nav.memory}</h1>
        <p>{t.memory.lead}</p>
      </header>
      <Tabs
        label={t.memory.tabsLabel}
        tabs={memoryTabs.map((name) => ({ name, title: t.memory.tabs[name] }))}
        chosen={tab}
        onChoose={(name) => {
          location.hash = `#/memory/${name}`;
        }}
      >
        {panels[tab]()}
      </Tabs>
    </div>
  );
}
