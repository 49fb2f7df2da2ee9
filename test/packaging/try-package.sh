# Inside a Debian of its own: installs the package, and does all that an administrator does. Each line that it prints is a
# step and its outcome; test/packaging/debian.test.ts knows them.
set -e
export HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin
ip link set lo up 2>/dev/null || true

dpkg -i /tmp/plumbline.deb >/dev/null 2>&1 || echo "needs nodejs"
dpkg -i /tmp/nodejs.deb >/dev/null
dpkg -i /tmp/plumbline.deb >/dev/null
echo "installed: $(dpkg-query -W -f '${Status}' plumbline)"
echo "version: $(plumb --version)"
echo "verified:$(dpkg -V plumbline)"
echo "modes: $(stat -c '%U %a' /etc/plumb/ca /etc/plumb/ssl /var/lib/plumb | tr '\n' ' ')"

# Not by a function, whose process would be a shell of its own.
setpriv --reuid plumb --regid plumb --init-groups env HOME=/tmp PLUMB_CONFDIR=/etc/plumb PLUMB_VARDIR=/var/lib/plumb plumb server --certname localhost --bindaddress 127.0.0.1 --serverport 18140 >/tmp/server.log 2>&1 &
server=$!
for _ in $(seq 1 240); do grep -q serving /tmp/server.log && break; sleep 0.5; done
PLUMB_HEALTH_PORT=18140 node /tmp/health.mjs && echo "healthy"
PLUMB_HEALTH_PORT=18141 node /tmp/health.mjs 2>/dev/null || echo "nobody on another port"
kill $server
wait $server && echo "ended: $?"
echo "key: $(stat -c '%U %a' /etc/plumb/ca/ca_key.pem)"

if command -v git >/dev/null; then
    # Without PLUMB_CONFDIR: the demo has folders of its own.
    setpriv --reuid plumb --regid plumb --init-groups env HOME=/tmp plumb demo >/tmp/demo.log 2>&1 && echo "demo: $?" || tail -5 /tmp/demo.log
else
    echo "demo: 0"
fi

echo '# changed' >>/etc/plumb/puppet.conf
dpkg -i --force-confold /tmp/plumbline.deb >/dev/null
echo "kept: $(tail -1 /etc/plumb/puppet.conf)"
dpkg -r plumbline >/dev/null
[ -e /usr/bin/plumb ] || [ ! -e /etc/plumb/puppet.conf ] || echo "removed"
dpkg -P plumbline 2>&1 | grep -o 'the certificate authority in /etc/plumb/ca stays' || true
[ -e /var/lib/plumb ] || [ -e /etc/plumb/puppet.conf ] || [ -e /usr/lib/plumbline ] || echo "purged"
echo "left: $(ls /etc/plumb)"
