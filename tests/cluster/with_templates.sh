#!/usr/bin/env bash
# Tests Kubernetes and HTCondor jobs without a cluster: checks them with the engine's own schema or parser, and runs the commands that they contain.
source "$(dirname "$0")/common.sh"
trap 'cd /; rm -rf "$work"' EXIT

whole
case $1 in
kubernetes)
    print_job kubernetes job.yaml --shards 4 --film film.png
    for version in 1.32 1.33; do
        kubernetes-validate --strict --kubernetes-version "$version" job.yaml >log || fail "$(cat log)"
    done
    python3 "$tests/pods.py" job.yaml "$program"
    is_whole kubernetes
    cmp film.png <("$program" film whole -o - --format apng --quiet)
    ;;
htcondor)
    print_job htcondor job.dag --shards 4 --film film.png
    python3 "$tests/dag.py" job.dag "$program"
    is_whole htcondor
    cmp film.png <("$program" film whole -o - --format apng --quiet)
    ;;
esac
