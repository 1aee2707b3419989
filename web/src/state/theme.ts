// Light or dark: the preference of the system, unless the user chose one.
import { useCallback, useEffect, useState } from "react";

export type Theme = "system" | "light" | "dark";
const name = "dragoman.theme";

function chosen(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}

export function isDark(): boolean {
  const theme = chosen();
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(chosen);
  const set = useCallback((next: Theme) => {
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      if (next === "system") localStorage.removeItem(name);
      else localStorage.setItem(name, next);
    } catch {
      // no storage: the choice is lost at the next reload
    }
    setTheme(next);
  }, []);
  return [theme, set];
}

/** Changes whenever the colours of the page do, for what is drawn with them once: charts. */
export function useColours(): string {
  const [dark, setDark] = useState(isDark);
  useEffect(() => {
    const look = () => setDark(isDark());
    const system = matchMedia("(prefers-color-scheme: dark)");
    const watcher = new MutationObserver(look);
    watcher.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    system.addEventListener("change", look);
    return () => {
      watcher.disconnect();
      system.removeEventListener("change", look);
    };
  }, []);
  return dark ? "dark" : "light";
}
