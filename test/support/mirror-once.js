// Mirrors a repository into a store, to be killed meanwhile: node mirror-once.js STORE REMOTE

import { parseRemoteAddress } from '../../dist/code/git/remotes/remote.js'
import { mirrorRemote } from '../../dist/code/git/remotes/remote-mirror.js'

const [, , gitDir, remote] = process.argv
await mirrorRemote({
  store: { gitDir, quarantine: false },
  incoming: `${gitDir}.incoming`,
  prefix: 'refs/plumb/sources/main/',
  remote: parseRemoteAddress(remote),
  access: {},
  tags: false,
  commits: [],
  timeoutMs: 60_000,
  maxBytes: 100 * 1024 * 1024,
})
