import { budgets } from '../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, type ExactObject, entriesOf, isExactObject, memberOf } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { ownValue } from '../../base/own-value.ts'
import { clojureText } from '../clojure-text.ts'
import { takesJson } from '../takes-json.ts'
import type { CommandName, Timestamp } from './command.ts'
import { lastVersions } from './read-command.ts'
import { strictTime } from './wire-time.ts'

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
export interface Refusal {
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
  readonly producerTimestamp: Timestamp | undefined
  /** Unparsed JSON in UTF-8. */
  readonly payload: Uint8Array
  /** Milliseconds that the client waits for processing; `undefined` if it does not wait. */
  readonly waitMs: number | undefined
}

type Outcome = { readonly submission: Submission } | { readonly refusal: Refusal }

/** Rejects a request by its headers, before the body is read. `most` is the setting max-command-size in bytes. */
export function refusalOf({ headers }: SubmissionRequest, most: number): Refusal | undefined {
  const length = lengthIn(headers['x-uncompressed-length']) ?? lengthIn(headers['content-length'])
  if (length !== undefined && length > most)
    return plain(413, 'Command rejected due to size exceeding max-command-size')
  const { 'content-encoding': encoding = '', 'content-type': type, accept } = headers
  if (encoding !== '' && encoding !== 'gzip' && encoding !== 'identity')
    return plain(415, `content encoding ${encoding} not supported`)
  const mediaType = type?.replace(/;.*/s, '').trim()
  if (mediaType !== undefined && mediaType !== 'application/json')
    return plain(415, `content type ${mediaType} not supported`)
  if (!takesJson(accept)) return plain(406, 'must accept application/json')
  return undefined
}

/**
 * Reads the command from a request and its decompressed body. If the request is rejected, returns
 * the refusal with PuppetDB's message.
 */
export function submissionOf({ query }: SubmissionRequest, body: Uint8Array, most: number): Outcome {
  if (body.length > most) return { refusal: plain(413, 'Command size exceeds max-command-size') }
  const values = new Map<string, ExactJson>()
  for (const [name, value] of query) {
    const before = values.get(name)
    values.set(name, before === undefined ? value : [before, value].flat())
  }
  if (values.has('command')) {
    const command = values.get('command')!
    values.set('command', typeof command === 'string' ? command.replaceAll('_', ' ') : command)
    values.set('version', wholeNumber(values.get('version')) ?? values.get('version') ?? null)
    return checked(values, body)
  }
  return ofOldForm(body)
}

/** Reads a request in the old format, whose body contains everything: `{"command":…,"version":…,"payload":…}`. */
function ofOldForm(body: Uint8Array): Outcome {
  const whole = parsed(body)
  const [command, version, payload] = ['command', 'version', 'payload'].map((key) => memberOf(whole, key) ?? null)
  const isOld = typeof version === 'number' && version <= (ownValue(oldVersions, String(command)) ?? 0)
  const certname = certnameIn(payload!, isOld)
  const refuse = (why: string) =>
    refused(command!, certname, `Command was submitted without query parameters (old format). ${why}`)
  if (!isTruthy(command!) || !isTruthy(version!) || !isTruthy(payload!))
    return refuse('The request body must be a JSON map with required keys: command, version, payload.')
  if (!isExactObject(payload!) && !(isOld && typeof payload === 'string'))
    return refuse('The payload value must be a JSON map.')
  const values = new Map<string, ExactJson>()
  for (const [key, value] of entriesOf(whole as ExactObject))
    if (key !== 'payload' && value !== undefined && value !== null) values.set(key, value)
  if (certname === null) values.delete('certname')
  else values.set('certname', certname)
  return checked(values, Buffer.from(printJson(payload)))
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
function certnameIn(payload: ExactJson, isOld: boolean): ExactJson {
  if (!isOld) return memberOf(payload, 'certname') ?? null
  const inner = typeof payload === 'string' ? (parsed(Buffer.from(payload)) ?? payload) : payload
  if (typeof inner === 'string') return inner
  return memberOf(inner, 'certname') ?? memberOf(inner, 'name') ?? memberOf(memberOf(inner, 'data'), 'name') ?? null
}

function parsed(body: Uint8Array): ExactJson | undefined {
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
function checked(values: ReadonlyMap<string, ExactJson>, payload: Uint8Array): Outcome {
  const [command, certname, version] = ['command', 'certname', 'version'].map((key) => values.get(key) ?? null)
  const refuse = (why: string) => refused(command!, certname!, why)
  const missing = ['certname', 'version', 'command'].filter((name) => !values.has(name))
  if (missing.length > 0) return refuse(`Command is missing required parameters: ${missing.join(', ')}.`)
  const unknown = [...values.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) return refuse(`Command has invalid parameters: ${unknown.join(', ')}.`)
  if (typeof certname !== 'string' || certname.trim() === '') return refuse('Certname must be a non-empty string.')
  const name = commandNames.find((each) => each === command)
  if (name === undefined) return refuse(`Command must be one of: ${commandNames.join(', ')}.`)
  if (typeof version !== 'number' || !Number.isInteger(version)) return refuse('Version must be a valid integer.')
  if (version < 1) {
    const retired = `Version ${version} of command ${clojureText(name)} is retired. The minimum supported version is 1.`
    return refuse(retired)
  }
  const seconds = values.get('secondsToWaitForCompletion')
  const waitMs = seconds === undefined ? undefined : Number(String(seconds).trim() || 'none') * 1000
  if (waitMs !== undefined && !Number.isFinite(waitMs))
    return { refusal: plain(500, `For input string: ${clojureText(String(seconds))}`) }
  const time = values.get('producer-timestamp')
  const producerTimestamp = typeof time === 'string' ? strictTime(time) : undefined
  const wait = waitMs !== undefined && waitMs > 0 ? waitMs : undefined
  return { submission: { name, version, certname, producerTimestamp, payload, waitMs: wait } }
}

const commandNames = (Object.keys(lastVersions) as CommandName[]).sort()

function refused(command: ExactJson, certname: ExactJson, why: string): Outcome {
  const error = `Command ${clojureText(command)} for certname ${clojureText(certname)} is invalid. ${why}`
  const body = `{\n  "error" : ${JSON.stringify(error)}\n}`
  return { refusal: { status: 400, contentType: 'application/json;charset=utf-8', body } }
}

function plain(status: number, body: string): Refusal {
  return { status, contentType: 'text/plain;charset=utf-8', body }
}

/** Parses an integer like Java's `Integer`. */
function wholeNumber(text: ExactJson | undefined): number | undefined {
  if (typeof text !== 'string' || !/^[+-]?\d{1,10}$/.test(text)) return undefined
  const number = Number(text)
  return Math.abs(number) <= 0x7fffffff ? number : undefined
}

function lengthIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
