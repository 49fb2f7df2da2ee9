import { join } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import { type KeptTraces, keptTraces, tracesFolder } from '../../compiler/recall/kept-traces.ts'
import { turnOff, turnOn } from '../../compiler/recall/traces-off.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type Command, defineCommand } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'

const issues = defineIssues({
  NO_ENVIRONMENT_NAME: {
    text: (a: { name: string }) => `'${a.name}' is no name of an environment`,
  },
})

const options = [
  { flags: '--off <environment>', doc: 'Compile every catalog of an environment.' },
  { flags: '--on <environment>', doc: 'Recall catalogs of an environment again; all are compiled once more first.' },
  renderAs,
] as const satisfies readonly Option[]

/** `plumb code traces` */
export const codeTraces: Command = defineCommand({
  name: 'traces',
  summary: 'Shows from which environments catalogs are recalled, and turns that on or off.',
  description: `A catalog is answered without compiling while all that its compilation read is as it was. Now and then such a
catalog is compiled nevertheless: where it differs, the traces of its environment are off until they are turned on here.

  plumb code traces
  plumb code traces --on production`,
  options,
  async run({ options: { on, off, renderAs: format }, settings: given, io }) {
    const folder = tracesFolder(loadSettings({ given, runMode: 'server' }))
    if (off !== undefined) turnOff(folderOf(folder, off), 'Turned off by hand.')
    if (on !== undefined) turnOn(folderOf(folder, on))
    const kept = await keptTraces(folder)
    if (format === 'json') io.out(`${JSON.stringify(kept, undefined, 2)}\n`)
    else for (const each of kept) io.out(`${sentence(each)}\n`)
    return 0
  },
})

function folderOf(folder: string, environment: string): string {
  if (!isEnvironmentName(environment)) fail(issues.NO_ENVIRONMENT_NAME, { name: environment })
  return join(folder, environment)
}

function sentence({ environment, nodes, bytes, off }: KeptTraces): string {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  return `${environment}: ${off === undefined ? `on, ${nodes} nodes, ${size}` : `off. ${printable(off)}`}`
}
