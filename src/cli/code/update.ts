import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { getControlPath, requestUpdate } from '../../deploy/control/control-socket.ts'
import { type ModuleUpdateResult, parseUpdateReply } from '../../deploy/control/module-update-request.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { formatEnvironmentStatus } from './status.ts'

const issues = defineIssues({
  NO_SERVER_FOR_MODULES: {
    text: (a: { path: string }) => `No server with Puppetfile support is running (${a.path})`,
    hint: () => "Start 'plumb server' with puppetfile = deploy.",
  },
})

/** The command `plumb code update`. */
export const codeUpdate = defineCommand({
  name: 'update',
  summary: 'Resolve the modules of Puppetfiles again, and deploy changes.',
  description: `The server resolves the branches, refs, ranges and 'latest' versions of a Puppetfile when it deploys a branch; later
pushes keep these versions. This command resolves them again, in all environments or in the environment of
--environment. With module names, resolves only these modules again, even if their versions are fixed. Deploys
changes that pass the gate. Modules locked by a Puppetfile.lock do not change.

Prints a line for each changed module with its old and new version. Exits with 0, or with 1 if a module cannot be
fetched; its environment then does not change.

  plumb code update
  plumb code update stdlib --environment production
  plumb code update --render-as json`,
  usage: '[modules...]',
  options: [renderAs],
  async run({ args, options: given, settings: own, io }) {
    const { environment } = own
    const path = getControlPath(loadSettings({ given: own, runMode: 'server' }))
    const asked = { anew: true, environments: environment === undefined ? [] : [environment], modules: args }
    const answer = await requestUpdate(path, asked, (line) => io.err(`${toPrintable(line)}\n`))
    if (answer === undefined || answer === null) throwIssue(issues.NO_SERVER_FOR_MODULES, { path })
    const { results, environments } = parseUpdateReply(answer)
    const names = new Set(results.map(({ environment }) => environment))
    const statuses = environments.filter(({ name }) => names.has(name))
    if (given.renderAs === 'json') io.out(`${JSON.stringify({ results, environments: statuses }, undefined, 2)}\n`)
    else {
      for (const result of results) printUpdateResult(result, io, { all: true })
      for (const status of statuses) io.out(`${formatEnvironmentStatus(status)}\n`)
    }
    const isFailed = results.some(({ result }) => result === 'failed')
    return isFailed || statuses.some(({ refused }) => refused) ? 1 : 0
  },
})

/** Prints the result of an update for an environment; with `all`, also if nothing changed. */
export function printUpdateResult(
  { environment, result, changes, error }: ModuleUpdateResult,
  io: Io,
  { all }: { readonly all: boolean },
): void {
  for (const { path, from, to } of changes)
    io.out(`${toPrintable(`${environment}: ${path}: ${from ?? 'new'} -> ${to ?? 'removed'}`)}\n`)
  if (result === 'failed') printMessage('Error', `Environment ${environment}: ${error}`, io)
  else if (all && result === 'held') io.out(`${environment}: locked by its Puppetfile.lock\n`)
  else if (all && result === 'none') io.out(`${environment}: no Puppetfile modules\n`)
  else if (all && result === 'unchanged') io.out(`${environment}: no changes\n`)
}
