#!/bin/bash
# Keys of the server: made once, kept as a hash, listed without their secret, revoked.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

store=$XDG_DATA_HOME/dragoman
"$dragoman" sample shop.db >/dev/null 2>&1
echo "datasources: [{id: shop, url: $PWD/shop.db}]" >dragoman.yaml

run keys
status_is 0
err_has "no keys yet"
run keys list --json
out_is "[]"

run keys add ann --scopes read,ask --datasource shop --rate 60 --concurrent 2 --daily-tokens 5000 \
    --expires 90d --label "the reports"
status_is 0
check "a key should be printed" matches "$out" '^dgm_[0-9a-f]{16}_[0-9a-f]{64}$'
err_has "shown only once"
key=$out
secret=${key##*_}
id=${key#dgm_}
id=${id%%_*}
check "the store should not hold the secret" bash -c "! grep -aq $secret '$store'/dragoman.db*"
run keys list
status_is 0
out_has "$id"
out_has ann
out_lacks "$secret"
run keys show "$id"
status_is 0
out_has "the reports"
out_has "60"
out_has "5000"
out_has "shop"
out_lacks "$secret"
run keys show "$id" --json
out_has '"rate_per_minute":60'
out_has '"scopes":["read","ask"]'
out_lacks hash
out_lacks "$secret"
run keys add bob --json
status_is 0
out_has '"scopes":["read","ask"]'
out_has '"key":"dgm_'
err_is_empty

# What makes no sense is said.
run keys add
status_is 2
run keys add "two words"
status_is 2
err_is_friendly
run keys add local
status_is 2
run keys add ann --scopes everything
status_is 2
err_has "read, ask and admin"
run keys add ann --datasource atlantis
status_is 10
for bad in "--rate 0" "--rate x" "--concurrent -1" "--daily-tokens 1.5" "--expires soon" "--expires 0d" \
    "--rate 99999999999"; do
    # shellcheck disable=SC2086
    run keys add ann $bad
    status_is 2
    err_is_friendly
done
run keys burn
status_is 2
run keys show nothing
status_is 64
err_is_friendly

run keys revoke "$id"
status_is 0
run keys revoke "$id"
status_is 64
run keys list --json
out_lacks "$id"

summary
