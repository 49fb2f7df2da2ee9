// A server with the API of Vault, in a thread of its own. `workerData` is its TLS identity (undefined for HTTP); the
// first message is its port, and each message to it replaces members of its state. Secrets are those of `secrets`.
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import { parentPort, workerData } from 'node:worker_threads'
import { answerOddly } from './odd-answers.js'

/** Mounts by name, and their secrets by path; a list is the versions of a secret of KV v2. */
const secrets = {
  old: { 'app/password': { value: 'first' }, 'app/many': { a: 'x', n: 5, deep: { k: [1, 2.5, null, true] } } },
  kv: {
    'app/password': [{ value: 'one' }, { value: 'two' }],
    'app/json': [{ value: '{"a": [1, 2], "b": null}' }],
    'app/notjson': [{ value: 'plain text' }],
    'app/other': [{ other: 'x' }],
    'app/several': [{ value: 'v', other: 'x' }],
    'app/gone': [{ value: 'deleted' }, null],
    'app/umläut key': [{ value: 'grün' }],
    'Debian/token': [{ value: 'of Debian' }],
    'common/token': [{ value: 'of all' }],
    'users/ada': [{ uid: 1, shell: '/bin/sh' }],
    'users/bob': [{ uid: 2 }],
  },
}
const state = {
  secrets,
  /** Tokens and the milliseconds since 1970 at which they expire. */
  tokens: { root: Infinity, 'only-self': Infinity },
  isSealed: false,
  lease: 3600,
  logins: 0,
  renewals: 0,
  leases: 0,
  created: '2026-01-02T03:04:05.678Z',
  seen: [],
  odd: undefined,
}
parentPort.on('message', (given) => {
  if (given === 'report') return parentPort.postMessage(JSON.parse(JSON.stringify(state)))
  Object.assign(state, given)
})

const handle = (request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => answer(request, response, Buffer.concat(chunks)))
}
const server = workerData
  ? createServer({ ...workerData, requestCert: true, rejectUnauthorized: false }, handle)
  : createPlainServer(handle)
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))

function answer(request, response, body) {
  const { method, headers } = request
  const { pathname, searchParams } = new URL(request.url, 'http://vault')
  const path = decodeURIComponent(pathname.slice('/v1/'.length))
  const token = headers['x-vault-token']
  const namespace = headers['x-vault-namespace']
  state.seen.push({ method, path, token, namespace, version: searchParams.get('version') ?? undefined })
  const send = (status, json) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(json === undefined ? '' : JSON.stringify(json))
  const fail = (status, ...errors) => send(status, { errors })
  if (path === 'sys/seal-status')
    return send(200, { sealed: state.isSealed, t: 1, n: 1, progress: 0, type: 'shamir', initialized: true })
  if (state.odd) return answerOddly(state.odd, request, response)
  if (state.isSealed) return fail(503, 'Vault is sealed')
  const login = /^auth\/(.+)\/login$/.exec(path)
  if (login) return logIn(login[1], JSON.parse(body.toString() || '{}'), request, send, fail)
  const expires = state.tokens[token]
  if (expires === undefined || expires < Date.now()) return fail(403, 'permission denied')
  if (path === 'auth/token/lookup-self')
    return send(200, {
      data: {
        ttl: expires === Infinity ? 0 : Math.ceil((expires - Date.now()) / 1000),
        renewable: expires !== Infinity,
      },
    })
  if (path === 'auth/token/renew-self') {
    state.renewals++
    state.tokens[token] = Date.now() + state.lease * 1000
    return send(200, { auth: { client_token: token, lease_duration: state.lease, renewable: true } })
  }
  if (token === 'only-self' || path.startsWith('forbidden/'))
    return fail(403, '1 error occurred:\n\t* permission denied\n\n')
  const [mount, ...rest] = path.split('/')
  if (mount === 'transit') {
    const [, text] = /^vault:v1:(.+)$/.exec(JSON.parse(body.toString()).ciphertext) ?? []
    return text ? send(200, { data: { plaintext: text } }) : fail(400, 'invalid ciphertext: no prefix')
  }
  if (mount === 'database') {
    state.leases++
    return send(200, {
      lease_id: `database/creds/${state.leases}`,
      lease_duration: state.lease,
      renewable: true,
      data: { username: `v-${state.leases}`, password: 'p' },
    })
  }
  if (namespace !== undefined && namespace !== 'team/') return fail(404, 'no handler for route')
  const held = state.secrets[mount]
  if (!held) return fail(404, `no handler for route '${path}'`)
  if (mount === 'old') {
    const data = held[rest.join('/')]
    return data ? send(200, { lease_id: '', lease_duration: 2764800, renewable: false, data }) : fail(404)
  }
  const [kind, ...name] = rest
  if (method === 'LIST' || searchParams.get('list') === 'true') {
    const folder = `${name.join('/').replace(/\/$/, '')}/`
    const keys = Object.keys(held)
      .filter((each) => each.startsWith(folder))
      .map((each) => each.slice(folder.length))
    return kind === 'metadata' && keys.length > 0 ? send(200, { data: { keys } }) : fail(404)
  }
  const versions = kind === 'data' ? held[name.join('/')] : undefined
  if (!versions)
    return kind === 'data'
      ? fail(404)
      : send(404, { errors: [], warnings: ['Invalid path for a versioned K/V secrets engine.'] })
  const version = Number(searchParams.get('version') ?? 0) || versions.length
  const data = versions[version - 1]
  const metadata = {
    version,
    created_time: state.created,
    deletion_time: data ? '' : '2026-01-03T03:04:05Z',
    destroyed: false,
  }
  send(data ? 200 : 404, { lease_id: '', lease_duration: 0, renewable: false, data: { data, metadata } })
}

function logIn(method, given, request, send, fail) {
  const certificate = request.socket.getPeerCertificate?.()
  const rights = {
    approle: () => given.role_id === 'role' && given.secret_id === 'shh',
    kubernetes: () => given.role === 'puppet' && given.jwt === 'a.b.c',
    cert: () => request.socket.authorized === true && certificate?.subject !== undefined,
    'teams/approle': () => given.role_id === 'role' && given.secret_id === 'shh',
  }
  if (!rights[method]?.())
    return fail(400, method === 'cert' ? 'client certificate must be supplied' : 'invalid role or secret ID')
  const token = `login-${++state.logins}`
  state.tokens[token] = Date.now() + state.lease * 1000
  send(200, { auth: { client_token: token, lease_duration: state.lease, renewable: state.isRenewable !== false } })
}
