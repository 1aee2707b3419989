// "?": the keys of the page.
import { useEffect, useRef } from "react";
import { t } from "../text";

export default function Keys({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="palette keys-help"
      aria-label={t.keyboard.title}
      data-test="keys"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <h2>{t.keyboard.title}</h2>
      <dl>
        {t.keyboard.list.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="button" onClick={onClose} autoFocus>
        {t.app.close}
      </button>
    </dialog>
  );
}
