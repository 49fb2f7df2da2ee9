#!/bin/bash
# Makes packages and repositories of dnf, zypper and pacman in a root of its own, and the state in which each case begins.
# `root.ts` runs it inside.
set -euo pipefail
cd /
export HOME=/root SOURCE_DATE_EPOCH=1700000000 LC_ALL=C.UTF-8
build=/srv/build
mkdir -p "$build" /srv/rpm /srv/files /srv/pacman /etc/rpm /etc/yum.repos.d /etc/zypp/repos.d /etc/zypp/services.d
mkdir -p /etc/dnf/plugins /etc/dnf/modules.d /etc/dnf/vars /var/lib/dnf /var/lib/pacman /opt/packages
ln -sf dnf /usr/bin/yum
cat > /etc/rpm/macros <<'END'
%_dbpath /var/lib/rpm
%_buildhost localhost
%use_source_date_epoch_as_buildtime 1
%_build_id_links none
%debug_package %{nil}
%__os_install_post %{nil}
END

# NAME VERSION RELEASE [LINE OF THE PREAMBLE…]: a package with one file; `conf:` as a line adds a configuration file.
spec() {
  local name=$1 version=$2 release=$3 file="$build/$1-$2-$3.spec" files="/opt/packages/$1" make='' scripts=''
  local own=$1
  # Versions of this package are installed side by side.
  test "$1" != kernel || own=$1-$2 files=$files-$2
  shift 3
  {
    printf '%s\n' "Name: $name" "Version: $version" "Release: $release" "Summary: Package $name" 'License: MIT'
    for line; do
      case "$line" in
        conf:) files="$files
%config(noreplace) /opt/packages/$name.conf" make="echo first > %{buildroot}/opt/packages/$name.conf" ;;
        fails:) scripts='%pre
echo "not on this machine" >&2; exit 1' ;;
        *) echo "$line" ;;
      esac
    done
    printf '%s\n' '%description' "$name" '%install' "mkdir -p %{buildroot}/opt/packages; echo $version > %{buildroot}/opt/packages/$own" "$make"
    printf '%s\n' "$scripts" '%files' "$files"
  } > "$file"
}
any='BuildArch: noarch'
spec distribution 9 1 "$any" 'Provides: system-release = 9' 'Provides: system-release(releasever) = 9'
spec shell 5.2 1 "$any" 'Provides: /bin/sh'
spec alpha 1.0 1 "$any"
spec alpha 1.1 1 "$any"
spec alpha 2.0 1 "$any"
spec alphabet 1.0 1 "$any"
spec epoch 1.0 1 "$any" 'Epoch: 1'
spec epoch 2.0 1 "$any" 'Epoch: 1'
spec release 1.0 1.el9 "$any"
spec release 1.0 2.el9 "$any"
spec release 1.0 10.el9 "$any"
spec tilde 1.0~rc1 1 "$any"
spec tilde 1.0 1 "$any"
spec server 1.0 1 "$any" 'Provides: virtual-server = 3.0'
spec base 1.0 1 "$any"
spec base 2.0 1 "$any"
spec needy 1.0 1 "$any" 'Requires: base'
spec broken 1.0 1 "$any" 'Requires: nothing-provides-this'
spec failing 1.0 1 "$any" fails:
spec configured 1.0 1 "$any" conf:
spec oldname 1.0 1 "$any"
spec newname 2.0 1 "$any" 'Obsoletes: oldname < 2' 'Provides: oldname = 2.0'
spec kernel 5.1 1 "$any"
spec kernel 5.2 1 "$any"
spec kernel 5.3 1 "$any"
spec python3.11 3.11.2 1 "$any"
spec under_score+plus 1.0 1 "$any"
for stream in 1 2; do
  spec tool "$stream.0" "1.module$stream" "$any"
  spec tool-small "$stream.0" "1.module$stream" "$any"
