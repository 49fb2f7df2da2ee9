import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ExactJson } from '../../base/exact-json.ts'
import { parseJson, printJson } from '../../base/json-text.ts'
import { isMissing } from '../../base/system-error.ts'
import { exportsFromWire, exportsToWire } from '../../model/exported-resource.ts'
import type { Step } from '../../trace/step.ts'
import type { CatalogTrace } from './kept-catalog.ts'

/**
 * A trace as a file: a line with the digest of all that follows, a line of JSON, the catalog's bytes, what is stored of it.
 * It has the clear text of a catalog's secrets, and is the owner's alone.
 */
export function writeTrace(path: string, trace: CatalogTrace): void {
  const { key, steps, catalog } = trace
  const { text, exports, stored, environment, collects, lookups, asked, logs } = catalog
  const head = printJson({
    key,
    steps: steps.map(({ question, answer }) => [question.kind, question.args as ExactJson, answer]),
    ...{ environment, collects, lookups, tags: text.tags, name: text.name, times: text.times },
    asked: asked.map(({ question, digest }) => [question, digest]),
    logs: logs as unknown as ExactJson,
    exports: exportsToWire(text.name, exports),
    sizes: [text.rest.length, stored?.length ?? null],
  })
  const body = Buffer.concat([Buffer.from(`${head}\n`), text.rest, stored ?? Buffer.alloc(0)])
  const file = Buffer.concat([Buffer.from(`${hash('sha256', body, 'hex')}\n`), body])
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const written = `${path}.${randomUUID()}`
  try {
    writeFileSync(written, file, { mode: 0o600, flag: 'wx' })
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

/** A trace from its file; `undefined` where there is none, or none that is whole. */
export function readTrace(path: string): CatalogTrace | undefined {
  const file = bytesOf(path)
  if (!file) return undefined
  const start = file.indexOf('\n') + 1
  const body = file.subarray(start)
  if (start === 0 || file.toString('latin1', 0, start - 1) !== hash('sha256', body, 'hex')) return undefined
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
