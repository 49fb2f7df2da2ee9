import { budgets } from '../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, type ExactObject, getEntries, getMember, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { getOwnValue } from '../../base/own-property.ts'
import { acceptsJson } from '../accept-header.ts'
import { formatClojure } from '../clojure-text.ts'
import type { CommandName, WireTimestamp } from './command.ts'
import { lastVersions } from './read-command.ts'
import { parseStrictTime } from './wire-time.ts'

/** A request to `POST /pdb/cmd/v1`. */
export interface SubmissionRequest {
  /** Query parameters as received; a name may occur more than once. */
  readonly query: readonly (readonly [name: string, value: string])[]
  /**
   * Headers with names in lower case: `accept`, `content-type`, `content-encoding`,
   * `content-length`, `x-uncompressed-length`.
   */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The response to a rejected request. */
export interface SubmissionRefusal {
  readonly status: number
  readonly contentType: 'application/json;charset=utf-8' | 'text/plain;charset=utf-8'
  readonly body: string
}

/** A command to be queued. */
export interface Submission {
  readonly name: CommandName
  readonly version: number
  readonly certname: string
  /** Time at which the command was created; `undefined` if the request does not contain it. */
  readonly producerTimestamp: WireTimestamp | undefined
  /** Unparsed JSON in UTF-8. */
  readonly payload: Uint8Array
  /** Milliseconds that the client waits for processing; `undefined` if it does not wait. */
  readonly waitMs: number | undefined
}

type Outcome = { readonly submission: Submission } | { readonly refusal: SubmissionRefusal }

/** Rejects a request by its headers, before the body is read. `most` is the setting max-command-size in bytes. */
export function checkSubmissionHeaders({ headers }: SubmissionRequest, most: number): SubmissionRefusal | undefined {
  const length = parseLength(headers['x-uncompressed-length']) ?? parseLength(headers['content-length'])
  if (length !== undefined && length > most)
    return createTextRefusal(413, 'Command rejected due to size exceeding max-command-size')
  const { 'content-encoding': encoding = '', 'content-type': type, accept } = headers
  if (encoding !== '' && encoding !== 'gzip' && encoding !== 'identity')
    return createTextRefusal(415, `content encoding ${encoding} not supported`)
  const mediaType = type?.replace(/;.*/s, '').trim()
  if (mediaType !== undefined && mediaType !== 'application/json')
    return createTextRefusal(415, `content type ${mediaType} not supported`)
  if (!acceptsJson(accept)) return createTextRefusal(406, 'must accept application/json')
  return undefined
}

/**
 * Reads the command from a request and its decompressed body. If the request is rejected, returns
 * the refusal with PuppetDB's message.
 */
export function readSubmission({ query }: SubmissionRequest, body: Uint8Array, most: number): Outcome {
  if (body.length > most) return { refusal: createTextRefusal(413, 'Command size exceeds max-command-size') }
  const values = new Map<string, ExactJson>()
  for (const [name, value] of query) {
    const before = values.get(name)
    values.set(name, before === undefined ? value : [before, value].flat())
  }
  if (values.has('command')) {
    const command = values.get('command')!
    values.set('command', typeof command === 'string' ? command.replaceAll('_', ' ') : command)
    values.set('version', parseWholeNumber(values.get('version')) ?? values.get('version') ?? null)
    return validateParameters(values, body)
  }
  return readOldFormat(body)
}

/** Reads a request in the old format, whose body contains everything: `{"command":…,"version":…,"payload":…}`. */
function readOldFormat(body: Uint8Array): Outcome {
  const whole = parseBody(body)
  const [command, version, payload] = ['command', 'version', 'payload'].map((key) => getMember(whole, key) ?? null)
  const isOld = typeof version === 'number' && version <= (getOwnValue(oldVersions, String(command)) ?? 0)
  const certname = getPayloadCertname(payload!, isOld)
  const refuse = (why: string) =>
    createRefusal(command!, certname, `Command was submitted without query parameters (old format). ${why}`)
  if (!isTruthy(command!) || !isTruthy(version!) || !isTruthy(payload!))
    return refuse('The request body must be a JSON map with required keys: command, version, payload.')
  if (!isExactObject(payload!) && !(isOld && typeof payload === 'string'))
    return refuse('The payload value must be a JSON map.')
  const values = new Map<string, ExactJson>()
  for (const [key, value] of getEntries(whole as ExactObject))
    if (key !== 'payload' && value !== undefined && value !== null) values.set(key, value)
  if (certname === null) values.delete('certname')
  else values.set('certname', certname)
  return validateParameters(values, Buffer.from(formatExactJson(payload)))
}

function isTruthy(value: ExactJson): boolean {
  return value !== null && value !== false
}

/**
 * For each command, the last version whose payload may be text or may contain the certname in
 * another field; PuppetDB has retired these versions.
 */
const oldVersions: Readonly<Record<string, number>> = { 'replace catalog': 5, 'replace facts': 3, 'deactivate node': 2 }

/** Reads the certname from a payload. */
function getPayloadCertname(payload: ExactJson, isOld: boolean): ExactJson {
  if (!isOld) return getMember(payload, 'certname') ?? null
  const inner = typeof payload === 'string' ? (parseBody(Buffer.from(payload)) ?? payload) : payload
  if (typeof inner === 'string') return inner
  return getMember(inner, 'certname') ?? getMember(inner, 'name') ?? getMember(getMember(inner, 'data'), 'name') ?? null
}

function parseBody(body: Uint8Array): ExactJson | undefined {
  try {
    const { commandBody, commandItems } = budgets.request
    const bounds = { characters: commandBody.bound, items: commandItems.bound }
    return parseBoundedJson(new TextDecoder().decode(body), bounds)
  } catch {
    return undefined
  }
}

const known = ['checksum', 'secondsToWaitForCompletion', 'certname', 'command', 'version', 'producer-timestamp']

/** Validates the parameters. PuppetDB accepts a checksum, but no longer verifies it. */
function validateParameters(values: ReadonlyMap<string, ExactJson>, payload: Uint8Array): Outcome {
  const [command, certname, version] = ['command', 'certname', 'version'].map((key) => values.get(key) ?? null)
  const refuse = (why: string) => createRefusal(command!, certname!, why)
  const missing = ['certname', 'version', 'command'].filter((name) => !values.has(name))
  if (missing.length > 0) return refuse(`Command is missing required parameters: ${missing.join(', ')}.`)
  const unknown = [...values.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) return refuse(`Command has invalid parameters: ${unknown.join(', ')}.`)
  if (typeof certname !== 'string' || certname.trim() === '') return refuse('Certname must be a non-empty string.')
  const name = commandNames.find((each) => each === command)
  if (name === undefined) return refuse(`Command must be one of: ${commandNames.join(', ')}.`)
  if (typeof version !== 'number' || !Number.isInteger(version)) return refuse('Version must be a valid integer.')
  if (version < 1) {
    const retired = `Version ${version} of command ${formatClojure(name)} is retired. The minimum supported version is 1.`
    return refuse(retired)
  }
  const seconds = values.get('secondsToWaitForCompletion')
  const waitMs = seconds === undefined ? undefined : Number(String(seconds).trim() || 'none') * 1000
  if (waitMs !== undefined && !Number.isFinite(waitMs))
    return { refusal: createTextRefusal(500, `For input string: ${formatClojure(String(seconds))}`) }
  const time = values.get('producer-timestamp')
  const producerTimestamp = typeof time === 'string' ? parseStrictTime(time) : undefined
  const wait = waitMs !== undefined && waitMs > 0 ? waitMs : undefined
  return { submission: { name, version, certname, producerTimestamp, payload, waitMs: wait } }
}

const commandNames = (Object.keys(lastVersions) as CommandName[]).sort()

function createRefusal(command: ExactJson, certname: ExactJson, why: string): Outcome {
  const error = `Command ${formatClojure(command)} for certname ${formatClojure(certname)} is invalid. ${why}`
  const body = `{\n  "error" : ${JSON.stringify(error)}\n}`
  return { refusal: { status: 400, contentType: 'application/json;charset=utf-8', body } }
}

function createTextRefusal(status: number, body: string): SubmissionRefusal {
  return { status, contentType: 'text/plain;charset=utf-8', body }
}

/** Parses an integer like Java's `Integer`. */
function parseWholeNumber(text: ExactJson | undefined): number | undefined {
  if (typeof text !== 'string' || !/^[+-]?\d{1,10}$/.test(text)) return undefined
  const number = Number(text)
  return Math.abs(number) <= 0x7fffffff ? number : undefined
}

function parseLength(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
