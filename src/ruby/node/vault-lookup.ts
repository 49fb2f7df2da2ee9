import { readFileSync } from 'node:fs'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { startBridgeThread } from '../../base/threads/bridge-thread.ts'
import { createLazyBridgeCaller } from '../../base/threads/thread-bridge.ts'
import { defineFunction } from '../../language/functions/definition/define-function.ts'
import type { RubyData } from '../../language/ruby-semantics/data/data-form.ts'
import { formatData } from '../../language/ruby-semantics/data/data-text.ts'
import { parseRubyJson } from '../../language/ruby-semantics/json/read-json.ts'
import { mergeUri } from '../../language/ruby-semantics/uri/merge-uri.ts'
import { parseUri } from '../../language/ruby-semantics/uri/parse-uri.ts'
import { formatUri, type UriParts } from '../../language/ruby-semantics/uri/uri-parts.ts'
import type { Callable } from '../../language/values/callable.ts'
import type { Float } from '../../language/values/float.ts'
import { Hash } from '../../language/values/hash.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import { valueForm } from '../../language/values/yaml.ts'

/** A request to Vault. */
export interface VaultLookupRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A response of Vault with any status. */
export interface VaultLookupResponse {
  readonly status: number
  readonly text: string
}

/** Sends a request and waits for its response. Throws the error of the connection. */
export type SendToVault = (request: VaultLookupRequest) => VaultLookupResponse

const issues = defineIssues({
  VAULT_NO_NETWORK: { text: () => 'Vault cannot be reached here' },
  VAULT_NO_ADDRESS: { text: () => 'No vault_addr given and VAULT_ADDR env variable not set' },
  VAULT_NO_HOST: { text: (a: { address: string }) => `Unable to parse a hostname from ${a.address}` },
  VAULT_NO_ROLE_ID: { text: () => 'role_id and VAULT_ROLE_ID are both nil' },
  VAULT_NO_SECRET_ID: { text: () => 'secret_id and VAULT_SECRET_ID are both nil' },
  VAULT_NO_SINK: { text: () => 'agent_sink_file must be defined when using the agent_sink auth method' },
  VAULT_SINK_UNREADABLE: {
    text: (a: { file: string }) => `The agent_sink_file does not exist or is not readable: ${a.file}`,
  },
  VAULT_STATUS: {
    text: (a: { status: number; url: string; purpose: string; details: string }) =>
      `Received ${a.status} response code from vault at ${a.url} for ${a.purpose}${a.details}`,
  },
  VAULT_NOT_A_SECRET: { text: () => 'Error parsing json secret data from vault response' },
  VAULT_NOT_A_TOKEN: { text: () => 'Unable to parse client_token from vault response' },
  VAULT_NO_CLIENT_TOKEN: { text: () => 'No client_token found' },
})

const startTimeMs = 30_000

/** Longest wait for a response; the thread has limits of its own. */
const noLimitMs = 2 ** 31 - 1

/**
 * Returns a function that sends requests in a separate thread, which starts at the first request. `script` is the URL
 * of its script; without it, each request fails.
 */
export function createVaultSender(script: string | undefined, settings: unknown): SendToVault {
  if (script === undefined) return () => throwIssue(issues.VAULT_NO_NETWORK, {})
  const createLateError = () => new Error('the thread for requests to Vault did not start in time')
  return createLazyBridgeCaller(
    () => startBridgeThread(new URL(script), settings, startTimeMs, createLateError),
    noLimitMs,
  )
}

/** Parameters after the path, in the order of the positional signature. */
const optionNames = [
  ...['vault_addr', 'cert_path_segment', 'cert_role', 'namespace', 'auth_namespace', 'field', 'auth_method'],
  ...['role_id', 'secret_id', 'approle_path_segment', 'agent_sink_file'],
] as const

type Options = Readonly<Partial<Record<(typeof optionNames)[number], string>>>

const positional = [
  'String $path, String $vault_addr?, Optional[String] $cert_path_segment?, String $cert_role?, String $namespace?',
  'Optional[String] $auth_namespace?, String $field?, Enum["cert", "approle", "agent", "agent_sink"] $auth_method?',
  'String $role_id?, String $secret_id?, Optional[String] $approle_path_segment?, String $agent_sink_file?',
].join(', ')

/**
 * `vault_lookup::lookup`: reads a secret from Vault, with the parameters, environment variables and messages of the
 * module vault_lookup. A secret is read once. vault_lookup: lib/puppet_x/vault_lookup/lookup.rb.
 */
export function createVaultLookup(send: SendToVault, env: NodeJS.ProcessEnv = process.env): Callable {
  const known = new Map<string, Sensitive>()
  const lookUp = (path: string, readOption: (name: string, index: number) => Value): Sensitive => {
    const given = optionNames.map((name, index) => [name, readOption(name, index)] as const)
    const texts = given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]))
    const options: Options = Object.fromEntries(texts)
    const address = options.vault_addr ?? env['VAULT_ADDR'] ?? throwIssue(issues.VAULT_NO_ADDRESS, {})
    const namespace = options.namespace ?? env['VAULT_NAMESPACE']
    const key = JSON.stringify([path, address, namespace ?? null, options.field ?? null])
    const secret = known.get(key) ?? new Sensitive(readSecret(send, env, { path, address, namespace, options }))
    known.set(key, secret)
    return secret
  }
  return defineFunction('vault_lookup::lookup', 'Reads a secret from Vault.', {
    [`${positional} >> Sensitive`]: (path: string, ...values: Value[]) => lookUp(path, (_, index) => values[index]),
    'String[1] $path, Hash[String[1], Data] $options >> Sensitive': (path: string, options: Hash) =>
      lookUp(path, (name) => options.get(name)),
  })
}

