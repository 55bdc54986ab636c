#!/bin/sh
# How fast and how large is explain-131056 beside its peers? Prints, for each of three interleaved runs, wall time, processor time and peak memory,
# and at the end how many times faster wactl was (medians) and how its memory compares. The bound for gzip is "inflate", which unpacks and does no more.
#
#   testdata/bench/explain.sh [MEGABYTES]      the log's size, 1000 if not given
#
# The log is written once and then lies in the page cache. Peers that are not installed are named and left out: DuckDB is the npm package
# @duckdb/node-api (NODE_PATH or PEERS names the folder that has node_modules), jq and Python come from the system.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
megabytes=${1:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$here/../.."

go build -o "$work/wactl" .
go build -o "$work/inflate" ./testdata/bench/inflate
go run ./testdata/bench/genlog -mb "$megabytes" > "$work/log.jsonl"
gzip -1 -c "$work/log.jsonl" > "$work/log.jsonl.gz"
cat "$work/log.jsonl" > /dev/null
echo "log: $(wc -c < "$work/log.jsonl") bytes, $(wc -l < "$work/log.jsonl") messages; $(nproc) cores; load $(cut -d' ' -f1 /proc/loadavg)"

# one NAME COMMAND…: runs it once and adds "NAME wall cpu peak" to the results.
one() {
	name=$1
	shift
	if ! /usr/bin/time -o "$work/time" -f '%e %U %S %M' "$@" > "$work/out" 2> "$work/err"; then
		echo "  $name failed: $(tail -n 1 "$work/err")"
		return
	fi
	tail -n 1 "$work/time" | awk -v name="$name" '{ printf "%s %s %.2f %.1f\n", name, $1, $2 + $3, $4 / 1024 }' | tee -a "$work/results" |
		awk '{ printf "  %-12s %8.2f s wall %8.2f s processor %8.1f MiB\n", $1, $2, $3, $4 }'
}

peers=
if command -v node > /dev/null && [ -d "${PEERS:-.}/node_modules/@duckdb/node-api" ]; then
	cp "$here/explain.mjs" "$PEERS/explain-bench.mjs"
	trap 'rm -rf "$work" "$PEERS/explain-bench.mjs"' EXIT
	peers="$peers duckdb"
else
	echo "absent: DuckDB (PEERS=folder with node_modules/@duckdb/node-api)"
fi
command -v python3 > /dev/null && peers="$peers python" || echo "absent: python3"
command -v jq > /dev/null && peers="$peers jq" || echo "absent: jq"

for run in 1 2 3; do
	echo "run $run"
	one wactl "$work/wactl" explain-131056 "$work/log.jsonl"
	for peer in $peers; do
		case $peer in
		duckdb) one duckdb node "$PEERS/explain-bench.mjs" "$work/log.jsonl" ;;
		python) one python python3 "$here/explain.py" "$work/log.jsonl" ;;
		jq) one jq jq -r -f "$here/explain.jq" "$work/log.jsonl" ;;
		esac
	done
	one wactl-pipe sh -c "cat '$work/log.jsonl' | '$work/wactl' explain-131056 -"
	one wactl-json "$work/wactl" explain-131056 --format json "$work/log.jsonl"
	one wactl-gzip "$work/wactl" explain-131056 "$work/log.jsonl.gz"
	one inflate "$work/inflate" "$work/log.jsonl.gz"
done

bytes=$(wc -c < "$work/log.jsonl")
messages=$(wc -l < "$work/log.jsonl")
sort -k1,1 -k2,2n "$work/results" | awk -v bytes="$bytes" -v messages="$messages" '
	{ n[$1]++; wall[$1, n[$1]] = $2; if ($3 < cpu[$1] || n[$1] == 1) cpu[$1] = $3; if ($4 > peak[$1]) peak[$1] = $4 }
	function median(name) { return wall[name, int((n[name] + 1) / 2)] }
	END {
		w = median("wactl")
		printf "wactl: %.2f GB/s, %.1f MiB at most, %.1f bytes a message\n", bytes / w / 1e9, peak["wactl"], peak["wactl"] * 1048576 / messages
		printf "gzip: at %.0f %% of the rate of inflate alone\n", 100 * median("inflate") / median("wactl-gzip")
		for (name in n) if (name != "wactl")
			printf "%-12s %6.2f times the wall time of wactl, %6.2f times its processor time, %5.2f times its memory\n", name, median(name) / w, cpu[name] / cpu["wactl"], peak[name] / peak["wactl"]
	}' | sort
