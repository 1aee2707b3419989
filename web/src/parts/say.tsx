// Messages of the page: a live region for screen readers, and short visible notes.
import { useCallback, useMemo, useRef, useState, type ReactNode } from "react";
import { useVoice, VoiceContext } from "../state/voice";

export function VoiceProvider({ children }: { children: ReactNode }) {
  const [told, setTold] = useState("");
  const [shown, setShown] = useState("");
  const timer = useRef(0);
  const tell = useCallback((text: string) => setTold(text), []);
  const note = useCallback((text: string) => {
    setTold(text);
    setShown(text);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setShown(""), 3200);
  }, []);
  const voice = useMemo(() => ({ tell, note }), [tell, note]);
  return (
    <VoiceContext.Provider value={voice}>
      {children}
      <div className="hidden" role="status" aria-live="polite" data-test="live">
        {told}
      </div>
      {shown && (
        <div className="note" aria-hidden="true">
          {shown}
        </div>
      )}
    </VoiceContext.Provider>
  );
}

/** Copies a text and shows a note. */
export function useCopy(said: string, refused: string): (text: string) => void {
  const { note } = useVoice();
  return useCallback(
    (text: string) => {
      Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"))).then(
        () => note(said),
        () => note(refused),
      );
    },
    [note, said, refused],
  );
}
