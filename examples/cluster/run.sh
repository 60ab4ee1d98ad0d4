#!/usr/bin/env bash
# Starts a Redis and three servers above it on this machine, and ends all of them with Ctrl-C.
# Usage: run.sh [path of the proscenium binary]

set -euo pipefail
program="${1:-$(dirname "${BASH_SOURCE[0]}")/../../target/release/proscenium}"
for needed in redis-server "$program"; do
  if [[ ! -x "$(command -v "$needed")" ]]; then
    echo "run.sh: $needed is not there: install Redis, and build with cargo build --release" >&2
    exit 66
  fi
done
folder="$(mktemp -d)"
processes=()

finish() {
  kill "${processes[@]}" 2>/dev/null || true
  wait "${processes[@]}" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 0' INT TERM

redis-server --port 0 --unixsocket "$folder/redis.sock" --dir "$folder" --save '' \
  --appendonly yes --appendfsync everysec --maxmemory-policy noeviction >"$folder/redis.log" &
processes+=($!)
until [[ -S "$folder/redis.sock" ]]; do
  if ! kill -0 "${processes[0]}" 2>/dev/null; then
    cat "$folder/redis.log" >&2
    exit 69
  fi
  sleep 0.1
done

export PROSCENIUM_STORE_URL="redis+unix://$folder/redis.sock"
for port in 6781 6782 6783; do
  "$program" serve --listen "127.0.0.1:$port" &
  processes+=($!)
done
wait
