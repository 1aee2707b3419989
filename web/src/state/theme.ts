// Light or dark: the preference of the system, unless the user chose one.
import { useCallback, useState } from "react";

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
