import { defineIssues, fail } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { askToUpdate, controlPath } from '../../deploy/control/control.ts'
import { type UpdateResult, updateAnswerFrom } from '../../deploy/control/update-asked.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { say } from '../command/say.ts'
import { sentence } from './status.ts'

const issues = defineIssues({
  NO_SERVER_FOR_MODULES: {
    text: (a: { path: string }) => `No server that reads Puppetfiles answers on ${a.path}`,
    hint: () => "Start one with 'plumb server', and with puppetfile = deploy.",
  },
})

/** `plumb code update` */
export const codeUpdate = defineCommand({
  name: 'update',
  summary: 'Has the running server look again at what the words of Puppetfiles stand for.',
  description: `Modules stay at what they came to when their branch was deployed: a push does not move what it does not name. This
looks again at branches, refs, 'latest' and ranges, or at the modules that are named, whatever they say, in all
environments or in that of --environment, and serves what has changed once it has passed the gate. Modules that a
Puppetfile.lock of the branch holds stay as they are.

A module a line is printed that came to something else, old and new. The exit status is 1 when a module could not be
had: its environment stays as it is.

  plumb code update
  plumb code update stdlib --environment production
  plumb code update --render-as json`,
  usage: '[modules...]',
  options: [renderAs],
  async run({ args, options: given, settings: own, io }) {
    const { environment } = own
    const path = controlPath(loadSettings({ given: own, runMode: 'server' }))
    const asked = { anew: true, environments: environment === undefined ? [] : [environment], modules: args }
    const answer = await askToUpdate(path, asked, (line) => io.err(`${printable(line)}\n`))
    if (answer === undefined || answer === null) fail(issues.NO_SERVER_FOR_MODULES, { path })
    const { results, environments } = updateAnswerFrom(answer)
    const names = new Set(results.map(({ environment }) => environment))
    const statuses = environments.filter(({ name }) => names.has(name))
    if (given.renderAs === 'json') io.out(`${JSON.stringify({ results, environments: statuses }, undefined, 2)}\n`)
    else {
      for (const result of results) sayResult(result, io, { all: true })
      for (const status of statuses) io.out(`${sentence(status)}\n`)
    }
    const isFailed = results.some(({ result }) => result === 'failed')
    return isFailed || statuses.some(({ refused }) => refused) ? 1 : 0
  },
})

/** Says what a look at an environment's modules came to; what stayed as it was only where all is wanted. */
export function sayResult(
  { environment, result, changes, error }: UpdateResult,
  io: Io,
  { all }: { readonly all: boolean },
): void {
  for (const { path, from, to } of changes)
    io.out(`${printable(`${environment}: ${path}: ${from ?? 'new'} -> ${to ?? 'gone'}`)}\n`)
  if (result === 'failed') say('Error', `Environment ${environment}: ${error}`, io)
  else if (all && result === 'held') io.out(`${environment}: held by its Puppetfile.lock\n`)
  else if (all && result === 'none') io.out(`${environment}: no modules of a Puppetfile\n`)
  else if (all && result === 'unchanged') io.out(`${environment}: nothing has moved\n`)
}
