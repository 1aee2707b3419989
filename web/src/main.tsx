import { createRoot } from "react-dom/client";
import { App } from "./app";
import { speak } from "./text";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/ask.css";
import "./styles/answer.css";
import "./styles/grid.css";

const root = document.getElementById("root");
void speak().then(() => {
  if (root) createRoot(root).render(<App />);
});
