# Inside a Debian of its own without Node: runs the executable `plumb`, and nothing else of the program. Each line that it
# prints is a step and its outcome; test/packaging/binary.e2e.test.ts knows them.
export HOME=/root LC_ALL=C PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ip link set lo up 2>/dev/null || true
unset PLUMB_CONFDIR PLUMB_VARDIR NODE_EXTRA_CA_CERTS
[ -e /etc/hosts ] || echo '127.0.0.1 localhost' >/etc/hosts
cd /tmp/work

command -v node npm ruby || echo 'no Node, no Ruby'
echo "version: $(plumb --version)"
plumb parser validate good.pp && echo 'validated'
plumb parser validate bad.pp >/dev/null 2>&1 || echo "invalid: $?"
plumb apply --modulepath modules site.pp >apply.log 2>&1 && echo "applied: $(cat /tmp/applied)" || cat apply.log
plumb lint --only-checks double_quoted_strings lint.pp lint2.pp || echo "lint: $?"
(cd modules/mine && plumb test >/tmp/test.log 2>&1 && echo "tests: $(grep -o '[0-9]* examples\?, [0-9]* failures\?' /tmp/test.log)" || tail -20 /tmp/test.log)
plumb completion bash | head -c 1 >/dev/null && echo 'completion'
plumb man | head -c 1 >/dev/null && echo 'man'
printf 'Content-Length: 78\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}   ' |
    timeout 20 plumb language-server --stdio 2>/dev/null | grep -o '"hoverProvider":true'
plumb names install /usr/local/bin facter >/dev/null && echo "facter: $(facter kernel)"
plumb demo >demo.log 2>&1 && echo 'demo' || tail -20 demo.log

# A server with hooks, a push through it, an agent, a query in a process of the store's reader, a page.
git init --quiet --bare --initial-branch=production code.git
plumb server --confdir "$PWD/server/etc" --vardir "$PWD/server/var" --code_repo "$PWD/code.git" --certname localhost --autosign true \
    --bindaddress 127.0.0.1 --serverport 18140 --report_min_free_space 0 --bucket_min_free_space 0 >server.log 2>&1 &
server=$!
for _ in $(seq 1 240); do grep -q serving server.log && break; sleep 0.5; done
plumb code install-hooks code.git --confdir "$PWD/server/etc" --vardir "$PWD/server/var" >/dev/null && grep -c '/usr/local/bin/plumb' code.git/hooks/pre-receive
git init --quiet --initial-branch=production control
(
    cd control && mkdir -p manifests && cp -r ../modules . && cp ../site.pp manifests/site.pp && git add --all &&
        git -c user.name=a -c user.email=a@example.test commit --quiet --message one &&
        git push --quiet ../code.git production >/tmp/push.log 2>&1 && echo 'pushed' || cat /tmp/push.log
    echo '}' >manifests/site.pp && git -c user.name=a -c user.email=a@example.test commit --quiet --all --message two &&
        ! git push --quiet ../code.git production >/tmp/push.log 2>&1 && echo 'rejected'
)
rm -f /tmp/applied
plumb agent --test --confdir "$PWD/agent/etc" --vardir "$PWD/agent/var" --server localhost --serverport 18140 --certname node.example.test \
    >agent.log 2>&1
echo "agent: $? $(cat /tmp/applied)"
plumb query --confdir "$PWD/server/etc" --vardir "$PWD/server/var" 'nodes[certname] { }' 2>query.log | grep -o 'node.example.test' || cat query.log
echo "memory of the server: $(awk '/^VmRSS/ {print $2}' /proc/$server/status) KiB" >&2
kill $server
wait $server && echo "ended: $?"

# Files in the current directory, in NODE_PATH and in the environment do not reach the program.
mkdir -p evil/node_modules/pg-native && cd evil
for name in node:fs pg-native libsql bufferutil; do
    mkdir -p "node_modules/$name" && echo 'console.log("EVIL")' >"node_modules/$name/index.js"
done
cp node_modules/pg-native/index.js start.cjs
NODE_PATH="$PWD/node_modules" NODE_OPTIONS="--require $PWD/start.cjs --inspect" PLUMB_CHILD_SCRIPT="$PWD/start.cjs" TMPDIR="$PWD" \
    plumb --version
NODE_OPTIONS='--bad-option' plumb apply -e 'notice(1)' | grep -c 'Class\[main\]'
(exec -a --require=./start.cjs plumb --version)
plumb --node-options=--require=./start.cjs --version 2>&1 | grep -c EVIL
# Without /proc, a file in the current directory is not taken for the program.
echo EVIL >plumb
unshare -m sh -c 'umount -l /proc; plumb --version; /usr/local/bin/plumb --version' 2>&1
# Only /usr/bin/plumb belongs to a package.
mkdir -p /tmp/bin /tmp/lib/plumbline /usr/lib/plumbline && cp /usr/local/bin/plumb /tmp/bin/plumb && mv /usr/local/bin/plumb /usr/bin/plumb
for folder in /tmp/lib/plumbline /usr/lib/plumbline; do
    echo "{\"user\":\"root\",\"folders\":{\"confdir\":\"$folder\"},\"server\":{}}" >$folder/package-folders.json
done
/tmp/bin/plumb config print confdir
/usr/bin/plumb config print confdir
hash -r
for times in 1 2 3 4 5; do
    start=$(date +%s%N)
    plumb --version >/dev/null
    echo "start in $((($(date +%s%N) - start) / 1000000)) ms" >&2
done
