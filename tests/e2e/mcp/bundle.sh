#!/bin/bash
# The .mcpb bundle and the registry's server.json, as tools/pack-mcpb makes them.
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

root=$here/../../..
is() { check "$2 should fulfil $1" test "$(jq -r "$1" "$2" 2>/dev/null)" = true; }
version=$(cat "$root/VERSION")
mkdir built && cp "$dragoman" built/dragoman # without DuckDB's library, which is large
shown="pack-mcpb"
out=$("$root/tools/pack-mcpb" built/dragoman bundle.mcpb server.json io.github.someone/dragoman https://example.org/dragoman.mcpb 2>&1)
status=$?
status_is 0
python3 -m zipfile -e bundle.mcpb unpacked
is '.manifest_version == "0.4" and .server.type == "binary" and .version == "'"$version"'"' unpacked/manifest.json
check "the bundle should have its entry point" test -s "unpacked/$(jq -r .server.entry_point unpacked/manifest.json)"
# What the registry's schema of 2025-12-11 demands of these fields.
is '."$schema" == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"' server.json
is '(.name | test("^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$")) and (.name | length) <= 200 and (.title | length) <= 100' server.json
is '(.description | length) >= 1 and (.description | length) <= 100 and .version == "'"$version"'"' server.json
is '.packages | length == 1 and (.[0] | .registryType == "mcpb" and .version == "'"$version"'" and .transport == {"type":"stdio"})' server.json
is '.packages[0] | (keys - ["registryType", "identifier", "version", "fileSha256", "transport"]) == []' server.json
is '.packages[0].fileSha256 == "'"$(sha256sum bundle.mcpb | cut -d' ' -f1)"'"' server.json
for wrong in "dragoman https://example.org/dragoman.mcpb" "a/b/c https://example.org/dragoman.mcpb" "a/b http://example.org/x.mcpb" \
    'a/b https://example.org/x".mcpb' "a/b https://example.org/x.zip"; do
    shown="pack-mcpb … $wrong"
    # shellcheck disable=SC2086
    "$root/tools/pack-mcpb" built/dragoman other.mcpb other.json $wrong >/dev/null 2>&1
    status=$?
    status_is 64
done
summary
