import { dirname } from 'node:path'
import { fail } from '../../base/issue.ts'
import { list, record, text } from '../../base/json/wire.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { Files } from '../../machine/system/system.ts'
import { sourceIssues } from './source-issues.ts'

/** An environment that stays on its commit, whatever becomes of its ref. */
export interface Frozen {
  readonly environment: string
  /** The reason in words. */
  readonly message: string
  /** Who froze it; empty where nobody knows. */
  readonly by: string
  /** The time in ISO 8601. */
  readonly since: string
}

/** The frozen environments that a file holds, by name; none where there is no file. Throws FROZEN_UNREADABLE. */
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

/** A frozen environment out of JSON. Throws WIRE_SHAPE. */
export function frozenFromWire(value: unknown): Frozen {
  const { environment, message, by, since } = record(value, 'a frozen environment')
  return {
    environment: text(environment, 'environment'),
    message: text(message, 'message'),
    by: text(by, 'by'),
    since: text(since, 'since'),
  }
}

/** Writes which environments are frozen, in one step. */
export async function writeFrozen(file: string, frozen: ReadonlyMap<string, Frozen>, files: Files): Promise<void> {
  const folder = dirname(file)
  if ((await files.stat(folder)) === undefined) await files.makeDirectory(folder, 0o750)
  const content = { version: 1, environments: [...frozen.values()] }
  await files.write(file, `${JSON.stringify(content, undefined, 2)}\n`, 0o640)
}
