import { toPrintable } from '../../base/text/printable.ts'
import { getControlPath, requestFetch } from '../../deploy/control/control-socket.ts'
import { formatRef } from '../../deploy/sources/environment-choice.ts'
import type { SourceFetchReply } from '../../deploy/sources/fetch-request.ts'
import type { SourceFetch } from '../../deploy/sources/source-status.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { throwNoRunningServer } from '../connection/server-errors.ts'
import { formatEnvironmentStatus } from './status.ts'

/** The command `plumb code fetch`. */
export const codeFetch = defineCommand({
  name: 'fetch',
  summary: 'Fetch code from the sources of the running server, and wait until it is served.',
  description: `Sources are the repositories in the code_sources file. The server fetches each source on its interval; use this command
to fetch at once. Without names, fetches all sources; with --for, the source of an environment.

Prints a line for each changed ref, then the served commits of the environments. If a source cannot be fetched, its
environments do not change. Exits with 0, or with 1 if a fetch failed or a commit was rejected.

  plumb code fetch
  plumb code fetch control
  plumb code fetch --for production --render-as json`,
  usage: '[sources...]',
  options: [{ flags: '--for <environment>', doc: 'Fetch the source of this environment.' }, renderAs],
  async run({ args, options, settings: given, io }) {
    const path = getControlPath(loadSettings({ given, runMode: 'server' }))
    const asked = { sources: args, ...(options.for !== undefined && { environment: options.for }) }
    const answer = (await requestFetch(path, asked)) ?? throwNoRunningServer(path)
    if (options.renderAs === 'json') io.out(`${JSON.stringify(answer, undefined, 2)}\n`)
    else printFetches(answer, io)
    const isFailed = answer.fetches.some(({ result }) => result === 'failed')
    return isFailed || answer.environments.some(({ refused }) => refused) ? 1 : 0
  },
})

function printFetches({ fetches, environments }: SourceFetchReply, io: Io): void {
  for (const fetch of fetches) {
    if (fetch.error !== undefined) printMessage('Error', `Source ${fetch.source}: ${fetch.error}`, io, fetch.hint)
    else if (fetch.result === 'unchanged') io.out(`${fetch.source}: no changes\n`)
    for (const change of fetch.changes)
      io.out(`${toPrintable(`${fetch.source}: ${formatRef(change.ref)}: ${formatRefChange(change)}`)}\n`)
  }
  for (const status of environments) io.out(`${formatEnvironmentStatus(status)}\n`)
}

/** Length of abbreviated commit IDs. */
const shortId = 10

function formatRefChange({ old, new: now }: SourceFetch['changes'][number]): string {
  const abbreviateCommit = (commit: string) => commit.slice(0, shortId)
  if (old == null) return `new, at ${abbreviateCommit(now!)}`
  return now == null ? `deleted, was at ${abbreviateCommit(old)}` : `${abbreviateCommit(old)}..${abbreviateCommit(now)}`
}
