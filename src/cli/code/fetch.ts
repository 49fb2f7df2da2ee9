import { printable } from '../../base/text/printable.ts'
import { askToFetch, controlPath } from '../../deploy/control/control.ts'
import type { FetchAnswer } from '../../deploy/sources/asked-fetch.ts'
import { label } from '../../deploy/sources/choose-environments.ts'
import type { SourceFetch } from '../../deploy/sources/source-status.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { say } from '../command/say.ts'
import { noServer } from '../connection/no-server.ts'
import { sentence } from './status.ts'

/** `plumb code fetch` */
export const codeFetch = defineCommand({
  name: 'fetch',
  summary: 'Has the running server fetch code from its sources, and waits for it.',
  description: `Sources are the repositories that the file of the setting code_sources names; the server fetches each on its
interval by itself. Without a name all are fetched. With --for an environment it is the source of that environment.

What moved is printed, a ref a line, and then what the environments of these sources serve. A source that is away leaves
all as it was. The exit status is 1 when a source could not be fetched, or code was refused.

  plumb code fetch
  plumb code fetch control
  plumb code fetch --for production --render-as json`,
  usage: '[sources...]',
  options: [{ flags: '--for <environment>', doc: 'Fetch the source of this environment.' }, renderAs],
  async run({ args, options, settings: given, io }) {
    const path = controlPath(loadSettings({ given, runMode: 'server' }))
    const asked = { sources: args, ...(options.for !== undefined && { environment: options.for }) }
    const answer = (await askToFetch(path, asked)) ?? noServer(path)
    if (options.renderAs === 'json') io.out(`${JSON.stringify(answer, undefined, 2)}\n`)
    else show(answer, io)
    const isFailed = answer.fetches.some(({ result }) => result === 'failed')
    return isFailed || answer.environments.some(({ refused }) => refused) ? 1 : 0
  },
})

function show({ fetches, environments }: FetchAnswer, io: Io): void {
  for (const fetch of fetches) {
    if (fetch.error !== undefined) say('Error', `Source ${fetch.source}: ${fetch.error}`, io, fetch.hint)
    else if (fetch.result === 'unchanged') io.out(`${fetch.source}: nothing has moved\n`)
    for (const change of fetch.changes)
      io.out(`${printable(`${fetch.source}: ${label(change.ref)}: ${movement(change)}`)}\n`)
  }
  for (const status of environments) io.out(`${sentence(status)}\n`)
}

/** Characters of a commit's id for people. */
const shortId = 10

function movement({ old, new: now }: SourceFetch['changes'][number]): string {
  const short = (commit: string) => commit.slice(0, shortId)
  if (old == null) return `new, at ${short(now!)}`
  return now == null ? `gone, was at ${short(old)}` : `${short(old)}..${short(now)}`
}
