import { join } from 'node:path'
import { budgets } from '../base/budgets/budgets.ts'
import { printJson } from '../base/json/json-text.ts'
import { errorText } from '../language/ruby-semantics/errno.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { Files } from '../machine/system/system.ts'
import { trustedFacts } from '../node/facts/trusted.ts'
import { exportsPayload } from '../store/commands/writing/exports.ts'
import { exportsDirectory } from '../store/exports/from-settings.ts'
import { keptExports } from '../store/exports/json.ts'
import type { NodeStore, Submitted } from '../store/node-store.ts'
import type { BodyReader } from './bodies/body-reader.ts'
import { ourselves } from './bodies/body-reader.ts'
import type { FactsReading } from './bodies/readings.ts'
import type { KeptInStore } from './services/services.ts'
import { factsDirectory } from './termini/facts/files.ts'

/** Dependencies of moving files into the store. */
export interface MovingParts {
  readonly settings: Settings
  readonly files: Files
  readonly store: NodeStore
  readonly reader: BodyReader
  readonly kept: KeptInStore
  say(level: 'info' | 'warn', message: string): void
}

/**
 * Creates the store command for a node's file; `producerTimestamp` is the file's modification time.
 */
type CommandOf = (certname: string, file: string, producerTimestamp: string) => Promise<Submitted | undefined>

/** Number of files processed concurrently. */
const atOnce = 16

/**
 * Moves facts and exports from files into the store, with the times of the files, so that newer data in the store is
 * kept. The files are removed after all of them are stored. If the server stops earlier, the next start repeats the
 * move with the same result.
 */
export async function moveFiles(parts: MovingParts): Promise<void> {
  const { settings, kept } = parts
  if (kept.facts) await moveFolder(parts, 'facts', factsDirectory(settings), factsCommand(parts))
  if (kept.exports) await moveFolder(parts, 'exports', exportsDirectory(settings), exportsCommand(parts))
}

async function moveFolder(parts: MovingParts, what: string, folder: string, commandOf: CommandOf): Promise<void> {
  const { files, store, say } = parts
  const names = ((await files.list(folder)) ?? []).filter((name) => /^[^.].*\.json$/.test(name))
  if (names.length === 0) return
  say('info', `The ${what} of ${names.length} nodes move from ${folder} into the store`)
  const moved: string[] = []
  let waits = store.upkeep?.figures().stuck !== undefined
  for (let at = 0; at < names.length; at += atOnce) {
    const outcomes = await Promise.all(
      names.slice(at, at + atOnce).map((name) => move(parts, join(folder, name), commandOf, waits)),
    )
    waits ||= outcomes.includes('waits')
    moved.push(...names.slice(at, at + atOnce).filter((_, index) => outcomes[index] === 'moved'))
  }
  if (waits) {
    const later = `the files stay in ${folder} until the next start`
    return say('warn', `The store takes nothing now: the ${what} of ${names.length} nodes wait in its queue; ${later}`)
  }
  for (const name of moved) await files.remove(join(folder, name))
  await files.sync(folder)
  const left = names.length - moved.length
  say(
    'info',
    `The ${what} of ${moved.length} nodes are in the store${left > 0 ? `; ${left} files stay in ${folder}` : ''}`,
  )
}

/**
 * Moves one file. A file that cannot be read or stored stays and is logged.
 * @param isQueued True to queue the command without waiting; queued commands precede later ones
 * from agents.
 */
async function move(
  parts: MovingParts,
  file: string,
  commandOf: CommandOf,
  isQueued: boolean,
): Promise<'moved' | 'stays' | 'waits'> {
  const { files, store, say } = parts
  const stays = (why: string) => {
    say('warn', `${file} stays where it is: ${why}`)
    return 'stays' as const
  }
  try {
    const certname = file.slice(file.lastIndexOf('/') + 1, -'.json'.length)
    const written = new Date(Math.trunc((await files.stat(file))?.modified ?? 0)).toISOString()
    const command = await commandOf(certname, file, written)
    if (!command) return 'moved'
    const { processed } = await store.submitAndWait(command, isQueued ? 0 : budgets.store.moveTime.bound)
    if (processed?.problem !== undefined) return stays(processed.problem)
    return processed ? 'moved' : 'waits'
  } catch (error) {
    return stays(errorText(error))
  }
}

function factsCommand({ settings, files, reader }: MovingParts): CommandOf {
  return async (certname, file, producerTimestamp) => {
    const text = await files.read(file)
    if (text === undefined) return undefined
    const { values } = (await reader.read('facts', text, '', ourselves)).value
    const sending = {
      environment: settings.environment,
      producer: settings.certname,
      producerTimestamp,
      trusted: trustedFacts({ authenticated: 'local', certname }),
    }
    const argument = printJson({ name: certname, sending } satisfies FactsReading)
    const payload = (await reader.read('factsPayload', Buffer.from(values), argument, ourselves)).value
    return { name: 'replace facts', version: 5, certname, payload }
  }
}

function exportsCommand({ settings, files }: MovingParts): CommandOf {
  return async (certname, _, producerTimestamp) => {
    const resources = await keptExports({ directory: exportsDirectory(settings), files }, certname)
    const sending = { environment: settings.environment, producer: settings.certname, producerTimestamp }
    const payload = Buffer.from(printJson(exportsPayload(certname, resources, sending)))
    return { name: 'replace catalog', version: 9, certname, payload }
  }
}
