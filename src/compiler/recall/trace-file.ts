import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { parseJson, printJson } from '../../base/json/json-text.ts'
import { isMissing } from '../../base/system-error.ts'
import { exportsFromWire, exportsToWire } from '../../model/exported-resource.ts'
import type { Step } from '../../ruby/trace/step.ts'
import type { CatalogSummary, CatalogTrace, KeptCatalog } from './kept-catalog.ts'
import { seal, sealOf, unseal } from './sealed.ts'
import { groupsOf, stepsFrom, type WrittenStep, writtenSteps } from './step-groups.ts'

/**
 * Head of a trace file, which nearly always suffices to decide if the trace is valid. The file continues with the
 * questions about code, one line for each group, and the catalog; both are read on demand.
 */
export interface TraceHead {
  readonly path: string
  /** Identifies the state of the file; it changes when the file is written again. */
  readonly state: string
  /** Digest of the inputs that are compared as a whole. */
  readonly key: string
  /** Questions that are not about code. */
  readonly own: readonly Step[]
  /** Names of the groups of questions about code. */
  readonly groups: readonly string[]
  readonly summary: CatalogSummary
  readonly sections: Sections
}

interface Section {
  readonly at: number
  readonly size: number
  readonly seal: string
}

type Sections = Readonly<Record<'steps' | 'catalog', Section>>

/** Size in bytes of the field that contains the head's size. */
const sizeSize = 4
/** Number of bytes that are first read for a head. If the head is longer, it is read again. */
const usualHead = 32 * 1024

/**
 * Writes a trace file and returns its head. The file is encrypted, since a catalog contains secrets
 * in clear text.
 */
export function writeTrace(path: string, trace: CatalogTrace, key: Uint8Array): TraceHead {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const written = `${path}.${randomUUID()}`
  try {
    writeFileSync(written, bytesOf(trace, key), { mode: 0o600, flag: 'wx' })
    const head = readHead(written, key)!
    renameSync(written, path)
    return { ...head, path }
  } catch (error) {
    rmSync(written, { force: true })
    throw error
  }
}

/** Returns the state of a trace file, which changes with each write; `undefined` if the file is missing. */
export function traceState(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && stateOf(found)
}

/**
 * Reads the head of a trace file; `undefined` if the file is missing, damaged, or encrypted with
 * another key.
 */
export function readHead(path: string, key: Uint8Array): TraceHead | undefined {
  return withFile(path, (file) => {
    const state = stateOf(fstatSync(file, { bigint: true }))
    const start = readAt(file, 0, usualHead)
    if (start.length < sizeSize) return undefined
    const end = sizeSize + start.readUInt32LE()
    const sealed = end <= start.length ? start.subarray(sizeSize, end) : readAt(file, sizeSize, end - sizeSize)
    const text = unseal(sealed, key)
    return text && headOf(text.toString(), { path, state, end })
  })
}

/**
 * Reads the questions about code by group name; `undefined` if the file was replaced after its head
 * was read.
 */
export function readGroups({ path, groups, sections }: TraceHead, key: Uint8Array): GroupsRead | undefined {
  const text = readSection(path, sections.steps, key)
  const lines = text?.toString().split('\n')
  return lines && { of: (name) => stepsFrom(JSON.parse(lines[groups.indexOf(name)]!) as WrittenStep[]) }
}

interface GroupsRead {
  of(name: string): readonly Step[]
}

/** Reads the catalog; `undefined` if the file was replaced after its head was read. */
export function readCatalog({ path, sections, summary }: TraceHead, key: Uint8Array): KeptCatalog | undefined {
  const body = readSection(path, sections.catalog, key)
  if (!body) return undefined
  const end = body.indexOf('\n')
  const { name, tags, times, lookups, logs, sizes } = JSON.parse(body.toString('utf8', 0, end)) as CatalogHead
  const [rest, stored] = sizes
  return {
    ...summary,
    ...{ lookups, logs },
    text: { tags, name, times, rest: body.subarray(end + 1, end + 1 + rest) },
    stored: stored === null ? undefined : body.subarray(end + 1 + rest, end + 1 + rest + stored),
  }
}

