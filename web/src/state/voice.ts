// Messages from any part of the page to its user; parts/say.tsx shows them.
import { createContext, useContext } from "react";

interface Voice {
  /** for screen readers only (aria-live: polite) */
  tell(text: string): void;
  /** a short visible note, also for screen readers */
  note(text: string): void;
}

export const VoiceContext = createContext<Voice>({ tell: () => undefined, note: () => undefined });

export const useVoice = (): Voice => useContext(VoiceContext);
