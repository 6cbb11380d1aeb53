#!/usr/bin/env bash
# Kubernetes and HTCondor without a cluster: their own schema and parser read the jobs, and the commands that they read out of them are run.
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
