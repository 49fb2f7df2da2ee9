import { lstat, mkdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail } from '../../base/issue.ts'
import { list, record, text } from '../../base/json/wire.ts'
import { isMissing } from '../../base/system-error.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { localFiles } from '../../machine/system/files.ts'
import { digestTree, give } from './copy-tree.ts'
import { migrationIssues as issues } from './issues.ts'
import type { Unit } from './unit.ts'

/** A unit of a migration as the journal has it. */
interface Entry {
  readonly to: string
  /** `staged`: written beside its place; `moving`: its place may have it, or not yet; `done`: it has. */
  readonly state: 'waiting' | 'staged' | 'moving' | 'done'
  /** True where something was there before. */
  readonly replaces: boolean
  /** The digest of what was put there. */
  readonly digest: string
}

/** A migration on disk: enough to take all of it back, whenever it was broken off. */
interface Journal {
  readonly state: 'begun' | 'applied'
  readonly entries: readonly Entry[]
  /** Folders that were made for it, the outermost first. */
  readonly made: readonly string[]
  /** Times of folders that were there, milliseconds: files that come and go change them. */
  readonly times: readonly { readonly folder: string; readonly atime: number; readonly mtime: number }[]
}

/** The outcome of taking a migration back. */
export interface Undone {
  /** Places that are as they were. */
  readonly restored: readonly string[]
  /** Copies of what had changed since the migration: nothing is thrown away that somebody needs. */
  readonly kept: readonly string[]
}

const suffixes = { staged: '.migrating', before: '.before-migration', changed: '.undone' } as const

/** The path of the journal below a vardir. */
export function journalPath(vardir: string): string {
  return join(vardir, 'migration', 'journal.json')
}

/** The state of a migration in this vardir; `undefined` where there is none. Throws JOURNAL_UNREADABLE. */
export async function migrationState(vardir: string): Promise<Journal['state'] | undefined> {
  return (await readJournal(journalPath(vardir)))?.state
}

/**
 * Puts all units in their places: each is written whole beside its place first, then renamed into it. What fails is taken
 * back. `told` hears of each unit.
 */
export async function applyUnits(units: readonly Unit[], vardir: string, told: (unit: Unit) => void): Promise<void> {
  const path = journalPath(vardir)
  const { missing: made, times } = await foldersFor([dirname(path), ...units.map(({ to }) => dirname(to))])
  let entries: readonly Entry[] = await Promise.all(
    units.map(async ({ to }) => ({ to, state: 'waiting' as const, replaces: await isThere(to), digest: '' })),
  )
  const write = (state: Journal['state']) => {
    const journal: Journal = { state, entries, made, times }
    return localFiles.write(path, `${JSON.stringify(journal, null, 2)}\n`, 0o600)
  }
  const advance = async (at: number, change: Partial<Entry>) => {
    entries = entries.map((entry, index) => (index === at ? { ...entry, ...change } : entry))
    await write('begun')
  }
  await makeFolders(made.filter((folder) => path.startsWith(`${folder}/`)))
  await write('begun')
  try {
    await makeFolders(made)
    for (const [index, unit] of units.entries()) {
      told(unit)
      const staged = unit.to + suffixes.staged
      await rm(staged, { recursive: true, force: true })
      await unit.stage(staged)
      if (process.getuid?.() === 0) await giveAsFolder(staged, dirname(unit.to))
      await advance(index, { state: 'staged', digest: await digestTree(staged) })
    }
    for (const [index, { to }] of units.entries()) {
      await advance(index, { state: 'moving' })
      if (entries[index]!.replaces) await rename(to, to + suffixes.before)
      await rename(to + suffixes.staged, to)
      await advance(index, { state: 'done' })
      await localFiles.sync(dirname(to))
    }
    await write('applied')
  } catch (error) {
    await undoUnits(vardir)
    throw error
  }
}

