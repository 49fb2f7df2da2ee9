import { lstat, mkdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkJsonString } from '../../base/json/json-checks.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { localFiles } from '../../machine/system/files.ts'
import { changeOwner, computeTreeDigest } from './directory-copy.ts'
import { migrationIssues as issues } from './issues.ts'
import type { MigrationUnit } from './migration-unit.ts'

/** The journal entry of a file or directory that a migration creates. */
interface Entry {
  readonly to: string
  /** `staged`: written next to its destination; `moving`: being renamed; `done`: in place. */
  readonly state: 'waiting' | 'staged' | 'moving' | 'done'
  /** True if the destination existed before. */
  readonly replaces: boolean
  /** Digest of the new content. */
  readonly digest: string
}

/** The record of a migration, sufficient to undo it after an interruption at any point. */
interface Journal {
  readonly state: 'begun' | 'applied'
  readonly entries: readonly Entry[]
  /** Directories created by the migration, outermost first. */
  readonly made: readonly string[]
  /** Times of existing directories in milliseconds, to be restored after the undo. */
  readonly times: readonly { readonly folder: string; readonly atime: number; readonly mtime: number }[]
}

/** The result of an undo. */
export interface UndoResult {
  /** Paths that were restored. */
  readonly restored: readonly string[]
  /** Paths of copies of files that changed after the migration. */
  readonly kept: readonly string[]
}

const suffixes = { staged: '.migrating', before: '.before-migration', changed: '.undone' } as const

/** The path of the journal in a vardir. */
export function getJournalPath(vardir: string): string {
  return join(vardir, 'migration', 'journal.json')
}

/** The state of the migration in a vardir; `undefined` if there is none. Throws JOURNAL_UNREADABLE. */
export async function readMigrationState(vardir: string): Promise<Journal['state'] | undefined> {
  return (await readJournal(getJournalPath(vardir)))?.state
}

/**
 * Writes the files and directories of a migration next to their destinations, then renames them
 * into place. Undoes everything after an error. Calls `told` for each unit.
 */
export async function applyUnits(
  units: readonly MigrationUnit[],
  vardir: string,
  told: (unit: MigrationUnit) => void,
): Promise<void> {
  const path = getJournalPath(vardir)
  const { missing: made, times } = await findMissingFolders([dirname(path), ...units.map(({ to }) => dirname(to))])
  let entries: readonly Entry[] = await Promise.all(
    units.map(async ({ to }) => ({ to, state: 'waiting' as const, replaces: await pathExists(to), digest: '' })),
  )
  const writeJournal = (state: Journal['state']) => {
    const journal: Journal = { state, entries, made, times }
    return localFiles.write(path, `${JSON.stringify(journal, null, 2)}\n`, 0o600)
  }
  const advanceEntry = async (at: number, change: Partial<Entry>) => {
    entries = entries.map((entry, index) => (index === at ? { ...entry, ...change } : entry))
    await writeJournal('begun')
  }
  await createFolders(made.filter((folder) => path.startsWith(`${folder}/`)))
  await writeJournal('begun')
  try {
    await createFolders(made)
    for (const [index, unit] of units.entries()) {
      told(unit)
      const staged = unit.to + suffixes.staged
      await rm(staged, { recursive: true, force: true })
      await unit.stage(staged)
      if (process.getuid?.() === 0) await copyFolderOwner(staged, dirname(unit.to))
      await advanceEntry(index, { state: 'staged', digest: await computeTreeDigest(staged) })
    }
    for (const [index, { to }] of units.entries()) {
      await advanceEntry(index, { state: 'moving' })
      if (entries[index]!.replaces) await rename(to, to + suffixes.before)
      await rename(to + suffixes.staged, to)
      await advanceEntry(index, { state: 'done' })
      await localFiles.sync(dirname(to))
    }
    await writeJournal('applied')
  } catch (error) {
    await undoUnits(vardir)
    throw error
  }
}

