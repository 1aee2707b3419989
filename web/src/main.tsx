import { createRoot } from "react-dom/client";
import { App } from "./app";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/ask.css";
import "./styles/answer.css";
import "./styles/grid.css";

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
