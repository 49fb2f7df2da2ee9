import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { toPrintable } from '../../base/text/printable.ts'
import type { EnvironmentStatus } from '../../code/environments/environments.ts'
import { getControlPath, type ServerCode, sendControlRequest } from '../../deploy/control/control-socket.ts'
import { reportPush } from '../../deploy/control/push-record.ts'
import { isNullOid, type PushedRef, readPushedRefs } from '../../deploy/push-check.ts'
import { formatRef } from '../../deploy/sources/environment-choice.ts'
import type { SourceStatus } from '../../deploy/sources/source-status.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import type { CommandInvocation } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import type { Option } from '../command/options.ts'
import { formatEnvironmentStatus } from './status.ts'

/** Options of `plumb code notify`. */
export const notifyOptions = [
  {
    flags: '--repo <path>',
    doc: 'Path of the repository of the push. Prints a warning if the server serves another repository.',
  },
] as const satisfies readonly Option[]

/**
 * Notifies the running server about a push, and prints the result to the pusher; on a terminal, prints the served commits.
 * Never fails: the push has been accepted, and a server that is not reachable will find the commits itself.
 */
export async function notifyServerOfPush({
  options,
  settings: given,
  io,
}: CommandInvocation<typeof notifyOptions>): Promise<number> {
  const byHand = 'isTTY' in io.stdin && io.stdin.isTTY === true
  const pushed = byHand ? undefined : readPushedRefs(await readAll(io.stdin))
  const { repo: repository } = options
  try {
    const settings = loadSettings({ given, runMode: 'server' })
    if (pushed && pushed.length > 0) await reportPush(settings, { pushed, result: 'accepted' })
    const code = await sendControlRequest(getControlPath(settings), 'refresh')
    for (const line of code ? await describePush(code, repository, pushed) : []) io.err(`${toPrintable(line)}\n`)
  } catch (error) {
    printMessage('Warning', formatError(error), io)
  }
  return 0
}

async function describePush(
  { environments, repository: served, sources }: ServerCode,
  repository: string | undefined,
  pushed: readonly PushedRef[] | undefined,
): Promise<readonly string[]> {
  const here = repository === undefined ? undefined : await resolveRealPath(repository)
  const own = here === undefined ? undefined : await findLocalSource(here, sources)
  if (own && pushed) return describeSourcePush(own, pushed, environments)
  if (here !== undefined && (served === undefined || here !== (await resolveRealPath(served)))) {
    const instead = served ?? 'directories'
    return [`Warning: The repository ${here} is not served: the notified server serves ${instead}`]
  }
  if (!pushed) return environments.map(formatEnvironmentStatus)
  return pushed.flatMap(({ ref, after }) => {
    const status = environments.find((each) => each.ref === ref)
    if (status) return [describeOutcome(status)]
    const branch = ref.replace(/^refs\/heads\//, '')
    if (branch === ref) return []
    return [`${branch}: ${isNullOid(after) ? 'no longer served' : "not served; see 'plumb code status'"}`]
  })
}

/** The outcome of a push for an environment. */
function describeOutcome(status: EnvironmentStatus): string {
  const { name, commit, source, refused } = status
  if (refused || commit === undefined) return formatEnvironmentStatus(status)
  return `${name} now serves ${commit}${source === undefined ? '' : ` (${source} with modules)`}`
}

/** The code source whose remote is this local repository. */
async function findLocalSource(here: string, sources: ServerCode['sources']): Promise<SourceStatus | undefined> {
  for (const source of sources?.sources ?? [])
    if (source.remote.startsWith('/') && (await resolveRealPath(source.remote)) === here) return source
  return undefined
}

/** The outcome of a push to the repository of a source, in lines. */
function describeSourcePush(
  { name, environments: own }: SourceStatus,
  pushed: readonly PushedRef[],
  environments: ServerCode['environments'],
): readonly string[] {
  return pushed.flatMap(({ ref }) => {
    const short = ref.replace(/^refs\//, '')
    const named = Object.entries(own).filter(([, each]) => each === short)
    if (named.length === 0) return [`${formatRef(short)}: no environment of source ${name}`]
    return environments.filter((each) => named.some(([environment]) => environment === each.name)).map(describeOutcome)
  })
}

/** The real path of a file. For a missing file, returns the given path. */
async function resolveRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}
