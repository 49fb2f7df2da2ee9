# Inside a Debian of its own: installs the package, and does all that an administrator does. Each line that it prints is a
# step and its outcome; test/packaging/debian.e2e.test.ts knows them.
set -e
export HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin
ip link set lo up 2>/dev/null || true
# Nothing of the machine that runs the tests.
unset PLUMB_CONFDIR PLUMB_VARDIR NODE_EXTRA_CA_CERTS
[ -e /etc/hosts ] || echo '127.0.0.1 localhost' >/etc/hosts

dpkg -i /tmp/plumbline.deb >/dev/null 2>&1 || echo "needs nodejs"
dpkg -i /tmp/nodejs.deb >/dev/null
dpkg -i /tmp/plumbline.deb >/dev/null
echo "installed: $(dpkg-query -W -f '${Status}' plumbline)"
echo "version: $(plumb --version)"
echo "verified:$(dpkg -V plumbline)"
modes() { stat -c '%U %a' /etc/plumb /etc/plumb/ca /etc/plumb/ssl /var/lib/plumb /var/lib/plumb-server | tr '\n' ' '; }
echo "modes: $(modes)"
as_server() { setpriv --reuid plumb --regid plumb --init-groups env HOME=/var/lib/plumb-server "$@"; }

# Not by a function, whose process would be a shell of its own.
setpriv --reuid plumb --regid plumb --init-groups env HOME=/var/lib/plumb-server plumb server --certname localhost --bindaddress 127.0.0.1 --serverport 18140 >/tmp/server.log 2>&1 &
server=$!
for _ in $(seq 1 240); do grep -q serving /tmp/server.log && break; sleep 0.5; done
PLUMB_HEALTH_PORT=18140 node /tmp/health.mjs && echo "healthy"
PLUMB_HEALTH_PORT=18141 node /tmp/health.mjs 2>/dev/null || echo "nobody on another port"
# The server's user and root name the same folders, without a variable.
echo "server's vardir: $(as_server plumb config print vardir --section server) $(plumb config print vardir --section server)"
echo "agent's vardir: $(plumb config print vardir --section agent)"
echo "as server: $(as_server plumb ca list --all 2>&1 | grep -c localhost)"
agent() { plumb agent --test --server localhost --serverport 18140 --certname localhost >/tmp/agent.log 2>&1; }
agent || echo "agent: $?"
echo "adopted: $(grep -c 'Copying the key and certificate' /tmp/agent.log) $(stat -c '%U %a' /etc/plumb/ssl/private_keys/localhost.pem)"
agent && echo "agent again: 0"
# Nothing that the agent reads or executes belongs to the server's user, and the agent refuses what does.
echo "foreign: $(find /var/lib/plumb /etc/plumb/ssl /etc/plumb/puppet.conf ! -user root | wc -l)"
install -d -o plumb /var/lib/plumb/lib/facter
install -o plumb /dev/null /var/lib/plumb/lib/facter/evil.rb
agent || echo "refused: $? $(grep -c 'Refusing to use /var/lib/plumb/lib/facter' /tmp/agent.log)"
rm -r /var/lib/plumb/lib/facter
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
