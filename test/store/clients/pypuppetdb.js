// What pypuppetdb makes of a server's answers, in a form that two servers can share.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { named, namesOfHashes } from '../query/ask.js'
import { canonicalText } from '../query/canonical.js'

const file = new URL('pypuppetdb.jsonl.gz', import.meta.url)
const script = new URL('pypuppetdb_calls.py', import.meta.url).pathname
/** Debian's interpreter, for which Debian has the package. */
const python = '/usr/bin/python3'

/**
 * The calls, and what each gave, of a client that connects so.
 * @param {object} connection the arguments of `pypuppetdb.connect`
 * @param {ReadonlyMap<string, string>} tokenOf of `namesOfHashes`
 * @returns {Promise<Record<string, string>>} canonical JSON by the name of the call
 */
export async function callsOfPypuppetdb(connection, tokenOf) {
  const options = { maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(python, [script, JSON.stringify(connection)], options)
  const lines = named(stdout.trimEnd(), tokenOf).split('\n')
  return Object.fromEntries(
    lines.map((line) => JSON.parse(line)).map(({ call, answer }) => [call, canonicalText(withoutOrder(answer))]),
  )
}

/** What a real PuppetDB gave. */
export function recordedCalls() {
  return JSON.parse(gunzipSync(readFileSync(file)).toString())
}

function recordCalls(calls) {
  writeFileSync(file, gzipSync(JSON.stringify(calls), { level: 9 }))
}

/** Lists have no order of their own; one with an order says it in its names. */
function withoutOrder(value) {
  if (Array.isArray(value))
    return value.map(withoutOrder).sort((a, b) => (canonicalText(a) < canonicalText(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutOrder(each)]))
}

// node test/store/clients/pypuppetdb.js URL: records what a real PuppetDB that has the dataset gives, with figures for all.
if (process.argv[1] === import.meta.filename) {
  const { hostname: host, port } = new URL(process.argv[2])
  const { tokenOf } = await namesOfHashes(process.argv[2])
  recordCalls(await callsOfPypuppetdb({ host, port: Number(port) }, tokenOf))
}
