#!/bin/bash
# The wheel: installed by pip without an index, tested with the system's Python, and used in an executed notebook.
# usage: python.sh SOURCE BUILD
set -u
source=$(realpath "$1")
build=$(realpath "$2")
python=/usr/bin/python3
command -v patchelf >/dev/null && "$python" -c 'import venv, ensurepip' 2>/dev/null || exit 77
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$source/tests/packages/lib.sh"
"$python" "$source/bindings/python/build" "$build" "$work" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
"$python" -m venv --system-site-packages "$work/venv"
check "pip should install it" "$work/venv/bin/pip" install --no-index --disable-pip-version-check "$work"/dragoman-*.whl
cd "$work" || exit 1
# what Python says of the library's structures must be what the compiler says
printf '#include <stdio.h>\n#include "dragoman_arrow.h"\nint main(void) { printf("%%zu %%zu %%zu %%zu\\n", sizeof(struct dgm_request), sizeof(struct dgm_error), sizeof(struct ArrowSchema), sizeof(struct ArrowArray)); }\n' >"$work/sizes.c"
gcc -I "$source/include" -o "$work/sizes" "$work/sizes.c"
check "structures should have the sizes that C gives them" test "$("$work/sizes")" = \
    "$("$work/venv/bin/python" -c 'import ctypes as c; from dragoman import _native as n; print(*map(c.sizeof, (n.Request, n.Error, n.ArrowSchema, n.ArrowArray)))')"
"$work/venv/bin/python" "$source/tests/packages/test_dragoman.py" 2>"$work/tests" || { failures=$((failures + 1)); cat "$work/tests"; }
grep -E '^(Ran|OK|FAILED)' "$work/tests"
if "$work/venv/bin/python" -c 'import nbclient, ipykernel' 2>/dev/null; then
    "$work/venv/bin/python" -m ipykernel install --prefix "$work/venv" >/dev/null 2>&1
    JUPYTER_PATH=$work/venv/share/jupyter "$work/venv/bin/python" "$source/tests/packages/notebook.py" "$work" 2>"$work/said" ||
        { tail -n 15 "$work/said"; failures=$((failures + 1)); }
else
    echo "python.sh: no Jupyter here: no notebook was executed"
fi
"$python" "$source/bindings/python/build" "$build" "$work/again" >/dev/null
check "the same bytes should be made twice" cmp "$work"/dragoman-*.whl "$work/again/"dragoman-*.whl
[ $failures = 0 ] && echo "python: ok"
exit $((failures > 0))
