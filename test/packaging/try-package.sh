# Inside a Debian without Node: installs the package, uses it, upgrades, removes and purges it. Each line that it prints is a
# step and its result; test/packaging/debian.e2e.test.ts compares them.
set -e
export HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin

dpkg -i /tmp/plumbline.deb >/dev/null
echo "installed: $(dpkg-query -W -f '${Status}' plumbline)"
echo "verified:$(dpkg -V plumbline)"
modes() { stat -c '%U %a' /etc/plumb /etc/plumb/ca /etc/plumb/ssl /var/lib/plumb /var/lib/plumb-server | tr '\n' ' '; }
sh /tmp/use-package.sh

echo '# changed' >>/etc/plumb/puppet.conf
# The layout of 0.1.0, in which the user plumb owned the state of root's agent, with a plug-in and a link that it planted.
server_files=$(find /var/lib/plumb-server -type f | wc -l)
rm -rf /var/lib/plumb /etc/plumb/ssl
mv /var/lib/plumb-server /var/lib/plumb
cp -a /var/lib/plumb/ssl /etc/plumb/ssl
install -d -o plumb -g plumb /var/lib/plumb/lib /var/lib/plumb/state /var/lib/plumb/devices/switch/lib
echo evil >/var/lib/plumb/lib/evil.rb
echo evil >/var/lib/plumb/devices/switch/lib/evil.rb
echo old >/var/lib/plumb/state/state.yaml
ln -s /etc/shadow /var/lib/plumb/state/link
chown -hR plumb:plumb /var/lib/plumb /etc/plumb/ssl
dpkg -i --force-confold /tmp/plumbline.deb >/dev/null
echo "separated: $(modes)"
echo "agent has: $(cd /var/lib/plumb && find . -type f -o -type l | sort | tr '\n' ' ')"
echo "server has: $(($(find /var/lib/plumb-server -type f | wc -l) - server_files))"
echo "shadow: $(stat -c '%U %a' /etc/shadow)"
echo "kept: $(tail -1 /etc/plumb/puppet.conf)"
dpkg -r plumbline >/dev/null
[ -e /usr/bin/plumb ] || [ ! -e /etc/plumb/puppet.conf ] || echo "removed"
dpkg -P plumbline 2>&1 | grep -o 'the certificate authority in /etc/plumb/ca stays' || true
[ -e /var/lib/plumb ] || [ -e /var/lib/plumb-server ] || [ -e /etc/plumb/puppet.conf ] || [ -e /usr/lib/plumbline ] || echo "purged"
echo "left: $(ls /etc/plumb)"
