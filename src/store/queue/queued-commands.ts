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

/** Parses queued commands. If a catalog is identical to the node's stored catalog, only its metadata is parsed. */
export async function readQueuedCommands(
  database: Database,
  commands: readonly QueuedCommand[],
): Promise<readonly ParsedCommand[]> {
  const splits = findFirstCatalogs(commands)
  if (splits.size === 0) return commands.map(readFullCommand)
  const known = await readPayloadDigests(
    database,
    [...splits.keys()].map(({ certname }) => certname),
  )
  return commands.map((command) => {
    const split = splits.get(command)
    const isKnown = split !== undefined && known.get(command.certname) === split.digest
    return (isKnown && readMetadata(command, split)) || addDigest(readFullCommand(command), split)
  })
}

/**
 * Finds the first catalog of each node among the commands. A later catalog is not compared, because
 * the catalog before it is not written yet.
 */
function findFirstCatalogs(commands: readonly QueuedCommand[]): ReadonlyMap<QueuedCommand, SplitCatalog> {
  const seen = new Set<string>()
  const splits = new Map<QueuedCommand, SplitCatalog>()
  for (const command of commands) {
    if (command.name !== 'replace catalog' || seen.has(command.certname)) continue
    seen.add(command.certname)
    const split = splitCatalog(command.payload, command.version)
    if (split) splits.set(command, split)
  }
  return splits
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
