#!/bin/bash
# Unpacks Debian's dnf, zypper, rpm, createrepo_c and pacman into a folder, without installing them: on the machine itself
# they would make providers of packages suitable that other tests expect to be missing. `root.ts` lays the folder over a
# copy of the machine's root. Run it as root after `apt-get update`.
set -euo pipefail
folder=${1:-/var/cache/plumb-package-managers}
test ! -e "$folder/usr/bin/dnf" || exit 0
archives=$(mktemp -d)
trap 'rm -rf "$archives"' EXIT
download() {
  mkdir -p "$archives/partial"
  apt-get install -y -qq --no-install-recommends --download-only -o APT::Sandbox::User=root \
    -o "Dir::Cache::archives=$archives" "$@" >/dev/null
}
# Debian's dnf-plugins-core may not be installed beside zypper, because both contain `needs-restarting`.
download rpm createrepo-c pacman-package-manager dnf dnf-plugins-core
download zypper
# The directories that are links on Debian stay links.
rm -rf "$folder.new"
mkdir -p "$folder.new"/usr/{bin,sbin,lib,lib64}
for name in bin sbin lib lib64; do ln -s "usr/$name" "$folder.new/$name"; done
for deb in "$archives"/*.deb; do
  dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$folder.new"
done
rm -rf "$folder"
mv "$folder.new" "$folder"
