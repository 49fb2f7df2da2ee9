#!/bin/sh
# network.sh NAME: a network of its own for the root NAME and its server: loopback, one address (the same in all), and no way out.
set -eu
network=plumb-site-$1
ip netns delete "$network" 2>/dev/null || true
ip netns add "$network"
ip -netns "$network" link set lo up
ip -netns "$network" link add eth0 address 02:00:0a:09:00:02 type veth peer name eth1 address 02:00:0a:09:00:01
ip -netns "$network" addr add 10.9.0.2/24 dev eth0
ip -netns "$network" link set eth1 up
ip -netns "$network" link set eth0 up
ip -netns "$network" route add unreachable default