/** Reads a complete trace; `undefined` in the same cases as `readHead`, or if the file was replaced meanwhile. */
export function readTrace(path: string, key: Uint8Array): CatalogTrace | undefined {
  const head = readHead(path, key)
  const groups = head && readGroups(head, key)
  const catalog = groups && readCatalog(head, key)
  return catalog && { key: head.key, own: head.own, code: head.groups.flatMap(groups.of), catalog }
}

/** First line of a head, as JSON. The encryption authenticates it. The second line contains the exported resources. */
interface WrittenHead {
  readonly key: string
  readonly own: readonly WrittenStep[]
  readonly groups: readonly string[]
  readonly name: string
  readonly environment: string
  readonly collects: readonly string[]
  readonly asked: readonly (readonly [question: string, digest: string])[]
  readonly sections: readonly (readonly [size: number, seal: string])[]
}

/** First line of the section with the catalog, as JSON. */
interface CatalogHead {
  readonly name: string
  readonly tags: readonly string[]
  readonly times: readonly number[]
  readonly lookups: readonly string[]
  readonly logs: KeptCatalog['logs']
  readonly sizes: readonly [rest: number, stored: number | null]
}

function bytesOf(trace: CatalogTrace, key: Uint8Array): Buffer {
  const { text, exports, stored, environment, collects, lookups, asked, logs } = trace.catalog
  const groups = groupsOf(trace.code)
  const sizes: CatalogHead['sizes'] = [text.rest.length, stored?.length ?? null]
  const catalog: CatalogHead = { name: text.name, tags: text.tags, times: text.times, lookups, logs, sizes }
  const sections = [
    seal(Buffer.from(groups.map(({ steps }) => JSON.stringify(writtenSteps(steps))).join('\n')), key),
    seal(Buffer.concat([Buffer.from(`${JSON.stringify(catalog)}\n`), text.rest, stored ?? Buffer.alloc(0)]), key),
  ]
  const head: WrittenHead = {
    key: trace.key,
    own: writtenSteps(trace.own),
    groups: groups.map(({ name }) => name),
    ...{ name: text.name, environment, collects },
    asked: asked.map(({ question, digest }) => [question, digest]),
    sections: sections.map((each) => [each.length, sealOf(each)]),
  }
  const exported = printJson(exportsToWire(text.name, exports))
  const sealed = seal(Buffer.from(`${JSON.stringify(head)}\n${exported}`), key)
  const size = Buffer.alloc(sizeSize)
  size.writeUInt32LE(sealed.length)
  return Buffer.concat([size, sealed, ...sections])
}

function headOf(text: string, { path, state, end }: { path: string; state: string; end: number }): TraceHead {
  const [line, exported] = text.split('\n') as [string, string]
  const { key, own, groups, name, environment, collects, asked, sections } = JSON.parse(line) as WrittenHead
  const [[stepsSize, stepsSeal], [catalogSize, catalogSeal]] = sections as [[number, string], [number, string]]
  return {
    ...{ path, state, key, groups },
    own: stepsFrom(own),
    summary: {
      ...{ environment, collects },
      asked: asked.map(([question, digest]) => ({ question, digest })),
      exports: exportsFromWire(parseJson(exported) as ExactJson, name),
    },
    sections: {
      steps: { at: end, size: stepsSize, seal: stepsSeal },
      catalog: { at: end + stepsSize, size: catalogSize, seal: catalogSeal },
    },
  }
}

function readSection(path: string, { at, size, seal: wanted }: Section, key: Uint8Array): Buffer | undefined {
  return withFile(path, (file) => {
    const sealed = readAt(file, at, size)
    return sealed.length === size && sealOf(sealed) === wanted ? unseal(sealed, key) : undefined
  })
}

function withFile<Result>(path: string, use: (file: number) => Result | undefined): Result | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  try {
    return use(file)
  } finally {
    closeSync(file)
  }
}

/** Reads bytes at an offset in a file; returns fewer bytes at the end of the file. */
function readAt(file: number, at: number, size: number): Buffer {
  const left = Math.max(fstatSync(file).size - at, 0)
  const bytes = Buffer.allocUnsafe(Math.min(size, left))
  let read = 0
  while (read < bytes.length) {
    const count = readSync(file, bytes, read, bytes.length - read, at + read)
    if (count === 0) break
    read += count
  }
  return bytes.subarray(0, read)
}

function stateOf({ ino, size, mtimeNs }: { ino: bigint; size: bigint; mtimeNs: bigint }): string {
  return [ino, size, mtimeNs].join(' ')
}
