// How any part of the page says something to its user; parts/say.tsx shows it.
import { createContext, useContext } from "react";

interface Voice {
  /** tells screen readers, politely */
  tell(text: string): void;
  /** shows a short note, and tells it */
  note(text: string): void;
}

export const VoiceContext = createContext<Voice>({ tell: () => undefined, note: () => undefined });

export const useVoice = (): Voice => useContext(VoiceContext);
