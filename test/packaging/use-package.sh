# Inside a root file system with the package: runs a server, an agent and the demo. Each line that it prints is a step and
# its result; the tests of packages compare them.
set -e
export HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin
unset PLUMB_CONFDIR PLUMB_VARDIR NODE_EXTRA_CA_CERTS
ip link set lo up 2>/dev/null || true
[ -e /etc/hosts ] || echo '127.0.0.1 localhost' >/etc/hosts
command -v node >/dev/null && echo "Node is installed"
echo "version: $(plumb --version)"
modes() { stat -c '%U %a' /etc/plumb /etc/plumb/ca /etc/plumb/ssl /var/lib/plumb /var/lib/plumb-server | tr '\n' ' '; }
echo "modes: $(modes)"
as_server() { setpriv --reuid plumb --regid plumb --init-groups env HOME=/var/lib/plumb-server "$@"; }

# Not by a function, whose process would be a shell of its own.
setpriv --reuid plumb --regid plumb --init-groups env HOME=/var/lib/plumb-server plumb server --certname localhost --bindaddress 127.0.0.1 --serverport 18140 >/tmp/server.log 2>&1 &
server=$!
for _ in $(seq 1 240); do grep -q serving /tmp/server.log && break; sleep 0.5; done
echo "status: $(plumb server status --serverport 18140)"
echo "another port: $(plumb server status --serverport 18141)"
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

