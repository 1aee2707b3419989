#!/bin/bash
# The relocatable archive, in a root that has nothing else: no C library, no shell. Needs root for chroot; without it the
# archive is tried where it is, after a move.
# usage: archive.sh SOURCE BUILD
set -u
source=$(realpath "$1")
build=$(realpath "$2")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$source/tests/packages/lib.sh"
version=$(cat "$source/VERSION")
name=dragoman-$version-linux-$(uname -m)
FOLDER_ONLY=1 "$source/packaging/archive/build" "$build" "$work" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
root=$work/root
mkdir -p "$root/proc" "$root/tmp" "$root/dev" "$root/some where"
mv "$work/$name" "$root/some where/else"
if [ "$(id -u)" = 0 ] && mount --bind /proc "$root/proc" 2>/dev/null; then
    mounted+=("$root/proc")
    mount --bind /dev "$root/dev" && mounted+=("$root/dev")
    printf 'city,people\nKiel,3\nBonn,4\n' >"$root/tmp/people.csv"
    in=/tmp answers env -i HOME=/tmp TMPDIR=/tmp /usr/sbin/chroot "$root" "/some where/else/bin/dragoman"
else
    echo "archive.sh: no root here: tried without one"
    in=$work answers env -i HOME="$work" "$root/some where/else/bin/dragoman"
fi

# Every library that it needs is inside, apart from the kernel's.
missing=$(for file in "$root/some where/else/lib/"*.so* "$root/some where/else/lib/dragoman/"*; do
    "$root/some where/else/lib/"ld-linux* --inhibit-cache --library-path "$root/some where/else/lib" --list "$file" 2>/dev/null
done | grep 'not found' | sort -u)
check "no library should be missing: $missing" test -z "$missing"
check "its launcher should need nothing" grep -q 'statically linked' <(file "$root/some where/else/bin/dragoman")
check "it should contain no path of this machine" test -z "$(grep -rl "$source" "$root/some where/else" | head -n 3)"
[ $failures = 0 ] && echo "archive: ok, $(du -sm "$root/some where" | cut -f1) MB"
exit $((failures > 0))
