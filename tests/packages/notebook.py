"""A notebook with the extension, executed by a real kernel: notebook.py FOLDER. Prints what its cells gave."""

import json
import sys

import nbformat
from nbclient import NotebookClient

folder = sys.argv[1]
cells = [
    f"import dragoman, warnings; dragoman.sample('{folder}/shop.db')",
    "%load_ext dragoman",
    f"%%ask {folder}/shop.db\nrevenue by month in 2025",
    "_answer.rows[0][0], len(_answer)",
    "%%ask\nhow many banned customers are there?",
    "%answer 1",
    "%%ask\nwhere is <b>the</b> office?",
]
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
out = [[dict(output) for output in cell.outputs] for cell in notebook.cells]
text = json.dumps(out[2])
assert "<table>" in text and "2025-01" in text and "vegalite" in text, text[:500]
assert "('2025-01', 12)" in json.dumps(out[3]), out[3]
assert "banned" in json.dumps(out[4]) and "1." in json.dumps(out[4]) or "Button" in json.dumps(out[4]), out[4]
assert out[5], "an answer to the question back"
assert "<b>the</b>" not in "".join(str(o.get("data", {}).get("text/html", "")) for o in out[6]), out[6]
print(f"notebook: ok, {len(cells)} cells")
