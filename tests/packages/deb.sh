#!/bin/bash
# The Debian packages: what lintian says, what is in them, and the program and library from them, unpacked.
# usage: deb.sh SOURCE BUILD
set -u
source=$(realpath "$1")
build=$(realpath "$2")
command -v dpkg-shlibdeps >/dev/null || exit 77
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$source/tests/packages/lib.sh"
version=$(cat "$source/VERSION")
DEB_LEVEL=0 "$source/packaging/deb/build" "$build" "$work/packages" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
for package in "$work"/packages/*.deb; do dpkg-deb -x "$package" "$work/root"; done
if command -v lintian >/dev/null; then
    check "lintian should find nothing" test -z "$(lintian --fail-on none "$work"/packages/*.deb 2>/dev/null | tee "$work/lintian")"
    head -n 5 "$work/lintian"
else
    echo "deb.sh: no lintian here"
fi
in=$work answers "$work/root/usr/bin/dragoman"

pc=$work/root/usr/lib/$(gcc -print-multiarch)/pkgconfig
printf '#include <dragoman.h>\n#include <stdio.h>\nint main(void) { puts(dgm_version()); return 0; }\n' >"$work/use.c"
flags=$(PKG_CONFIG_PATH=$pc PKG_CONFIG_SYSROOT_DIR=$work/root pkg-config --cflags --libs dragoman)
# shellcheck disable=SC2086
check "a program should build with the development files" gcc -o "$work/use" "$work/use.c" -I"$work/root/usr/include" -L"$work/root/usr/lib/$(gcc -print-multiarch)" $flags
check "and run with the library" grep -q "$version" <(LD_LIBRARY_PATH=$work/root/usr/lib/$(gcc -print-multiarch) "$work/use")
for script in postinst prerm postrm; do
    check "$script should be valid" dash -n "$source/packaging/deb/dragoman-server.$script"
done
check "the unit should start the packaged program" grep -q '^ExecStart=/usr/bin/dragoman serve --config /etc/dragoman/dragoman.yaml' "$work/root/lib/systemd/system/dragoman.service"
check "its configuration should be valid" "$work/root/usr/bin/dragoman" config --config "$work/root/etc/dragoman/dragoman.yaml"
[ $failures = 0 ] && echo "deb: ok, $(find "$work/packages" -name '*.deb' | wc -l) packages"
exit $((failures > 0))
