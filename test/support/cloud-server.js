// Servers with the APIs of AWS (Parameter Store, KMS), Azure (metadata, login, Key Vault) and Google Cloud (metadata,
// login, Secret Manager, KMS), in a thread of their own. `workerData` is the TLS identity; the first message is the ports
// of HTTPS and of HTTP. Each further message replaces members of the state, or asks for it (`report`).
import { createPublicKey, verify } from 'node:crypto'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import { parentPort, workerData } from 'node:worker_threads'
import { answerOddly } from './odd-answers.js'

const state = {
  /** Secrets of Azure by vault and name: values by version, the newest last. */
  vaults: {
    main: {
      'important-secret': { a1: 'one', a2: 'two' },
      'app--password': { b1: 'of app' },
      appXXpassword: { b2: 'with another token' },
      password: { c1: 'stripped' },
      'nodes--web1--token': { d1: 'of web1' },
      'common--token': { d2: 'of all' },
    },
  },
  /** Parameters of AWS: values by version. */
  parameters: {
    '/app/password': ['first', 'second'],
    '/app/deep/key': ['deep'],
    '/app/app/user': ['ada'],
    '/Debian/key': ['woven'],
    rootkey: ['at the root'],
  },
  /** Secrets of Google by project and name: values by version. */
  projects: { 'my-project': { 'app--password': ['one', 'two'], web1_token: ['of web1'], 'value-only': ['one'] } },
  /** Public key of the service account of Google, as PEM. */
  account: '',
  lifetime: 3600,
  /** End of the tokens and of the key ids of roles that are issued, and of those that are valid. */
  issued: '',
  valid: '',
  /** How often parameters and secrets were created again. */
  epoch: 0,
  odd: undefined,
  seen: [],
}
parentPort.on('message', (given) => {
  if (given !== 'report') Object.assign(state, given)
  else parentPort.postMessage(JSON.parse(JSON.stringify(state)))
})

const listening = [createServer(workerData, handle), createPlainServer(handle)].map(
  (server) => new Promise((done) => server.listen(0, '127.0.0.1', () => done(server.address().port))),
)
parentPort.postMessage(await Promise.all(listening))

function handle(request, response) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()))
}

function answer(request, response, body) {
  const { method, headers, url } = request
  state.seen.push({ method, url, headers, body })
  if (state.odd) return answerOddly(state.odd, request, response)
  const { pathname, searchParams } = new URL(url, 'http://cloud')
  const send = (status, value, more = {}) =>
    response.writeHead(status, more).end(typeof value === 'string' ? value : JSON.stringify(value))
  const [, service, ...rest] = pathname.split('/').map(decodeURIComponent)
  const asked = { headers, path: rest, search: searchParams, body }
  const services = {
    azure,
    login,
    imds,
    arc,
    google,
    'google-login': googleLogin,
    'google-metadata': googleMetadata,
    pod,
  }
  return (services[service] ?? aws)(asked, send)
}

const azureError = (code, message) => ({ error: { code, message } })

function azure({ headers, path, search, body }, send) {
  if (headers.authorization !== `Bearer azure-token${state.valid}`)
    return send(401, azureError('Unauthorized', `AKV10000: ${headers.authorization}`))
  if (!/^(?:\d{4}-\d\d-\d\d|7\.\d)$/.test(search.get('api-version') ?? ''))
    return send(400, azureError('BadParameter', 'api-version is invalid'))
  const [vault, kind, name, version] = path
  if (name.startsWith('denied'))
    return send(403, azureError('Forbidden', 'The user does not have secrets get permission'))
  if (name.startsWith('throttled'))
    return send(429, azureError('Throttled', 'Request was not processed because too many requests were received.'))
  if (kind === 'keys') {
    const { alg, value } = JSON.parse(body)
    const plain = alg === 'RSA-OAEP-256' ? decryptFake('azure', Buffer.from(value, 'base64url')) : undefined
    if (plain === undefined) return send(400, azureError('BadParameter', 'The parameter is incorrect.'))
    return send(200, {
      kid: `https://${vault}.vault.azure.net/keys/${name}/${version}`,
      value: plain.toString('base64url'),
    })
  }
  if (!/^[0-9a-zA-Z-]+$/.test(name))
    return send(400, azureError('BadParameter', 'The request URI contains an invalid name'))
  const versions = state.vaults[vault]?.[name]
  const wanted = version ?? Object.keys(versions ?? {}).at(-1)
  if (versions?.[wanted] === undefined)
    return send(404, azureError('SecretNotFound', `A secret with (name/id) ${name} was not found`))
  send(200, {
    value: versions[wanted],
    id: `https://${vault}.vault.azure.net/secrets/${name}/${wanted}`,
    attributes: { enabled: true },
  })
}

