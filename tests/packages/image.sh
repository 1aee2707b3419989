#!/bin/bash
# The container image: its form, its size, and the server in it as its user on a read-only root. Its layer is unpacked and
# run by chroot; podman loads the file where it is installed.
# usage: image.sh SOURCE BUILD
set -u
source=$(realpath "$1")
build=$(realpath "$2")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$source/tests/packages/lib.sh"
version=$(cat "$source/VERSION")
"$source/packaging/image/build" "$build" "$work" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
DUCKDB=off "$source/packaging/image/build" "$build" "$work/small" >"$work/out" 2>&1
size=$(sed -n 's/.*, \([0-9]*\) bytes packed/\1/p' "$work/out")
check "without DuckDB it should have 60 MB at most, not $size" test "$size" -le 60000000
image=$(ls "$work"/dragoman-*-image-*.tar)
mkdir "$work/image" && tar -C "$work/image" -xf "$image"
python3 - "$work/image" >"$work/said" 2>&1 <<'PYTHON' || { cat "$work/said"; failures=$((failures + 1)); }
import gzip, hashlib, json, sys
from pathlib import Path

top = Path(sys.argv[1])
blob = lambda d: (top / "blobs" / d.replace(":", "/")).read_bytes()
index = json.loads((top / "index.json").read_text())
for path in (top / "blobs/sha256").iterdir():
    assert hashlib.sha256(path.read_bytes()).hexdigest() == path.name
manifest = json.loads(blob(index["manifests"][0]["digest"]))
config = json.loads(blob(manifest["config"]["digest"]))
layer = blob(manifest["layers"][0]["digest"])
assert len(layer) == manifest["layers"][0]["size"]
assert "sha256:" + hashlib.sha256(gzip.decompress(layer)).hexdigest() == config["rootfs"]["diff_ids"][0]
assert config["config"]["User"] == "10001" and config["config"]["Healthcheck"]["Test"][0] == "CMD"
old = json.loads((top / "manifest.json").read_text())[0]
assert (top / old["Config"]).exists() and (top / old["Layers"][0]).exists()
(top / "layer").write_text(manifest["layers"][0]["digest"].replace(":", "/"))
PYTHON
if command -v podman >/dev/null; then
    check "podman should load it" podman --storage-driver=vfs --root "$work/pod" --runroot "$work/podrun" load -i "$image"
    rm -rf "$work/pod" "$work/podrun"
fi
if [ "$(id -u)" != 0 ] || ! mkdir "$work/root" || ! mount -t tmpfs tmpfs "$work/root" 2>/dev/null; then
    echo "image.sh: no root here: the server in it was not run"
    exit $((failures > 0))
fi
mounted+=("$work/root")
tar -C "$work/root" -xzf "$work/image/blobs/$(cat "$work/image/layer")"
mkdir "$work/root/proc" "$work/root/dev"
mount -o remount,ro "$work/root"
for place in data tmp; do
    mount -t tmpfs -o "mode=$([ $place = tmp ] && echo 1777 || echo 700),uid=10001,gid=10001" tmpfs "$work/root/$place"
done
mount --bind /proc "$work/root/proc"
mount --bind /dev "$work/root/dev"
mounted=("$work/root/proc" "$work/root/dev" "$work/root/tmp" "$work/root/data" "$work/root")
words=(env -i PATH=/usr/bin HOME=/data DRAGOMAN_LOG_LEVEL=info /usr/sbin/chroot --userspec=10001:10001 --groups= "$work/root")
inside() { "${words[@]}" "$@"; }
port=$("$source/tests/free-port")
# without a key it listens on this machine alone; what the image says is tried with one
inside /opt/dragoman/bin/dragoman keys add test --data /data >"$work/key" 2>&1
key=$(grep -oE 'dgm_[A-Za-z0-9_-]+' "$work/key" | head -n 1)
"${words[@]}" /opt/dragoman/bin/dragoman serve --listen "0.0.0.0:$port" --data /data >"$work/server" 2>&1 &
server=$!
for _ in $(seq 100); do inside /opt/dragoman/bin/healthcheck "$port" 2>/dev/null && break; sleep 0.1; done
check "the health check should say that it is well" inside /opt/dragoman/bin/healthcheck "$port"
printf 'city,people\nKiel,3\nBonn,4\n' >"$work/people.csv"
call() { curl --fail-with-body -sS --noproxy '*' -H "Authorization: Bearer $key" "$@"; }
check "it should take a file" call -F file=@"$work/people.csv" "http://127.0.0.1:$port/api/v1/datasets"
check "and answer" grep -q '"rows":\[\[7\]\]' <(call -H 'Content-Type: application/json' -d '{"message": "total people"}' "http://127.0.0.1:$port/api/v1/chat")
check "it should run as its user" grep -qx "Uid:	10001	10001	10001	10001" "/proc/$server/status"
kill -TERM "$server"
wait "$server"
server=
check "a health check without a server should fail" test 1 = "$(inside /opt/dragoman/bin/healthcheck "$port" 2>/dev/null; echo $?)"
[ $failures = 0 ] && echo "image: ok, $size bytes packed without DuckDB"
[ $failures = 0 ] || head -n 5 "$work/server" "$work/key"
exit $((failures > 0))
