import { formatDiagnosticLine, PuppetError } from '../../base/issue.ts'
import type { StoreCommand } from '../commands/command.ts'
import { readCommand } from '../commands/read-command.ts'
import { type SplitCatalog, splitCatalog } from '../commands/split-catalog.ts'
import type { Database } from '../database/database.ts'
import { readPayloadDigests } from '../ingest/catalogs.ts'
import type { QueuedCommand } from './record.ts'

/** A parsed command, or the reason why it could not be parsed. */
export interface ParsedCommand {
  readonly command: QueuedCommand
  readonly payload?: StoreCommand
  readonly problem?: string
}

/**
 * Parses queued commands. If a catalog is identical to the node's previous catalog, stored or earlier
 * among the commands, only its metadata is parsed.
 */
export async function readQueuedCommands(
  database: Database,
  commands: readonly QueuedCommand[],
): Promise<readonly ParsedCommand[]> {
  const certnames = new Set(commands.filter(({ name }) => name === 'replace catalog').map(({ certname }) => certname))
  if (certnames.size === 0) return commands.map(readFullCommand)
  const digests = new Map(await readPayloadDigests(database, [...certnames]))
  return commands.map((command) =>
    command.name === 'replace catalog' ? readCatalog(command, digests) : readFullCommand(command),
  )
}

/**
 * Parses a `replace catalog` command and updates the digest of the node's previous catalog. If that
 * catalog is not written after all, the writer reports CATALOG_CONTENTS for this one.
 */
function readCatalog(command: QueuedCommand, digests: Map<string, string>): ParsedCommand {
  const split = splitCatalog(command.payload, command.version)
  const isKnown = split !== undefined && digests.get(command.certname) === split.digest
  const read = (isKnown && readMetadata(command, split)) || addDigest(readFullCommand(command), split)
  if (split && read.payload) digests.set(command.certname, split.digest)
  else digests.delete(command.certname)
  return read
}

function readMetadata(command: QueuedCommand, { about, digest }: SplitCatalog): ParsedCommand | undefined {
  const { payload } = readFullCommand({ ...command, payload: about })
  if (payload?.name !== 'replace catalog' || payload.payload.certname !== command.certname) return undefined
  return { command, payload: { ...payload, payload: { ...payload.payload, digest, contentsOmitted: true } } }
}

function addDigest(read: ParsedCommand, split: SplitCatalog | undefined): ParsedCommand {
  const { command, payload } = read
  if (!split || payload?.name !== 'replace catalog') return read
  return { command, payload: { ...payload, payload: { ...payload.payload, digest: split.digest } } }
}

/** Parses a command completely. */
export function readFullCommand(command: QueuedCommand): ParsedCommand {
  try {
    return { command, payload: readCommand(command) }
  } catch (error) {
    return {
      command,
      problem: error instanceof PuppetError ? formatDiagnosticLine(error.diagnostic) : (error as Error).message,
    }
  }
}