interface Lookup {
  readonly path: string
  readonly address: string
  readonly namespace: string | undefined
  readonly options: Options
}

function readSecret(send: SendToVault, env: NodeJS.ProcessEnv, { path, address, namespace, options }: Lookup): Value {
  const base = parseUri(address)
  if (base.host === undefined) throwIssue(issues.VAULT_NO_HOST, { address })
  const token = findToken(send, base, env, { ...options, auth_namespace: options.auth_namespace ?? namespace })
  const url = mergeUri(base, parseUri(`/v1/${path.replace(/^\//, '')}`))
  const headers = { ...(token !== undefined && { 'x-vault-token': token }), ...toNamespaceHeader(namespace) }
  const text = exchange(send, url, 'secret lookup', { method: 'GET', headers })
  return selectData(parseResponse(text), options.field) ?? undefined
}

/** Returns the token of the authentication method; `undefined` if a Vault agent adds it. */
function findToken(send: SendToVault, base: UriParts, env: NodeJS.ProcessEnv, options: Options): string | undefined {
  const logIn = (segment: string, body: string) => {
    const url = mergeUri(mergeUri(base, parseUri(segment.replace(/\/?$/, '/'))), parseUri('login'))
    const headers = { 'content-type': 'application/json', ...toNamespaceHeader(options.auth_namespace) }
    return readToken(parseResponse(exchange(send, url, 'authentication', { method: 'POST', headers, body })))
  }
  switch (options.auth_method ?? env['VAULT_AUTH_METHOD'] ?? 'cert') {
    case 'cert': {
      const body = options.cert_role === undefined ? '' : JSON.stringify({ name: options.cert_role })
      return logIn(options.cert_path_segment ?? 'v1/auth/cert/', body)
    }
    case 'approle': {
      const role_id = options.role_id ?? env['VAULT_ROLE_ID'] ?? throwIssue(issues.VAULT_NO_ROLE_ID, {})
      const secret_id = options.secret_id ?? env['VAULT_SECRET_ID'] ?? throwIssue(issues.VAULT_NO_SECRET_ID, {})
      return logIn(options.approle_path_segment ?? 'v1/auth/approle/', JSON.stringify({ role_id, secret_id }))
    }
    case 'agent_sink':
      return readSink(options.agent_sink_file ?? env['VAULT_AGENT_SINK_FILE'] ?? throwIssue(issues.VAULT_NO_SINK, {}))
    default:
      return undefined
  }
}

function readSink(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$|\r$/, '')
  } catch {
    return throwIssue(issues.VAULT_SINK_UNREADABLE, { file })
  }
}

function toNamespaceHeader(namespace: string | undefined): Readonly<Record<string, string>> {
  return namespace === undefined ? {} : { 'x-vault-namespace': namespace }
}

/** Sends a request and returns the text of the response. Credentials in the URL are sent as HTTP basic authentication. */
function exchange(
  send: SendToVault,
  { userinfo, ...uri }: UriParts,
  purpose: string,
  request: Omit<VaultLookupRequest, 'url'>,
): string {
  const url = formatUri({ ...uri, userinfo: undefined })
  const login = userinfo?.includes(':') && { authorization: `Basic ${Buffer.from(userinfo).toString('base64')}` }
  const { status, text } = send({ ...request, url, headers: { ...request.headers, ...login } })
  if (status >= 200 && status < 300) return text
  const body = parseResponse(text)
  const details = (['errors', 'warnings'] as const).flatMap((name) => {
    const value = body instanceof Hash ? body.get(name) : undefined
    return value === undefined || value === false
      ? []
      : ` (api ${name}: ${formatData(value as RubyData<Float | Hash>, valueForm)})`
  })
  return throwIssue(issues.VAULT_STATUS, { status, url, purpose, details: toPrintable(details.join('')) })
}

/** Parses a response; `undefined` if it is not JSON. */
function parseResponse(text: string): Value {
  try {
    return parseRubyJson(text, valueForm)
  } catch {
    return undefined
  }
}

function readToken(body: Value): string {
  const auth = body instanceof Hash ? body.get('auth') : undefined
  const token = auth instanceof Hash ? auth.get('client_token') : throwIssue(issues.VAULT_NOT_A_TOKEN, {})
  if (token === undefined) throwIssue(issues.VAULT_NO_CLIENT_TOKEN, {})
  return typeof token === 'string' ? token : throwIssue(issues.VAULT_NOT_A_TOKEN, {})
}

/** Selects the data of a secret or one of its fields. The member `data` of the data exists in version 2 of KV. */
function selectData(body: Value, field: string | undefined): Value {
  const data = body instanceof Hash ? body.get('data') : undefined
  if (!(data instanceof Hash)) return throwIssue(issues.VAULT_NOT_A_SECRET, {})
  const secret = data.has('data') ? data.get('data') : data
  if (field === undefined) return secret
  if (secret instanceof Hash) return secret.get(field)
  // Version 1 of KV, and a secret with a field named `data`: the module searches in the text.
  if (typeof secret === 'string') return secret.includes(field) ? field : undefined
  return throwIssue(issues.VAULT_NOT_A_SECRET, {})
}