done
spec bare 5.0 1.module5 "$any"
rpmbuild --quiet -bb --define "_topdir $build" --define '_rpmdir /srv/rpm' --define '_rpmfilename %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm' "$build"/*.spec
rm "$build"/*.spec
spec both 1.0 1
spec both 2.0 1
for target in x86_64 i686; do
  rpmbuild --quiet -bb --target "$target" --define "_topdir $build" --define '_rpmdir /srv/rpm' --define '_rpmfilename %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm' "$build"/*.spec
done

# NAME STREAM: a stream of a module of dnf, with the profiles `common` and `minimal`.
stream() {
  cat <<END
---
document: modulemd
version: 2
data:
  name: $1
  stream: "$2"
  version: 1
  context: "0000000$2"
  arch: x86_64
  summary: Module $1
  description: Module $1
  license: { module: [MIT] }
  dependencies: [{ requires: { platform: [] } }]
  profiles: $3
  artifacts: { rpms: [$4] }
END
}
# MODULE STREAM PROFILES: defaults of a module.
defaults() {
  printf '%s\n' --- 'document: modulemd-defaults' 'version: 1' 'data:' "  module: $1" "$2" "  profiles: $3"
}
both='{ common: { rpms: [tool] }, minimal: { rpms: [tool-small] } }'
{
  for number in 1 2; do
    stream tool "$number" "$both" "'tool-0:$number.0-1.module$number.noarch', 'tool-small-0:$number.0-1.module$number.noarch'"
  done
  stream bare 5 '{ common: { rpms: [bare] } }' "'bare-0:5.0-1.module5.noarch'"
  stream nodefault 7 '{ common: { rpms: [alphabet] } }' ''
  defaults tool '  stream: "1"' '{ "1": [common], "2": [common] }'
  defaults bare '  stream: "5"' '{ "5": [] }'
} > "$build/modules.yaml"
# A package that can only be installed from its file.
cp /srv/rpm/alpha-* /srv/rpm/both-*x86_64* /srv/rpm/failing-* /srv/files
createrepo_c --quiet /srv/rpm
modifyrepo_c --mdtype=modules "$build/modules.yaml" /srv/rpm/repodata >/dev/null
# A repository that is disabled, with a newer package.
mkdir /srv/extra
rm -f "$build"/*.spec
spec alpha 3.0 1 "$any"
spec extra 1.0 1 "$any"
rpmbuild --quiet -bb --define "_topdir $build" --define '_rpmdir /srv/extra' --define '_rpmfilename %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm' "$build"/*.spec
createrepo_c --quiet /srv/extra

cat > /etc/dnf/dnf.conf <<'END'
[main]
gpgcheck=0
installonlypkgs=kernel
installonly_limit=3
clean_requirements_on_remove=False
module_platform_id=platform:el9
metadata_expire=never
END
# Of the plug-ins only versionlock, which prints nothing of its own.
for file in /etc/dnf/plugins/*.conf; do
  test "$file" = /etc/dnf/plugins/versionlock.conf || printf '%s\n' '[main]' enabled=0 > "$file"
done
repository() { # FOLDER NAME ENABLED
  printf '%s\n' "[$1]" "name=$1" "baseurl=file:///srv/$1" "enabled=$2" gpgcheck=0 autorefresh=0 keeppackages=0
}
repository rpm 1 > /etc/yum.repos.d/main.repo
repository extra 0 > /etc/yum.repos.d/extra.repo
cp /etc/yum.repos.d/*.repo /etc/zypp/repos.d
touch /etc/zypp/zypp.conf
rpm --initdb
# Real Puppet fails where rpm lists a single package.
rpm -i /srv/rpm/distribution-9-1.noarch.rpm /srv/rpm/shell-5.2-1.noarch.rpm
dnf -q makecache --enablerepo=extra
zypper --quiet --non-interactive --no-gpg-checks refresh
zypper --quiet --non-interactive --no-gpg-checks refresh extra || :

# NAME VERSION [LINE OF .PKGINFO…]: a package of pacman in a repository of the newest versions.
archive() {
  local name=$1 version=$2 package=/srv/pacman/$1-$2-any.pkg.tar.gz root=$build/archive
  shift 2
  rm -rf "$root"
  mkdir -p "$root/opt/packages"
  echo "$version" > "$root/opt/packages/$name"
  printf '%s\n' "pkgname = $name" "pkgbase = $name" "pkgver = $version" "pkgdesc = Package $name" 'arch = any' 'size = 10' "$@" > "$root/.PKGINFO"
  tar -czf "$package" -C "$root" .PKGINFO opt
  mkdir -p "$build/db/$name-$version"
  {
    printf '%%%s%%\n%s\n\n' FILENAME "$(basename "$package")" NAME "$name" BASE "$name" VERSION "$version" DESC "Package $name" \
      CSIZE "$(stat -c %s "$package")" ISIZE 10 SHA256SUM "$(sha256sum "$package" | cut -d' ' -f1)" ARCH any
    for line; do
      case "$line" in
        group*) printf '%%GROUPS%%\n%s\n\n' "${line#* = }" ;;
        depend*) printf '%%DEPENDS%%\n%s\n\n' "${line#* = }" ;;
        provides*) printf '%%PROVIDES%%\n%s\n\n' "${line#* = }" ;;
        replaces*) printf '%%REPLACES%%\n%s\n\n' "${line#* = }" ;;
      esac
    done
  } > "$build/db/$name-$version/desc"
}
archive filesystem 1.0-1
archive alpha 1.0-1
archive base 1.0-1
cp /srv/pacman/*.gz /srv/files
rm -rf "$build/db"
archive alpha 2.0-1
archive base 2.0-1
archive needy 1.0-1 'depend = base'
archive broken 1.0-1 'depend = nothing-provides-this'
archive server 1.0-1 'provides = virtual-server=3.0'
archive one 1.0-1 'group = several'
archive two 2.0-1 'group = several'
archive epoch 1:1.0-1
(cd "$build/db" && tar -czf /srv/pacman/main.db -- *)
cat > /etc/pacman.conf <<'END'
[options]
Architecture = auto
SigLevel = Never
LocalFileSigLevel = Never
[main]
Server = file:///srv/pacman
END
# Of an empty database, pacman lists no packages with an error.
pacman -U --noconfirm --noprogressbar /srv/files/filesystem-1.0-1-any.pkg.tar.gz >/dev/null
pacman -Sy --noconfirm --noprogressbar >/dev/null

# The beginning of each case.
saved='/etc/dnf /etc/yum.repos.d /etc/zypp /opt/packages /srv/rpm /var/cache/dnf /var/cache/zypp /var/lib/dnf /var/lib/pacman /var/lib/rpm /var/lib/zypp'
mkdir -p $saved /srv/saved
cat > /usr/bin/begin-case <<END
#!/bin/sh
rm -rf $saved
cp -a /srv/saved/. /
END
cat > /usr/bin/print-state <<'END'
#!/bin/sh
cd /
rpm -qa --qf '%{NAME} %|EPOCH?{%{EPOCH}:}|%{VERSION}-%{RELEASE}.%{ARCH}\n' | sort
pacman -Q
grep -rs . opt/packages etc/dnf/modules.d etc/dnf/plugins/versionlock.list etc/zypp/locks | sort
END
chmod +x /usr/bin/begin-case /usr/bin/print-state
cp -a --parents $saved /srv/saved
