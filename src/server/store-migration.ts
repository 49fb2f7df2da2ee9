import { join } from 'node:path'
import { budgets } from '../base/budgets/budgets.ts'
import { formatExactJson } from '../base/json/json-text.ts'
import { mapConcurrently } from '../base/threads/concurrent-map.ts'
import { formatError } from '../language/ruby-semantics/errno.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { Files } from '../machine/system/system.ts'
import { buildTrustedFacts } from '../node/facts/trusted.ts'
import { buildExportsPayload } from '../store/commands/writing/exports.ts'
import { getExportsDirectory } from '../store/exports/export-settings.ts'
import { readNodeExports } from '../store/exports/json-exports.ts'
import type { NodeStore, SubmittedCommand } from '../store/node-store.ts'
import type { FactsReading } from './bodies/body-parsers.ts'
import type { BodyReader } from './bodies/body-reader.ts'
import { serverClient } from './bodies/body-reader.ts'
import type { StoredModels } from './services/services.ts'
import { getFactsDirectory } from './termini/facts/files.ts'

/** Dependencies of moving files into the store. */
export interface MovingParts {
  readonly settings: Settings
  readonly files: Files
  readonly store: NodeStore
  readonly reader: BodyReader
  readonly kept: StoredModels
  say(level: 'info' | 'warn', message: string): void
}

/**
 * Creates the store command for a node's file; `producerTimestamp` is the file's modification time.
 */
type CommandBuilder = (
  certname: string,
  file: string,
  producerTimestamp: string,
) => Promise<SubmittedCommand | undefined>

/** Number of files processed concurrently. */
const atOnce = 16

/**
 * Moves facts and exports from files into the store, with the times of the files, so that newer data in the store is
 * kept. The files are removed after all of them are stored. If the server stops earlier, the next start repeats the
 * move with the same result.
 */
export async function moveFilesToStore(parts: MovingParts): Promise<void> {
  const { settings, kept } = parts
  if (kept.facts) await moveFolder(parts, 'facts', getFactsDirectory(settings), createFactsCommandBuilder(parts))
  if (kept.exports)
    await moveFolder(parts, 'exports', getExportsDirectory(settings), createExportsCommandBuilder(parts))
}

async function moveFolder(parts: MovingParts, what: string, folder: string, commandOf: CommandBuilder): Promise<void> {
  const { files, store, say } = parts
  const names = ((await files.list(folder)) ?? []).filter((name) => /^[^.].*\.json$/.test(name))
  if (names.length === 0) return
  say('info', `Moving the ${what} of ${names.length} nodes from ${folder} to the store`)
  let waits = store.upkeep?.figures().stuck !== undefined
  const outcomes = await mapConcurrently(names, atOnce, async (name) => {
    const outcome = await moveFile(parts, join(folder, name), commandOf, waits)
    waits ||= outcome === 'waits'
    return outcome
  })
  const moved = names.filter((_, index) => outcomes[index] === 'moved')
  if (waits) {
    const later = `the files remain in ${folder} until the next start`
    return say(
      'warn',
      `The store rejects writes: the ${what} of ${names.length} nodes are waiting in its queue; ${later}`,
    )
  }
  for (const name of moved) await files.remove(join(folder, name))
  await files.sync(folder)
  const left = names.length - moved.length
  say(
    'info',
    `The ${what} of ${moved.length} nodes are in the store${left > 0 ? `; ${left} files remain in ${folder}` : ''}`,
  )
}

/**
 * Moves one file. A file that cannot be read or stored stays and is logged.
 * @param isQueued True to queue the command without waiting; queued commands precede later ones
 * from agents.
 */
async function moveFile(
  parts: MovingParts,
  file: string,
  commandOf: CommandBuilder,
  isQueued: boolean,
): Promise<'moved' | 'stays' | 'waits'> {
  const { files, store, say } = parts
  const leaveFile = (why: string) => {
    say('warn', `Could not move ${file}: ${why}`)
    return 'stays' as const
  }
  try {
    const certname = file.slice(file.lastIndexOf('/') + 1, -'.json'.length)
    const written = new Date(Math.trunc((await files.stat(file))?.modified ?? 0)).toISOString()
    const command = await commandOf(certname, file, written)
    if (!command) return 'moved'
    const { processed } = await store.submitAndWait(command, isQueued ? 0 : budgets.store.moveTime.bound)
    if (processed?.problem !== undefined) return leaveFile(processed.problem)
    return processed ? 'moved' : 'waits'
  } catch (error) {
    return leaveFile(formatError(error))
  }
}

function createFactsCommandBuilder({ settings, files, reader }: MovingParts): CommandBuilder {
  return async (certname, file, producerTimestamp) => {
    const text = await files.read(file)
    if (text === undefined) return undefined
    const { values } = (await reader.read('facts', text, '', serverClient)).value
    const sending = {
      environment: settings.environment,
      producer: settings.certname,
      producerTimestamp,
      trusted: buildTrustedFacts({ authenticated: 'local', certname }),
    }
    const argument = formatExactJson({ name: certname, sending } satisfies FactsReading)
    const payload = (await reader.read('factsPayload', Buffer.from(values), argument, serverClient)).value
    return { name: 'replace facts', version: 5, certname, payload }
  }
}

function createExportsCommandBuilder({ settings, files }: MovingParts): CommandBuilder {
  return async (certname, _, producerTimestamp) => {
    const resources = await readNodeExports({ directory: getExportsDirectory(settings), files }, certname)
    const sending = { environment: settings.environment, producer: settings.certname, producerTimestamp }
    const payload = Buffer.from(formatExactJson(buildExportsPayload(certname, resources, sending)))
    return { name: 'replace catalog', version: 9, certname, payload }
  }
}
