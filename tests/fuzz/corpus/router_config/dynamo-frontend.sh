#!/bin/sh
# An example for `schedproof import router`: commands that start frontends of Dynamo.
export DYN_ROUTER_TEMPERATURE=0
python -m dynamo.frontend --router-mode kv --kv-overlap-score-weight 1.0 \
    --no-kv-events --busy-threshold 0.9 --http-port 8000 &
python -m dynamo.frontend --router-mode power-of-two --http-port 8001
