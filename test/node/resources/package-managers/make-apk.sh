#!/bin/bash
# Makes a database and a repository of apk in the root that `make-root.sh` made. Its argument is the folder of the program, which Debian
# does not have: build it from github.com/alpinelinux/apk-tools with `make LUA=no SCDOC=:`.
set -euo pipefail
install -m 755 "$1/apk" /usr/sbin/apk
cp -P "$1"/libapk.so* /usr/lib/
ldconfig
build=/srv/build/apk
mkdir -p "$build" /srv/apk/x86_64 /etc/apk
# NAME VERSION [LINE OF .PKGINFO…]: a package is two archives one after the other, the first without its end.
package() {
  local name=$1 version=$2
  shift 2
  rm -rf "$build"
  mkdir -p "$build/data/opt/packages"
  echo "$version" > "$build/data/opt/packages/$name"
  tar -cz --format=pax --pax-option="APK-TOOLS.checksum.SHA1:=$(sha1sum "$build/data/opt/packages/$name" | cut -d' ' -f1)" \
    --owner=0 --group=0 -C "$build/data" -f "$build/data.gz" opt
  printf '%s\n' "pkgname = $name" "pkgver = $version" "pkgdesc = Package $name" 'arch = x86_64' 'size = 10' "$@" \
    "datahash = $(sha256sum "$build/data.gz" | cut -d' ' -f1)" > "$build/.PKGINFO"
  tar -c -b1 --owner=0 --group=0 -C "$build" .PKGINFO | head -c -1024 | gzip -9 | cat - "$build/data.gz" > "/srv/apk/x86_64/$name-$version.apk"
}
package alpha 1.0-r0
package alpha 1.1-r0
package alpha 2.0-r1
package alpha-doc 2.0-r1
package base 1.0-r0
package needy 1.0-r0 'depend = base'
package broken 1.0-r0 'depend = nothing-provides-this'
package server 1.0_rc1-r0 'provides = virtual-server=3.0'
package python3-dev 3.11.2-r3
cd /srv/apk/x86_64
apk index --allow-untrusted --quiet -o APKINDEX.tar.gz ./*.apk
mkdir /srv/apk-edge
package alpha 3.0-r0
mv alpha-3.0-r0.apk /srv/apk-edge
apk index --allow-untrusted --quiet -o /srv/apk-edge/APKINDEX.tar.gz /srv/apk-edge/*.apk
echo /srv/apk > /etc/apk/repositories
echo x86_64 > /etc/apk/arch
apk add --initdb --allow-untrusted --quiet
# Packages without a signature are accepted by a wrapper, because the provider does not allow them.
mv /usr/sbin/apk /usr/sbin/apk.real
printf '%s\n' '#!/bin/sh' 'exec /usr/sbin/apk.real --allow-untrusted --no-progress "$@"' > /usr/sbin/apk
chmod +x /usr/sbin/apk
sed -i "s|^rm -rf |rm -rf /srv/apk /srv/apk-edge /srv/edge /etc/apk /lib/apk |" /usr/bin/begin-case
printf '%s\n' 'cd / && apk info -v' 'sort /etc/apk/world' >> /usr/bin/print-state
cd /
cp -a --parents /srv/apk /srv/apk-edge /etc/apk /usr/lib/apk /srv/saved
