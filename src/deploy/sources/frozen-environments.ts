import { dirname } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkJsonString } from '../../base/json/json-checks.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Files } from '../../machine/system/system.ts'
import { sourceIssues } from './source-issues.ts'

/** An environment that stays on its commit even if its ref moves. */
export interface FrozenEnvironment {
  readonly environment: string
  /** Reason for freezing the environment, printed for users. */
  readonly message: string
  /** Name of the person who froze it; empty if unknown. */
  readonly by: string
  /** Time in ISO 8601. */
  readonly since: string
}

/** Reads the frozen environments by name; empty if the file is missing. Throws FROZEN_UNREADABLE. */
export async function readFrozenEnvironments(
  file: string,
  files: Pick<Files, 'readText'>,
): Promise<ReadonlyMap<string, FrozenEnvironment>> {
  try {
    const content = await files.readText(file)
    if (content === undefined) return new Map()
    const { version, environments } = checkJsonObject(JSON.parse(content), 'the file')
    if (version !== 1) throw new Error(`version ${JSON.stringify(version)} is not supported`)
    return new Map(
      checkJsonArray(environments, 'environments')
        .map((each) => parseFrozenEnvironment(each))
        .map((each) => [each.environment, each]),
    )
  } catch (error) {
    return throwIssue(sourceIssues.FROZEN_UNREADABLE, { file, why: formatError(error) })
  }
}

/** Parses a frozen environment from JSON. Throws WIRE_SHAPE. */
export function parseFrozenEnvironment(value: unknown): FrozenEnvironment {
  const { environment, message, by, since } = checkJsonObject(value, 'a frozen environment')
  return {
    environment: checkJsonString(environment, 'environment'),
    message: checkJsonString(message, 'message'),
    by: checkJsonString(by, 'by'),
    since: checkJsonString(since, 'since'),
  }
}

/** Writes the frozen environments atomically. */
export async function writeFrozenEnvironments(
  file: string,
  frozen: ReadonlyMap<string, FrozenEnvironment>,
  files: Files,
): Promise<void> {
  const folder = dirname(file)
  if ((await files.stat(folder)) === undefined) await files.makeDirectory(folder, 0o750)
  const content = { version: 1, environments: [...frozen.values()] }
  await files.write(file, `${JSON.stringify(content, undefined, 2)}\n`, 0o640)
}
