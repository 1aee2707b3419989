#!/bin/bash
# The types of the page are those that the server describes.
# usage: types.sh PROGRAM SOURCE_FOLDER NODE
set -euo pipefail
made=$("$1" serve --openapi | "$3" "$2/web/tools/types.mjs")
if ! diff <(printf '%s\n' "$made") "$2/web/src/api/types.ts" >&2; then
    echo "web/src/api/types.ts is not up to date: dragoman serve --openapi | node web/tools/types.mjs >web/src/api/types.ts" >&2
    exit 1
fi
