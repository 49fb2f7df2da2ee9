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
    text: (a: { name: string }) => `'${a.name}' is not a valid environment name`,
  },
})

const options = [
  { flags: '--off <environment>', doc: 'Turn off traces: compile every catalog of an environment.' },
  { flags: '--on <environment>', doc: 'Turn on traces; each catalog of the environment is compiled once first.' },
  renderAs,
] as const satisfies readonly Option[]

/** `plumb code traces` */
export const codeTraces: Command = defineCommand({
  name: 'traces',
  summary: 'Print the state of catalog traces, and turn them on or off.',
  description: `A trace records the inputs of a compilation. While the inputs are unchanged, the server returns the earlier catalog
without compiling. The server verifies a sample of these catalogs by compiling them; if one differs, it turns off the
traces of the environment until they are turned on here.

  plumb code traces
  plumb code traces --on production`,
  options,
  async run({ options: { on, off, renderAs: format }, settings: given, io }) {
    const folder = tracesFolder(loadSettings({ given, runMode: 'server' }))
    if (off !== undefined) turnOff(folderOf(folder, off), 'Turned off by an administrator.')
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
