import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonArray, checkJsonObject, checkJsonString } from '../../base/json/json-checks.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { readBoundedFileSync } from '../../machine/system/bounded-file.ts'
import { localFiles } from '../../machine/system/files.ts'
import { listFilesBelow } from '../../machine/system/folder-walk.ts'
import { getTestCache } from './fixtures.ts'

/** Paths that the examples of each spec file read, relative to the module, with the digest of each file. */
export interface ReadRecord {
  /** Digest of the files that every spec file may load. */
  readonly common: string
  readonly specs: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** Largest size of a record in characters for each of its paths. */
const charactersOfPath = 300

function getRecordFile(root: string, settings: Pick<Settings, 'vardir'>): string {
  return join(getTestCache(settings), 'reads', `${hash('sha256', root, 'hex')}.json`)
}

/** Reads the record of a module; undefined if there is none, or if it is damaged. */
export function readReadRecord(root: string, settings: Pick<Settings, 'vardir'>): ReadRecord | undefined {
  const items = budgets.spec.reads.bound
  const characters = items * charactersOfPath
  try {
    const text = readBoundedFileSync(getRecordFile(root, settings), characters).toString('utf8')
    const record = checkJsonObject(parseBoundedJson(text, { characters, items: items * 2 }), 'the record')
    const specs = Object.entries(checkJsonObject(record['specs'], 'specs')).map(([spec, reads]) => {
      const paths = Object.entries(checkJsonObject(reads, spec))
      return [spec, new Map(paths.map(([path, digest]) => [path, checkJsonString(digest, path)]))] as const
    })
    return { common: checkJsonString(record['common'], 'common'), specs: new Map(specs) }
  } catch {
    return undefined
  }
}

/** A run whose reads are recorded. */
export interface RecordedRun {
  /** Lines of JSON, with a spec file and a path each. */
  readonly reads: string
  /** Start of the run, in milliseconds since 1970. */
  readonly began: number
}

/**
 * Adds the reads of a run to the record of a module. Spec files of the run lose their earlier reads. A file that was
 * edited during the run counts as changed, because the run may have read it before.
 */
export async function updateReadRecord(
  root: string,
  { reads, began }: RecordedRun,
  settings: Pick<Settings, 'vardir'>,
): Promise<void> {
  const since = began - clockTickMs
  const common = digestCommonFiles(root, since)
  const before = readReadRecord(root, settings)
  const specs = new Map(before?.common === common ? before.specs : [])
  const fresh = new Map<string, Map<string, string>>()
  for (const line of reads.split('\n').filter((each) => each !== '')) {
    const [spec, path] = checkJsonArray(JSON.parse(line), 'a read').map((each) => checkJsonString(each, 'a read'))
    const paths = fresh.get(spec!) ?? new Map([[spec!, digestFile(join(root, spec!), since)]])
    fresh.set(spec!, paths.set(path!, digestFile(join(root, path!), since)))
  }
  for (const [spec, paths] of fresh) specs.set(spec, paths)
  const count = [...specs.values()].reduce((sum, paths) => sum + paths.size + 1, 0)
  if (count > budgets.spec.reads.bound) specs.clear()
  const file = getRecordFile(root, settings)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const json = {
    common,
    specs: Object.fromEntries([...specs].map(([spec, paths]) => [spec, Object.fromEntries(paths)])),
  }
  await localFiles.write(file, JSON.stringify(json), 0o600)
}

/** The tests that a change affects: all, or these spec files. */
export type AffectedSpecs =
  | { readonly kind: 'all'; readonly reason: string }
  | { readonly kind: 'some'; readonly specs: readonly string[] }

/**
 * Selects the spec files that may have another result: those that read a changed path, those whose reads have changed
 * since the record, and new ones. Files that every spec file may load, such as lib/, affect all.
 */
export function selectAffectedSpecs(
  root: string,
  changed: readonly string[],
  record: ReadRecord | undefined,
  listed: readonly string[],
): AffectedSpecs {
  if (!record) return { kind: 'all', reason: 'there is no record of an earlier run' }
  const common = changed.find(isCommonFile)
  if (common !== undefined) return { kind: 'all', reason: `every test may depend on ${common}` }
  if (record.common !== digestCommonFiles(root))
    return { kind: 'all', reason: 'files that every test may depend on have changed since the recorded run' }
  if (record.specs.has('')) return { kind: 'all', reason: 'some code was compiled outside of examples' }
  const paths = new Set(changed)
  const specs = listed.filter((spec) => {
    const reads = record.specs.get(spec)
    if (!reads || paths.has(spec)) return true
    return [...reads].some(([path, digest]) => paths.has(path) || digestFile(join(root, path)) !== digest)
  })
  return { kind: 'some', specs }
}

/** Folders and files whose reads are recorded. */
const recorded = /^(?:manifests|templates|data|hiera\.yaml$)/
/** Files that no test reads. */
const unread = /^(?:\.git\/|[^/]*\.md$|docs\/|examples\/|pkg\/|coverage\/|\.fixtures\.lock$|spec\/fixtures\/modules\/)/
/** Spec files, and test manifests. */
const tests = /^spec\/.*_spec\.rb$|_test\.pp$|_golden\/[^/]*\.json$/

function isCommonFile(path: string): boolean {
  return !recorded.test(path) && !unread.test(path) && !tests.test(path)
}

const skippedFolders: ReadonlySet<string> = new Set(['.git', 'node_modules', 'vendor', 'pkg', 'coverage', 'modules'])

function digestCommonFiles(root: string, since = Number.POSITIVE_INFINITY): string {
  const files = listFilesBelow(root, budgets.workbench.folderEntries.bound, (name) => skippedFolders.has(name))
  const paths = files.map((file) => relative(root, file)).filter(isCommonFile)
  return hash('sha256', paths.map((path) => `${path}\0${digestFile(join(root, path), since)}\n`).join(''), 'hex')
}

/** Times of files lag behind the clock by up to 10 ms. */
const clockTickMs = 10

/**
 * Digest of a file; a word for other paths, and for a file edited after `since` (milliseconds since 1970). Large files
 * are identified by size and time.
 */
function digestFile(path: string, since = Number.POSITIVE_INFINITY): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) return found ? 'folder' : 'absent'
  if (found.mtimeMs > since) return 'edited'
  if (found.size > budgets.workbench.factsBytes.bound) return `${found.size} ${found.mtimeMs}`
  return hash('sha256', readFileSync(path), 'hex')
}