function login({ path, body }, send) {
  const form = new URLSearchParams(body)
  if (form.get('client_id') === 'echo')
    return send(401, {
      body,
      lower: body.replace(/%../g, (each) => each.toLowerCase()),
      secret: form.get('client_secret'),
    })
  if (
    path[0] !== 'my-tenant' ||
    form.get('client_secret') !== 'client secret!' ||
    form.get('scope') !== 'https://vault.azure.net/.default'
  )
    return send(401, {
      error: 'invalid_client',
      error_description: `AADSTS7000215: Invalid client secret provided${form.get('client_secret') === 'echo' ? ': echo' : ''}.`,
    })
  send(200, { token_type: 'Bearer', expires_in: state.lifetime, access_token: `azure-token${state.issued}` })
}

function imds({ headers, search }, send) {
  if (headers.metadata !== 'true')
    return send(400, { error: 'invalid_request', error_description: 'Required metadata header not specified' })
  if (search.get('api-version') !== '2018-04-02' && search.get('api-version') !== '2018-02-01')
    return send(400, { error: 'invalid_request', error_description: 'Invalid API version' })
  if (search.get('resource') !== 'https://vault.azure.net') return send(400, { error: 'invalid_resource' })
  send(200, { access_token: `azure-token${state.issued}`, expires_in: String(state.lifetime), token_type: 'Bearer' })
}

function arc(asked, send) {
  if (asked.headers.authorization === 'Basic proof') return imds(asked, send)
  send(401, '', state.challenge === '' ? {} : { 'www-authenticate': `Basic realm=${state.challenge}` })
}

function aws({ headers, body }, send) {
  const target = headers['x-amz-target'] ?? ''
  const [, id] = /Credential=([^/]+)\//.exec(headers.authorization ?? '') ?? []
  const given = JSON.parse(body || '{}')
  const fail = (type, message) => send(400, { __type: type, message })
  if (given.Names?.[0] === '/echo') return fail('X', `very-secret ${'M'.repeat(900_000)}`)
  if (id !== `AKIAKEY${state.valid}`)
    return fail('UnrecognizedClientException', 'The security token included in the request is invalid.')
  if (target === 'AmazonSSM.GetParameters') return getParameters(given, send, fail)
  if (target === 'AmazonSSM.GetParametersByPath') return listParameters(given, send)
  if (target !== 'TrentService.Decrypt') return fail('UnknownOperationException', target)
  const plain = decryptFake(`aws${given.EncryptionContext?.env ?? ''}`, Buffer.from(given.CiphertextBlob, 'base64'))
  if (plain === undefined) return fail('InvalidCiphertextException', 'The ciphertext is invalid.')
  send(200, {
    KeyId: given.KeyId ?? 'arn:key',
    Plaintext: plain.toString('base64'),
    EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
  })
}

function getParameters({ Names: [full], WithDecryption }, send, fail) {
  if (full.includes('denied'))
    return fail('AccessDeniedException', 'User is not authorized to perform ssm:GetParameters')
  if (full.includes('throttled')) return fail('ThrottlingException', 'Rate exceeded')
  const [name, wanted] = full.split(':')
  const versions = state.parameters[name]
  const Version = Number(wanted ?? versions?.length)
  const Value = versions?.[Version - 1]
  if (Value === undefined || !WithDecryption) return send(200, { InvalidParameters: [full], Parameters: [] })
  send(200, {
    InvalidParameters: [],
    Parameters: [{ Name: name, Type: 'SecureString', Value, Version, ...modified(Version) }],
  })
}

/** The last modification of a version, as the protocol of AWS writes times. */
const modified = (version) => ({ LastModifiedDate: 1_767_312_000.25 + 1000 * state.epoch + version })

