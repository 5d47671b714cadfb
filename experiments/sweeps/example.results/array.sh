#!/bin/sh
exec /work/main/build/release/bin/schedproof sweep experiments/sweeps/example.toml --resume experiments/sweeps/example.results --threads 1 --shard "$SLURM_ARRAY_TASK_ID/8"
