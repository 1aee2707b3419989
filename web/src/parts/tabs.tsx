// Tabs as the ARIA practices describe them: arrows move, only the chosen one is in the tab order.
import { useId, useRef, type ReactNode } from "react";

export interface Tab<Name extends string> {
  name: Name;
  title: string;
}

interface Props<Name extends string> {
  label: string;
  tabs: Tab<Name>[];
  chosen: Name;
  onChoose: (name: Name) => void;
  children: ReactNode;
  tools?: ReactNode;
}

export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children, tools }: Props<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const step = (by: number) => {
    const at = tabs.findIndex((tab) => tab.name === chosen);
    const next = (at + by + tabs.length) % tabs.length;
    const name = tabs[next]?.name;
    if (!name) return;
    onChoose(name);
    list.current?.querySelectorAll<HTMLButtonElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div className="tabs">
      <div className="tabs-bar">
        <div
          role="tablist"
          aria-label={label}
          ref={list}
          onKeyDown={(event) => {
            if (event.key === "ArrowRight") step(1);
            if (event.key === "ArrowLeft") step(-1);
          }}
        >
          {tabs.map((tab) => (
            <button
              key={tab.name}
              type="button"
              role="tab"
              id={`${id}-${tab.name}`}
              aria-selected={tab.name === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={tab.name === chosen ? 0 : -1}
              onClick={() => onChoose(tab.name)}
            >
              {tab.title}
            </button>
          ))}
        </div>
        {tools}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}
