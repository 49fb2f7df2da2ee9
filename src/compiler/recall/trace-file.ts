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
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import { exportsFromWire, exportsToWire } from '../../model/exported-resource.ts'
import type { TraceStep } from '../../ruby/trace/trace-step.ts'
import { getSeal, sealText, unsealText } from './trace-encryption.ts'
import { groupSteps, parseWrittenSteps, toWrittenSteps, type WrittenStep } from './trace-step-groups.ts'
import type { CatalogSummary, CatalogTrace, TracedCatalog } from './traced-catalog.ts'

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
  /** Questions about the request and external sources, with their answers. */
  readonly own: readonly TraceStep[]
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
    writeFileSync(written, encodeTrace(trace, key), { mode: 0o600, flag: 'wx' })
    const head = readTraceHead(written, key)!
    renameSync(written, path)
    return { ...head, path }
  } catch (error) {
    rmSync(written, { force: true })
    throw error
  }
}

/** Returns the state of a trace file, which changes with each write; `undefined` if the file is missing. */
export function readTraceState(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && formatFileState(found)
}

/**
 * Reads the head of a trace file; `undefined` if the file is missing, damaged, or encrypted with
 * another key.
 */
export function readTraceHead(path: string, key: Uint8Array): TraceHead | undefined {
  return withFile(path, (file) => {
    const state = formatFileState(fstatSync(file, { bigint: true }))
    const start = readBytesAt(file, 0, usualHead)
    if (start.length < sizeSize) return undefined
    const end = sizeSize + start.readUInt32LE()
    const sealed = end <= start.length ? start.subarray(sizeSize, end) : readBytesAt(file, sizeSize, end - sizeSize)
    const text = unsealText(sealed, key)
    return text && parseTraceHead(text.toString(), { path, state, end })
  })
}

/**
 * Reads the questions about code by group name; `undefined` if the file was replaced after its head
 * was read.
 */
export function readStepGroups({ path, groups, sections }: TraceHead, key: Uint8Array): GroupsRead | undefined {
  const text = readSection(path, sections.steps, key)
  const lines = text?.toString().split('\n')
  return lines && { of: (name) => parseWrittenSteps(JSON.parse(lines[groups.indexOf(name)]!) as WrittenStep[]) }
}

interface GroupsRead {
  of(name: string): readonly TraceStep[]
}

/** Reads the catalog; `undefined` if the file was replaced after its head was read. */
export function readTraceCatalog({ path, sections, summary }: TraceHead, key: Uint8Array): TracedCatalog | undefined {
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

/** Reads a complete trace; `undefined` in the same cases as `readTraceHead`, or if the file was replaced meanwhile. */
export function readTrace(path: string, key: Uint8Array): CatalogTrace | undefined {
  const head = readTraceHead(path, key)
  const groups = head && readStepGroups(head, key)
  const catalog = groups && readTraceCatalog(head, key)
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
  readonly asked: readonly (readonly [question: string, digest: string, version?: string])[]
  readonly sections: readonly (readonly [size: number, seal: string])[]
}

/** First line of the section with the catalog, as JSON. */
interface CatalogHead {
  readonly name: string
  readonly tags: readonly string[]
  readonly times: readonly number[]
  readonly lookups: readonly string[]
  readonly logs: TracedCatalog['logs']
  readonly sizes: readonly [rest: number, stored: number | null]
}

function encodeTrace(trace: CatalogTrace, key: Uint8Array): Buffer {
  const { text, exports, stored, environment, collects, lookups, asked, logs } = trace.catalog
  const groups = groupSteps(trace.code)
  const sizes: CatalogHead['sizes'] = [text.rest.length, stored?.length ?? null]
  const catalog: CatalogHead = { name: text.name, tags: text.tags, times: text.times, lookups, logs, sizes }
  const sections = [
    sealText(Buffer.from(groups.map(({ steps }) => JSON.stringify(toWrittenSteps(steps))).join('\n')), key),
    sealText(Buffer.concat([Buffer.from(`${JSON.stringify(catalog)}\n`), text.rest, stored ?? Buffer.alloc(0)]), key),
  ]
  const head: WrittenHead = {
    key: trace.key,
    own: toWrittenSteps(trace.own),
    groups: groups.map(({ name }) => name),
    ...{ name: text.name, environment, collects },
    asked: asked.map(({ question, digest, version }) =>
      version === undefined ? [question, digest] : [question, digest, version],
    ),
    sections: sections.map((each) => [each.length, getSeal(each)]),
  }
  const exported = formatExactJson(exportsToWire(text.name, exports))
  const sealed = sealText(Buffer.from(`${JSON.stringify(head)}\n${exported}`), key)
  const size = Buffer.alloc(sizeSize)
  size.writeUInt32LE(sealed.length)
  return Buffer.concat([size, sealed, ...sections])
}

function parseTraceHead(text: string, { path, state, end }: { path: string; state: string; end: number }): TraceHead {
  const [line, exported] = text.split('\n') as [string, string]
  const { key, own, groups, name, environment, collects, asked, sections } = JSON.parse(line) as WrittenHead
  const [[stepsSize, stepsSeal], [catalogSize, catalogSeal]] = sections as [[number, string], [number, string]]
  return {
    ...{ path, state, key, groups },
    own: parseWrittenSteps(own),
    summary: {
      ...{ environment, collects },
      asked: asked.map(([question, digest, version]) => ({ question, digest, version })),
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
    const sealed = readBytesAt(file, at, size)
    return sealed.length === size && getSeal(sealed) === wanted ? unsealText(sealed, key) : undefined
  })
}

function withFile<Result>(path: string, use: (file: number) => Result | undefined): Result | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (isMissingFileError(error)) return undefined
    throw error
  }
  try {
    return use(file)
  } finally {
    closeSync(file)
  }
}

/** Reads bytes at an offset in a file; returns fewer bytes at the end of the file. */
function readBytesAt(file: number, at: number, size: number): Buffer {
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

function formatFileState({ ino, size, mtimeNs }: { ino: bigint; size: bigint; mtimeNs: bigint }): string {
  return [ino, size, mtimeNs].join(' ')
}
