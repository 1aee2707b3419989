# Shared by the tests of packages: work folder, check, what every package must be able to do.
# shellcheck shell=bash
failures=0
work=$(mktemp -d)
mounted=()
# questions that were asked here before must not answer
export HOME=$work
unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME
# shellcheck disable=SC2317 # called by trap
clean_up() {
    [ -z "${server:-}" ] || kill "$server" 2>/dev/null
    local place
    for place in "${mounted[@]}"; do umount -l "$place"; done
    rm -rf "$work"
}
trap clean_up EXIT

check() { # WHAT COMMAND...
    local what=$1
    shift
    "$@" >"$work/said" 2>&1 || {
        echo "FAILED: $what"
        head -n 5 "$work/said"
        failures=$((failures + 1))
    }
}

# answers PREFIX...: the program that PREFIX starts makes the sample, asks it, and reads a CSV file.
answers() {
    printf 'city,people\nKiel,3\nBonn,4\n' >"$work/people.csv"
    check "the version should be that of the source" grep -qx "dragoman $version" <("$@" version)
    check "it should make the sample" "$@" sample "$in/shop.db"
    check "it should answer without a network" grep -q -x 2400 <("$@" ask --format csv --db "$in/shop.db" "how many customers are there?" 2>&1)
    check "it should read a CSV file with DuckDB" grep -qx '7' <("$@" ask --format csv --db "$in/people.csv" "total people" 2>&1)
}
