import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ExactJson } from '../../base/exact-json.ts'
import { parseJson, printJson } from '../../base/json-text.ts'
import { isMissing } from '../../base/system-error.ts'
import { exportsFromWire, exportsToWire } from '../../model/exported-resource.ts'
import type { Step } from '../../trace/step.ts'
import type { CatalogTrace } from './kept-catalog.ts'

/**
 * Writes a trace as a file: a line of JSON, the catalog's bytes, what is stored of it; all of it encrypted, for a catalog has
 * its secrets in clear.
 */
export function writeTrace(path: string, trace: CatalogTrace, key: Uint8Array): void {
  const { steps, catalog } = trace
  const { text, exports, stored, environment, collects, lookups, asked, logs } = catalog
  const head = printJson({
    key: trace.key,
    steps: steps.map(({ question, answer }) => [question.kind, question.args as ExactJson, answer]),
    ...{ environment, collects, lookups, tags: text.tags, name: text.name, times: text.times },
    asked: asked.map(({ question, digest }) => [question, digest]),
    logs: logs as unknown as ExactJson,
    exports: exportsToWire(text.name, exports),
    sizes: [text.rest.length, stored?.length ?? null],
  })
  const body = Buffer.concat([Buffer.from(`${head}\n`), text.rest, stored ?? Buffer.alloc(0)])
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const written = `${path}.${randomUUID()}`
  try {
    writeFileSync(written, encrypted(body, key), { mode: 0o600, flag: 'wx' })
    renameSync(written, path)
  } catch (error) {
    rmSync(written, { force: true })
    throw error
  }
}

/** The state of a trace's file, equal while nobody wrote it; `undefined` where there is none. */
export function traceState(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && [found.ino, found.size, found.mtimeNs].join(' ')
}

/** A trace from its file; `undefined` where there is none, none that is whole, or none of this key. */
export function readTrace(path: string, secret: Uint8Array): CatalogTrace | undefined {
  const file = bytesOf(path)
  const body = file && decrypted(file, secret)
  if (!body) return undefined
  const end = body.indexOf('\n')
  const head = parseJson(body.toString('utf8', 0, end)) as unknown as TraceHead
  const [rest, stored] = head.sizes
  const { key, environment, collects, lookups, tags, name, times, logs } = head
  return {
    key,
    steps: head.steps.map(([kind, args, answer]) => ({ question: { kind, args }, answer })),
    catalog: {
      text: { tags, name, times, rest: body.subarray(end + 1, end + 1 + rest) },
      ...{ environment, collects, lookups, logs },
      asked: head.asked.map(([question, digest]) => ({ question, digest })),
      exports: exportsFromWire(head.exports, name),
      stored: stored === null ? undefined : body.subarray(end + 1 + rest, end + 1 + rest + stored),
    },
  }
}

/** The first line of JSON: of our own hand, as the digest says. */
interface TraceHead {
  readonly key: string
  readonly steps: readonly (readonly [kind: string, args: Step['question']['args'], answer: string])[]
  readonly environment: string
  readonly collects: readonly string[]
  readonly lookups: readonly string[]
  readonly tags: readonly string[]
  readonly name: string
  readonly times: readonly number[]
  readonly asked: readonly (readonly [question: string, digest: string])[]
  readonly logs: CatalogTrace['catalog']['logs']
  readonly exports: ExactJson
  readonly sizes: readonly [rest: number, stored: number | null]
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const cipher = 'aes-256-gcm'
const [nonceSize, tagSize] = [12, 16]

/** A nonce, the tag, and the text under the key. */
function encrypted(text: Uint8Array, key: Uint8Array): Buffer {
  const nonce = randomBytes(nonceSize)
  const work = createCipheriv(cipher, key, nonce)
  const hidden = [work.update(text), work.final()]
  return Buffer.concat([nonce, work.getAuthTag(), ...hidden])
}

/** The text; `undefined` where a bit of it is another, or the key. */
function decrypted(file: Buffer, key: Uint8Array): Buffer | undefined {
  if (file.length < nonceSize + tagSize) return undefined
  const work = createDecipheriv(cipher, key, file.subarray(0, nonceSize))
  work.setAuthTag(file.subarray(nonceSize, nonceSize + tagSize))
  const text = work.update(file.subarray(nonceSize + tagSize))
  try {
    work.final()
    return text
  } catch {
    return undefined
  }
}
