# bash completion for dragoman, made by: dragoman completion bash
_dragoman() {
    local current=${COMP_WORDS[COMP_CWORD]} command= flags= words= files= i
    local previous=${COMP_WORDS[COMP_CWORD-1]}
    local commands='ask chat sql serve mcp schema guard states doctor selftest sessions lessons history saved dataset source keys answer replay backup restore sample config features eval completion help version'
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case " $commands " in
        *" ${COMP_WORDS[i]} "*) command=${COMP_WORDS[i]}; break ;;
        esac
    done
    case "$command:$previous" in
    *:--config) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    *:--set) ;;
    *:--dictionary) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    *:--data) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    *:--color) COMPREPLY=($(compgen -W 'auto always never' -- "$current")) ;;
    ask:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    ask:--dataset) ;;
    ask:--brain) COMPREPLY=($(compgen -W 'auto parser llm' -- "$current")) ;;
    ask:--format) COMPREPLY=($(compgen -W 'table csv json markdown' -- "$current")) ;;
    ask:--rows) ;;
    ask:--session) ;;
    ask:--resume) ;;
    ask:--retry) ;;
    ask:--reading) ;;
    ask:--approve) ;;
    ask:--reject) ;;
    ask:--wrong) ;;
    ask:--good) ;;
    ask:--keep) ;;
    ask:--export) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    ask:--trace) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    chat:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    chat:--dataset) ;;
    chat:--brain) COMPREPLY=($(compgen -W 'auto parser llm' -- "$current")) ;;
    chat:--format) COMPREPLY=($(compgen -W 'table csv json markdown' -- "$current")) ;;
    chat:--rows) ;;
    chat:--session) ;;
    sql:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    sql:--dataset) ;;
    sql:--format) COMPREPLY=($(compgen -W 'table csv json markdown' -- "$current")) ;;
    sql:--rows) ;;
    sql:--export) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    serve:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    serve:--dataset) ;;
    serve:--listen) ;;
    mcp:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    mcp:--dataset) ;;
    mcp:--install) COMPREPLY=($(compgen -W 'claude claude-code cursor gemini vscode windsurf' -- "$current")) ;;
    schema:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    schema:--dataset) ;;
    schema:--format) COMPREPLY=($(compgen -W 'text json mermaid' -- "$current")) ;;
    schema:--interval) ;;
    guard:--dialect) COMPREPLY=($(compgen -W 'sqlite duckdb postgres mysql clickhouse bigquery odbc' -- "$current")) ;;
    guard:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    states:--format) COMPREPLY=($(compgen -W 'text json mermaid markdown' -- "$current")) ;;
    doctor:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    selftest:--db) ;;
    selftest:--superuser) ;;
    selftest:--setup) COMPREPLY=($(compgen -W 'sqlite duckdb postgres mysql' -- "$current")) ;;
    sessions:--format) COMPREPLY=($(compgen -W 'table csv json markdown' -- "$current")) ;;
    sessions:--rows) ;;
    lessons:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    lessons:--rule) ;;
    lessons:--confidence) ;;
    lessons:--format) COMPREPLY=($(compgen -W 'table csv json markdown' -- "$current")) ;;
    lessons:--rows) ;;
    history:--source) ;;
    history:--limit) ;;
    history:--skip) ;;
    history:--forget) ;;
    history:--format) COMPREPLY=($(compgen -W 'table csv json markdown' -- "$current")) ;;
    history:--rows) ;;
    saved:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    saved:--question) ;;
    saved:--param) ;;
    saved:--format) COMPREPLY=($(compgen -W 'table csv json markdown' -- "$current")) ;;
    saved:--rows) ;;
    saved:--export) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    dataset:--name) ;;
    dataset:--table) ;;
    dataset:--format) COMPREPLY=($(compgen -W 'table csv json markdown' -- "$current")) ;;
    dataset:--rows) ;;
    source:--id) ;;
    source:--description) ;;
    keys:--scopes) ;;
    keys:--datasource) ;;
    keys:--rate) ;;
    keys:--concurrent) ;;
    keys:--daily-tokens) ;;
    keys:--expires) ;;
    keys:--label) ;;
    answer:--db) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    answer:--format) COMPREPLY=($(compgen -W 'table csv json markdown' -- "$current")) ;;
    answer:--rows) ;;
    answer:--export) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    answer:--chart) COMPREPLY=($(compgen -W 'auto figure line area stacked share arc bar scatter multiples' -- "$current")) ;;
    answer:--draw) COMPREPLY=($(compgen -W 'vega svg text' -- "$current")) ;;
    features:--questions) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    features:--databases) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    features:--out) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    features:--threads) ;;
    eval:--questions) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    eval:--databases) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    eval:--weights) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    eval:--brain) ;;
    eval:--limit) ;;
    eval:--width) ;;
    eval:--out) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    eval:--candidates) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    *)
    case "$command" in
    '') words=$commands flags=' --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    ask) flags=' --db --dataset --brain --format --json --sql-only --dry-run --explain --rows --chart --session --resume --new --retry --reading --approve --reject --wrong --good --keep --allow-write --fresh --no-memory --no-plan --export --trace --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    chat) flags=' --db --dataset --brain --format --rows --session --allow-write --no-plan --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    sql) flags=' --db --dataset --format --json --rows --export --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    serve) flags=' --db --dataset --listen --openapi --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    mcp) flags=' --db --dataset --install --yes --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    schema) flags=' --db --dataset --format --json --mermaid --questions --watch --interval --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    guard) flags=' --dialect --db --json --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    states) flags=' --format --json --mermaid --markdown --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    doctor) flags=' --db --json --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    selftest) flags=' --attacks --db --superuser --setup --json --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    sessions) flags=' --format --json --rows --delete --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    lessons) flags=' --db --rule --confidence --format --json --rows --config --set --dictionary --data --quiet --verbose --color --help --version' words='list show add edit enable disable remove undo export import' ;;
    history) flags=' --source --limit --skip --forget --format --json --rows --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    saved) flags=' --db --question --param --format --json --rows --export --config --set --dictionary --data --quiet --verbose --color --help --version' words='list show add run rename remove' ;;
    dataset) flags=' --name --replace --table --format --json --rows --config --set --dictionary --data --quiet --verbose --color --help --version' words='list add show preview rejects replace delete' ;;
    source) flags=' --id --description --json --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    keys) flags=' --scopes --datasource --rate --concurrent --daily-tokens --expires --label --json --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    answer) flags=' --db --format --json --sql-only --rows --export --chart --draw --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    replay) flags=' --config --set --dictionary --data --quiet --verbose --color --help --version' files=1 ;;
    backup) flags=' --config --set --dictionary --data --quiet --verbose --color --help --version' files=1 ;;
    restore) flags=' --yes --config --set --dictionary --data --quiet --verbose --color --help --version' files=1 ;;
    sample) flags=' --force --config --set --dictionary --data --quiet --verbose --color --help --version' files=1 ;;
    config) flags=' --json --config --set --dictionary --data --quiet --verbose --color --help --version' words='reference' ;;
    features) flags=' --questions --databases --out --threads --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    eval) flags=' --questions --databases --weights --brain --limit --width --out --json --csv --candidates --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    completion) flags=' --config --set --dictionary --data --quiet --verbose --color --help --version' words='bash zsh fish' ;;
    help) flags=' --config --set --dictionary --data --quiet --verbose --color --help --version' words='ask chat sql serve mcp schema guard states doctor selftest sessions lessons history saved dataset source keys answer replay backup restore sample config features eval completion help version exit write settings' ;;
    version) flags=' --config --set --dictionary --data --quiet --verbose --color --help --version' ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$flags" -- "$current"))
    elif [[ -n $files ]]; then
        compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current")
    else
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    fi ;;
    esac
}
complete -F _dragoman dragoman
