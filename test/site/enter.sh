#!/bin/sh
# enter.sh FOLDER NAME COMMAND…: the command in a root of its own, FOLDER/NAME, laid over FOLDER/base, in the network that
# network.sh made for NAME. There are /plumb (the built package), /modules and /site (this folder).
set -eu
export FOLDER="$1" ROOT="$1/$2/root" OWN="$1/$2" SITE="$(dirname "$(realpath "$0")")" NODE="$(command -v node)"
network=plumb-site-$2
shift 2
mkdir -p "$OWN/up" "$OWN/work" "$ROOT"
# Nothing runs that systemctl could ask: it says so and is content, as where a system is built.
export SYSTEMD_OFFLINE=1
exec ip netns exec "$network" unshare --mount --pid --ipc --uts --fork sh -ec '
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
hostname node.example.test
exec chroot "$ROOT" "$@"' sh "$@"