/** The role of a pod in EKS. */
function pod({ headers }, send) {
  if (headers.authorization !== 'pod-token') return send(401, { message: 'no token' })
  const AccessKeyId = `AKIAKEY${state.issued}`
  const Expiration = new Date(Date.now() + 6 * 3_600_000).toISOString()
  send(200, { AccessKeyId, SecretAccessKey: 'role-secret', Token: 'role-token', Expiration })
}

/** Pages of one parameter. */
function listParameters({ Path, Recursive, NextToken = '0' }, send) {
  if (Path === '/endless') return send(200, { Parameters: [], NextToken: '1' })
  const folder = Path.endsWith('/') ? Path : `${Path}/`
  const names = Object.keys(state.parameters).filter((name) => {
    const full = name.startsWith('/') ? name : `/${name}`
    return full.startsWith(folder) && (Recursive || !full.slice(folder.length).includes('/'))
  })
  const page = names.slice(Number(NextToken), Number(NextToken) + 1)
  const Parameters = page.map((Name) => ({
    Name,
    Value: state.parameters[Name].at(-1),
    Version: state.parameters[Name].length,
    ...modified(state.parameters[Name].length),
  }))
  const more = Number(NextToken) + 1 < names.length ? { NextToken: String(Number(NextToken) + 1) } : {}
  send(200, { Parameters, ...more })
}

const googleError = (code, message) => ({ error: { code, message, status: 'X' } })

function google({ headers, path, body }, send) {
  if (headers.authorization !== `Bearer google-token${state.valid}`)
    return send(401, googleError(401, `Invalid token ${headers.authorization}`))
  const [, , project, kind, name, , last] = path
  if (kind === 'locations') {
    const plain = decryptFake('google', Buffer.from(JSON.parse(body).ciphertext, 'base64'))
    return plain ? send(200, { plaintext: plain.toString('base64') }) : send(400, googleError(400, 'Decryption failed'))
  }
  if (name.startsWith('denied')) return send(403, googleError(403, "Permission 'secretmanager.versions.access' denied"))
  if (name.startsWith('throttled')) return send(429, googleError(429, 'Quota exceeded'))
  const versions = state.projects[project]?.[name]
  const wanted = last.replace(':access', '')
  const version = wanted === 'latest' ? versions?.length : Number(wanted)
  if (versions?.[version - 1] === undefined)
    return send(404, googleError(404, `Secret [projects/1/secrets/${name}] not found.`))
  const full = `projects/1/secrets/${name}/versions/${version}`
  if (!last.endsWith(':access')) {
    if (name.startsWith('value-only'))
      return send(403, googleError(403, "Permission 'secretmanager.versions.get' denied"))
    return send(200, {
      name: full,
      createTime: `2026-01-0${1 + state.epoch}T00:00:0${version}.123456Z`,
      state: 'ENABLED',
    })
  }
  const data = Buffer.from(versions[version - 1]).toString('base64')
  send(200, { name: full, payload: { data } })
}

function googleLogin({ body }, send) {
  const form = new URLSearchParams(body)
  const [head, claims, signature] = (form.get('assertion') ?? '').split('.')
  const { iss, aud, exp, iat } = JSON.parse(Buffer.from(claims, 'base64url'))
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    createPublicKey(state.account),
    Buffer.from(signature, 'base64url'),
  )
  const isValid =
    isSigned && iss === 'sa@my-project.iam' && aud === 'https://oauth2.googleapis.com/token' && exp - iat === 3600
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer' || !isValid)
    return send(400, { error: 'invalid_grant', error_description: `Invalid JWT Signature: ${form.get('assertion')}` })
  send(200, { access_token: `google-token${state.issued}`, expires_in: state.lifetime, token_type: 'Bearer' })
}

function googleMetadata({ headers }, send) {
  if (headers['metadata-flavor'] !== 'Google') return send(403, 'Missing header')
  send(200, { access_token: `google-token${state.issued}`, expires_in: state.lifetime, token_type: 'Bearer' })
}

/** The encryption of these services: the name of the service, a colon, and the text. */
function decryptFake(service, bytes) {
  const start = Buffer.from(`${service}:`)
  return bytes.subarray(0, start.length).equals(start) ? bytes.subarray(start.length) : undefined
}
