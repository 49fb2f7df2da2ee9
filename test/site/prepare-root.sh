#!/bin/sh
# prepare-root.sh FOLDER: a Debian in FOLDER/base with real Puppet, and with the packages of site.pp to be installed without a
# network; and FOLDER/modules, Debian's modules of this machine as plain files. Needs root, debootstrap and Debian's servers.
set -eu
folder=$1
base=$folder/base
export DEBIAN_FRONTEND=noninteractive
[ -e "$folder/ready" ] && exit 0
rm -rf "$folder"
mkdir -p "$folder"
debootstrap --variant=minbase --include=ca-certificates,puppet-agent,ruby-augeas,augeas-tools,cron,git,procps,iproute2,iptables,lsb-release bookworm "$base" http://deb.debian.org/debian
# No service starts as it is installed: Puppet starts them.
printf '#!/bin/sh\nexit 101\n' >"$base/usr/sbin/policy-rc.d"
chmod 755 "$base/usr/sbin/policy-rc.d"
for package in apache2 mime-support gnupg rsyslog-relp rsyslog-gnutls chrony openssh-server openssh-client memcached redis-server rsync xinetd haproxy postfix bsd-mailx tftpd-hpa acl unzip sudo rsyslog logrotate mariadb-server postgresql iptables-persistent netfilter-persistent; do
  chroot "$base" apt-get install -y -qq --download-only "$package"
done
printf '127.0.0.1 localhost\n127.0.1.1 node.example.test node\n' >"$base/etc/hosts"
echo 'nameserver 127.0.0.1' >"$base/etc/resolv.conf"
chroot "$base" sh -e <<'ORIGIN'
mkdir -p /srv/work/tool
cd /srv/work
echo tool >tool/readme
tar -czf /srv/origin.tar.gz tool
git init -q -b main
git add tool
GIT_AUTHOR_DATE=2020-01-01T00:00Z GIT_COMMITTER_DATE=2020-01-01T00:00Z git -c user.name=a -c user.email=a@b commit -qm one
git clone -q --bare . /srv/origin.git
cd /
rm -rf /srv/work
ORIGIN
cp -rL /usr/share/puppet/modules "$folder/modules"
mv "$folder/modules/saz-rsyslog" "$folder/modules/rsyslog"
# Debian's package has no files, of which a manifest names one.
mkdir "$folder/modules/rsyslog/files"
echo 'RSYSLOGD_OPTIONS=""' >"$folder/modules/rsyslog/files/rsyslog_default"
touch "$folder/ready"
