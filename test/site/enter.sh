#!/bin/sh
# enter.sh FOLDER NAME COMMAND…: the command in a root of its own, FOLDER/NAME, laid over FOLDER/base, without a network.
# There are /plumb (the built package), /modules and /site (this folder).
set -eu
export FOLDER="$1" ROOT="$1/$2/root" OWN="$1/$2" SITE="$(dirname "$(realpath "$0")")" NODE="$(command -v node)"
shift 2
mkdir -p "$OWN/up" "$OWN/work" "$ROOT"
exec unshare --mount --net --pid --ipc --uts --fork sh -ec '
mount -t overlay overlay -o "lowerdir=$FOLDER/base,upperdir=$OWN/up,workdir=$OWN/work" "$ROOT"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount -t tmpfs tmpfs "$ROOT/run"
mount -t sysfs sysfs "$ROOT/sys"
mkdir -p "$ROOT/plumb" "$ROOT/modules" "$ROOT/site"
touch "$ROOT/usr/local/bin/node"
mount --bind "$SITE/../.." "$ROOT/plumb"
mount --bind "$FOLDER/modules" "$ROOT/modules"
mount --bind "$SITE" "$ROOT/site"
mount --bind "$NODE" "$ROOT/usr/local/bin/node"
ip link set lo up
ip link add eth0 type veth peer name eth1
ip addr add 10.9.0.2/24 dev eth0
ip link set eth1 up
ip link set eth0 up
ip route add unreachable default
hostname node.example.test
exec chroot "$ROOT" "$@"' sh "$@"
