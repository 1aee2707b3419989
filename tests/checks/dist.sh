#!/bin/bash
# The tarball: the same bytes twice, from any folder; what is in it; a signature that a changed byte, another file and
# another key do not pass. The key is made here and thrown away. Status 77: no repository, or no minisign.
# usage: dist.sh SOURCE_FOLDER
set -u
source=$(realpath "$1")
dist=$source/tools/dist
git -C "$source" rev-parse --verify -q HEAD >/dev/null 2>&1 && command -v minisign >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
check() { # WHAT CONDITION...
    local what=$1
    shift
    "$@" >"$work/said" 2>&1 || {
        echo "FAILED dist.sh: $what"
        head -n 5 "$work/said"
        failures=$((failures + 1))
    }
}
# shellcheck disable=SC2317 # called by check
refused() { ! "$@"; }

cd "$work" || exit 1
minisign -G -W -p test.pub -s test.key >/dev/null 2>&1
minisign -G -W -p other.pub -s other.key >/dev/null 2>&1
file=dragoman-$(git -C "$source" show HEAD:VERSION).tar.gz
DIST_KEY=test.key "$dist" one >out 2>/dev/null
check "it should say that it is signed" grep -q ', signed' out
# another folder, umask, time zone and language, from another working folder
(cd / && umask 077 && TZ=Asia/Tokyo LC_ALL=C "$dist" "$work/two" >"$work/out" 2>/dev/null)
check "it should say that it is not signed" grep -q 'NOT signed' out
check "there should be no signature without a key" test ! -e "two/$file.minisig"
check "a key that is not there should be an error" refused env DIST_KEY=missing.key "$dist" three
check "two tarballs should be the same" cmp "one/$file" "two/$file"

check "a good one should be verified" "$dist" --verify "one/$file" test.pub
check "another key should be refused" refused "$dist" --verify "one/$file" other.pub
cp -r one changed
printf x | dd of="changed/$file" bs=1 seek=1000 conv=notrunc 2>/dev/null
check "a changed byte should be refused" refused "$dist" --verify "changed/$file" test.pub
(cd changed && sha256sum "$file" >"$file.sha256")
check "also with a checksum made for it" refused "$dist" --verify "changed/$file" test.pub
cp "two/$file.sha256" changed/ && cp "two/$file" changed/ && rm "changed/$file.minisig"
check "one without a signature should be refused" refused "$dist" --verify "changed/$file" test.pub

tar -tzf "one/$file" >list
check "everything should be below one folder" refused grep -qv "^${file%.tar.gz}/" list
check "every file of the commit should be in it" \
    cmp <(git -C "$source" ls-tree -r --name-only HEAD | sort) <(sed -n "s|^${file%.tar.gz}/||p" list | grep -v '/$' | grep . | sort)
check "owners should be nobody's" refused grep -qv ' root/root ' <(tar -tvzf "one/$file")
[ $failures = 0 ] && echo "dist: ok, $(grep -vc '/$' list) files"
exit $((failures > 0))
