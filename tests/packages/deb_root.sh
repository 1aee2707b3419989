#!/bin/bash
# The Debian packages in a bare Debian root: installed, asked, served, upgraded while it keeps its data, removed, purged.
# Needs root, debootstrap and the network. Without systemd running there, the service is started as its unit says.
# usage: deb_root.sh SOURCE BUILD
set -u
source=$(realpath "$1")
build=$(realpath "$2")
[ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null && command -v dpkg-shlibdeps >/dev/null || exit 77
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$source/tests/packages/lib.sh"
version=$(cat "$source/VERSION")
root=$work/root
debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" >"$work/log" 2>&1 ||
    { tail -n 3 "$work/log"; echo "deb_root.sh: no bare root could be made here"; exit 77; }
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount --bind /proc "$root/proc" && mounted+=("$root/proc")
mount --bind /dev "$root/dev" && mounted+=("$root/dev")
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get -q update >/dev/null 2>&1
inside apt-get install -y --no-install-recommends curl >/dev/null 2>&1

for one in "$version" "$version+1"; do
    DEB_LEVEL=0 DEB_VERSION=$one "$source/packaging/deb/build" "$build" "$root/packages/$one" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
done
# put VERSION: installs these packages with what they depend on.
put() { inside sh -c "apt-get install -y --no-install-recommends /packages/$1/dragoman_* /packages/$1/dragoman-duckdb_* /packages/$1/dragoman-server_*"; }
start=$(date +%s)
check "apt should install them" put "$version"
echo "deb_root.sh: installed in $(($(date +%s) - start)) s"
in=/tmp
printf 'city,people\nKiel,3\nBonn,4\n' >"$root/tmp/people.csv"
answers inside dragoman

# serve: the command of the unit as an ordinary user, with a data folder of its own.
serve() {
    mkdir -p "$root/var/lib/dragoman" && chown 65534:65534 "$root/var/lib/dragoman"
    read -r -a words < <(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/dragoman.service")
    inside setpriv --reuid 65534 --regid 65534 --clear-groups "${words[@]}" --listen "127.0.0.1:$port" >"$work/server.log" 2>&1 &
    server=$!
    for _ in $(seq 100); do
        curl -fsS --noproxy '*' "http://127.0.0.1:$port/readyz" >/dev/null 2>&1 && return
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat "$work/server.log"
    return 1
}
stop() {
    pkill -TERM -P "$server" 2>/dev/null
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    server=
}
port=$("$source/tests/free-port")
check "the service should start" serve
curl -fsS --noproxy '*' -F file=@"$root/tmp/people.csv" "http://127.0.0.1:$port/api/v1/datasets" >"$work/said" 2>&1
asked() {
    curl -fsS --noproxy '*' -H 'Content-Type: application/json' -d '{"message": "total people"}' "http://127.0.0.1:$port/api/v1/chat" | grep -q '"rows":\[\[7\]\]'
}
check "it should answer on an uploaded file" asked
stop
check "the service should be enabled" test -L "$root/etc/systemd/system/multi-user.target.wants/dragoman.service"
printf '\nagent.max_sql_attempts: 4\n' >>"$root/etc/dragoman/dragoman.yaml"

check "apt should upgrade them" put "$version+1"
check "the configuration should be kept" grep -q 'max_sql_attempts: 4' "$root/etc/dragoman/dragoman.yaml"
check "the service should start after the upgrade" serve
check "the upload should still be there" asked
stop
check "it should be removed" inside apt-get remove -y dragoman-server
check "the data should survive that" test -e "$root/var/lib/dragoman"
check "it should be purged" inside apt-get purge -y dragoman-server dragoman dragoman-duckdb
check "nothing should be left" test ! -e "$root/var/lib/dragoman" -a ! -e "$root/etc/dragoman" -a ! -e "$root/usr/bin/dragoman"
[ $failures = 0 ] && echo "deb_root: ok"
exit $((failures > 0))