/** Undoes a finished or interrupted migration. Throws NOTHING_TO_UNDO. */
export async function undoUnits(vardir: string): Promise<UndoResult> {
  const path = getJournalPath(vardir)
  const journal = (await readJournal(path)) ?? throwIssue(issues.NOTHING_TO_UNDO, { journal: path })
  const restored: string[] = []
  const kept: string[] = []
  for (const entry of journal.entries.toReversed()) {
    const { to, replaces } = entry
    const isMoved = entry.state === 'done' || (entry.state === 'moving' && !(await pathExists(to + suffixes.staged)))
    await rm(to + suffixes.staged, { recursive: true, force: true })
    const mayGo = isMoved && (!replaces || (await pathExists(to + suffixes.before)))
    if (mayGo && (await pathExists(to))) kept.push(...(await removeMigratedFile(entry)))
    if (replaces && (await pathExists(to + suffixes.before))) await rename(to + suffixes.before, to)
    restored.push(to)
  }
  // The directory belongs to the journal; an interrupted migration may have left temporary files in it.
  await rm(dirname(path), { recursive: true, force: true })
  for (const folder of journal.made.toReversed()) await rmdir(folder).catch(() => {})
  for (const { folder, atime, mtime } of journal.times) await utimes(folder, atime / 1000, mtime / 1000).catch(() => {})
  return { restored: restored.toReversed(), kept }
}

/** Removes a migrated file or directory. If it has changed since the migration, renames it instead and returns the new path. */
async function removeMigratedFile({ to, digest }: Entry): Promise<readonly string[]> {
  if (digest === (await computeTreeDigest(to))) {
    await rm(to, { recursive: true })
    return []
  }
  const kept = to + suffixes.changed
  await rm(kept, { recursive: true, force: true })
  await rename(to, kept)
  return [kept]
}

/** Missing directories, outermost first, and the times of their existing parents. */
async function findMissingFolders(
  wanted: readonly string[],
): Promise<Pick<Journal, 'times'> & { readonly missing: string[] }> {
  const missing = new Set<string>()
  const times = new Map<string, Journal['times'][number]>()
  const visitFolder = async (folder: string): Promise<void> => {
    const found = await stat(folder).catch(() => undefined)
    if (found) times.set(folder, { folder, atime: found.atimeMs, mtime: found.mtimeMs })
    else {
      if (dirname(folder) !== folder) await visitFolder(dirname(folder))
      missing.add(folder)
    }
  }
  for (const folder of wanted) await visitFolder(folder)
  return { missing: [...missing], times: [...times.values()] }
}

async function createFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    if ((await mkdir(folder, { recursive: true, mode: 0o755 })) === undefined) continue
    if (process.getuid?.() === 0) await copyFolderOwner(folder, dirname(folder))
  }
}

/** Gives a file the owner of its directory. */
async function copyFolderOwner(path: string, folder: string): Promise<void> {
  const { uid, gid } = await stat(folder)
  await changeOwner(path, uid, gid)
}

async function pathExists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isMissingFileError(error)) return false
    throw error
  }
}

const states = ['waiting', 'staged', 'moving', 'done'] as const

async function readJournal(path: string): Promise<Journal | undefined> {
  const content = await localFiles.readText(path)
  if (content === undefined) return undefined
  try {
    const { state, entries, made, times } = checkJsonObject(JSON.parse(content), 'journal')
    return {
      state: state === 'applied' ? 'applied' : 'begun',
      entries: checkJsonArray(entries, 'entries').map((each) => {
        const entry = checkJsonObject(each, 'entry')
        return {
          to: checkJsonString(entry['to'], 'to'),
          state: states.find((known) => known === entry['state']) ?? 'moving',
          replaces: entry['replaces'] === true,
          digest: checkJsonString(entry['digest'], 'digest'),
        }
      }),
      made: checkJsonArray(made, 'made').map((each) => checkJsonString(each, 'folder')),
      times: checkJsonArray(times, 'times').map((each) => {
        const { folder, atime, mtime } = checkJsonObject(each, 'times')
        return { folder: checkJsonString(folder, 'folder'), atime: Number(atime), mtime: Number(mtime) }
      }),
    }
  } catch (error) {
    return throwIssue(issues.JOURNAL_UNREADABLE, { journal: path, why: formatError(error) })
  }
}
