#!/bin/bash
# `dragoman mcp --install`: shows the entry, writes it when told to, and leaves the rest of the file alone.
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
file=$HOME/.cursor/mcp.json
run mcp --install cursor --db ./shop.db
status_is 0
out_has "$file"
out_has '"mcp"'
err_has "--yes writes it"
check "nothing should be written" test ! -e "$file"
run mcp --install cursor --db ./shop.db --yes
status_is 0
check "the entry should start this program on this file" \
    test "$(jq -c '.mcpServers.dragoman | [.command, .args]' "$file")" = "[\"$dragoman\",[\"mcp\",\"--db\",\"$PWD/shop.db\"]]"
run mcp --install cursor --db ./shop.db --yes
out_has "already"

# What is there stays: other servers, other keys, the mode of the file.
echo '{"theme": "dark", "mcpServers": {"other": {"command": "x", "args": []}, "dragoman": {"command": "old"}}, "z": [1, 2]}' >"$file"
chmod 640 "$file"
run mcp --install cursor --db shop --yes
status_is 0
out_has '"old"'
check "the rest should stay" test "$(jq -c '[.theme, .mcpServers.other.command, .z, .mcpServers.dragoman.args]' "$file")" = '["dark","x",[1,2],["mcp","--db","shop"]]'
check "the mode should stay" test "$(stat -c %a "$file")" = 640

# What is no plain JSON is left alone, and a password goes into no file.
printf '{\n  // mine\n  "mcpServers": {}\n}\n' >"$file"
before=$(cat "$file")
run mcp --install cursor --db ./shop.db --yes
check "it should fail" test "$status" -ne 0
err_is_friendly
check "the file should stay" test "$(cat "$file")" = "$before"
run mcp --install gemini --db postgres://me:secret@db/shop --yes
check "it should fail" test "$status" -ne 0
err_is_friendly
check "no file should be there" test ! -e "$HOME/.gemini/settings.json"

run mcp --install vscode --db ./shop.db --yes
status_is 0
check "the key of this client is another one" test "$(jq -r .servers.dragoman.type .vscode/mcp.json)" = stdio
run mcp --install nobody
check "it should fail" test "$status" -ne 0
summary
