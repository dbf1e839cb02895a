#!/usr/bin/env bash
# crafty-server keeps a world in a PostgreSQL database: it runs on to the same hashes as one in a file, and a
# backup of it is such a file. Starts a server of its own, on a Unix socket only.
# Usage: test_crafty_server_postgres.sh path/to/crafty-server
set -uo pipefail

program=$1
. "$(dirname "$0")/lacking.sh"
# shellcheck disable=SC2012 # names of versions
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
if ! have "$programs/postgres"; then
    finish 0
fi
. "$(dirname "$0")/program.sh"

# PostgreSQL refuses to run as root.
folder=$scratch/database
mkdir "$folder"
as_user=()
if [[ $(id -u) == 0 ]]; then
    user=nobody
    id postgres >/dev/null 2>&1 && user=postgres
    as_user=(setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups)
    chown "$user" "$folder"
    chmod 711 "$scratch"
fi
"${as_user[@]}" "$programs/initdb" -D "$folder/data" -A trust -U crafty --no-sync >"$scratch/log" 2>&1 ||
    fail "initdb: $(tail -n 1 "$scratch/log")"
"${as_user[@]}" "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c shared_buffers=16MB \
    >"$scratch/log" 2>&1 &
database=$!
trap 'kill -QUIT "$database" 2>/dev/null; wait "$database" 2>/dev/null; rm -rf "$scratch"' EXIT
until [[ -S $folder/.s.PGSQL.5432 ]] && "$programs/pg_isready" -q -h "$folder"; do
    kill -0 "$database" || {
        fail "postgres: $(tail -n 1 "$scratch/log")"
        exit 1
    }
    sleep 0.05
done
uri="postgresql://crafty@/postgres?host=$folder&schema=home"

expect 0 --ticks 60
cp "$scratch/out" "$scratch/uninterrupted"
expect 0 --world "$uri" --ticks 25
expect 0 --world "$uri" --ticks 35 --threads 4
cmp -s "$scratch/uninterrupted" "$scratch/out" || fail 'a world in a database does not run on to the same hashes'
expect 0 --world "$uri" --ticks 0
cmp -s "$scratch/uninterrupted" "$scratch/out" || fail 'opening a world changes it'
[[ -e postgresql: ]] && fail 'the URI was taken for a file'

# SIGTERM saves it; while it runs, nobody else opens the world.
bash -c 'exec "$0" "$@"' "$program" --world "$uri" --port "$((20002 + $$ % 20000))" >"$scratch/running" 2>"$scratch/log" &
server=$!
until "$programs/psql" -qtA -h "$folder" -U crafty postgres -c \
    "SELECT 1 FROM pg_stat_activity WHERE application_name='cairn'" | grep -q 1 || ! kill -0 "$server"; do
    sleep 0.05
done
refuses 1 'it is open in another program' --world "$uri" --ticks 0
kill -TERM "$server"
wait "$server" || fail "SIGTERM ends the server with status $?"
expect 0 --world "$uri" --ticks 0
cmp -s "$scratch/running" "$scratch/out" || fail 'SIGTERM loses ticks'

refuses 1 'contains a password' --world 'postgresql://crafty:secret@host/db?schema=home' --ticks 0
grep -q secret "$scratch/err" && fail 'the password is shown'
refuses 1 'schema=name' --world 'postgresql://crafty@host/db' --ticks 0
refuses 1 'the server cannot be reached' --world "postgresql:///db?host=$scratch/none&schema=home" --ticks 0
finish "$failed"
