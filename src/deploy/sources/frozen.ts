import { dirname } from 'node:path'
import { fail } from '../../base/issue.ts'
import { list, record, text } from '../../base/json/wire.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { Files } from '../../machine/system/system.ts'
import { sourceIssues } from './source-issues.ts'

/** An environment that stays on its commit even if its ref moves. */
export interface Frozen {
  readonly environment: string
  /** Reason, for users. */
  readonly message: string
  /** Name of the person who froze it; empty if unknown. */
  readonly by: string
  /** Time in ISO 8601. */
  readonly since: string
}

/** Reads the frozen environments by name; empty if the file is missing. Throws FROZEN_UNREADABLE. */
export async function readFrozen(file: string, files: Pick<Files, 'readText'>): Promise<ReadonlyMap<string, Frozen>> {
  try {
    const content = await files.readText(file)
    if (content === undefined) return new Map()
    const { version, environments } = record(JSON.parse(content), 'the file')
    if (version !== 1) throw new Error(`version ${JSON.stringify(version)} is not known here`)
    return new Map(
      list(environments, 'environments')
        .map((each) => frozenFromWire(each))
        .map((each) => [each.environment, each]),
    )
  } catch (error) {
    return fail(sourceIssues.FROZEN_UNREADABLE, { file, why: errorText(error) })
  }
}

/** Parses a frozen environment from JSON. Throws WIRE_SHAPE. */
export function frozenFromWire(value: unknown): Frozen {
  const { environment, message, by, since } = record(value, 'a frozen environment')
  return {
    environment: text(environment, 'environment'),
    message: text(message, 'message'),
    by: text(by, 'by'),
    since: text(since, 'since'),
  }
}

/** Writes the frozen environments atomically. */
export async function writeFrozen(file: string, frozen: ReadonlyMap<string, Frozen>, files: Files): Promise<void> {
  const folder = dirname(file)
  if ((await files.stat(folder)) === undefined) await files.makeDirectory(folder, 0o750)
  const content = { version: 1, environments: [...frozen.values()] }
  await files.write(file, `${JSON.stringify(content, undefined, 2)}\n`, 0o640)
}