/** Takes a migration back, whether it was finished or broken off. Throws NOTHING_TO_UNDO. */
export async function undoUnits(vardir: string): Promise<Undone> {
  const path = journalPath(vardir)
  const journal = (await readJournal(path)) ?? fail(issues.NOTHING_TO_UNDO, { journal: path })
  const restored: string[] = []
  const kept: string[] = []
  for (const entry of journal.entries.toReversed()) {
    const { to, replaces } = entry
    const isMoved = entry.state === 'done' || (entry.state === 'moving' && !(await isThere(to + suffixes.staged)))
    await rm(to + suffixes.staged, { recursive: true, force: true })
    const mayGo = isMoved && (!replaces || (await isThere(to + suffixes.before)))
    if (mayGo && (await isThere(to))) kept.push(...(await takeAway(entry)))
    if (replaces && (await isThere(to + suffixes.before))) await rename(to + suffixes.before, to)
    restored.push(to)
  }
  // The folder is the journal's alone; of one that was killed there may be more in it.
  await rm(dirname(path), { recursive: true, force: true })
  for (const folder of journal.made.toReversed()) await rmdir(folder).catch(() => {})
  for (const { folder, atime, mtime } of journal.times) await utimes(folder, atime / 1000, mtime / 1000).catch(() => {})
  return { restored: restored.toReversed(), kept }
}

/** Removes what a migration put in a place; keeps it beside where it was changed since. Answers the path of what is kept. */
async function takeAway({ to, digest }: Entry): Promise<readonly string[]> {
  if (digest === (await digestTree(to))) {
    await rm(to, { recursive: true })
    return []
  }
  const kept = to + suffixes.changed
  await rm(kept, { recursive: true, force: true })
  await rename(to, kept)
  return [kept]
}

/** Folders that are missing, the outermost first, and the times of those above them that are there. */
async function foldersFor(wanted: readonly string[]): Promise<Pick<Journal, 'times'> & { readonly missing: string[] }> {
  const missing = new Set<string>()
  const times = new Map<string, Journal['times'][number]>()
  const look = async (folder: string): Promise<void> => {
    const found = await stat(folder).catch(() => undefined)
    if (found) times.set(folder, { folder, atime: found.atimeMs, mtime: found.mtimeMs })
    else {
      if (dirname(folder) !== folder) await look(dirname(folder))
      missing.add(folder)
    }
  }
  for (const folder of wanted) await look(folder)
  return { missing: [...missing], times: [...times.values()] }
}

async function makeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    if ((await mkdir(folder, { recursive: true, mode: 0o755 })) === undefined) continue
    if (process.getuid?.() === 0) await giveAsFolder(folder, dirname(folder))
  }
}

/** Gives a file to whom the folder belongs in which it comes to stand. */
async function giveAsFolder(path: string, folder: string): Promise<void> {
  const { uid, gid } = await stat(folder)
  await give(path, uid, gid)
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

const states = ['waiting', 'staged', 'moving', 'done'] as const

async function readJournal(path: string): Promise<Journal | undefined> {
  const content = await localFiles.readText(path)
  if (content === undefined) return undefined
  try {
    const { state, entries, made, times } = record(JSON.parse(content), 'journal')
    return {
      state: state === 'applied' ? 'applied' : 'begun',
      entries: list(entries, 'entries').map((each) => {
        const entry = record(each, 'entry')
        return {
          to: text(entry['to'], 'to'),
          state: states.find((known) => known === entry['state']) ?? 'moving',
          replaces: entry['replaces'] === true,
          digest: text(entry['digest'], 'digest'),
        }
      }),
      made: list(made, 'made').map((each) => text(each, 'folder')),
      times: list(times, 'times').map((each) => {
        const { folder, atime, mtime } = record(each, 'times')
        return { folder: text(folder, 'folder'), atime: Number(atime), mtime: Number(mtime) }
      }),
    }
  } catch (error) {
    return fail(issues.JOURNAL_UNREADABLE, { journal: path, why: errorText(error) })
  }
}
