import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import { disableTraces, enableTraces } from '../../compiler/recall/disabled-traces.ts'
import { getTraceStoreFolder, listStoredTraces, type StoredTraces } from '../../compiler/recall/stored-traces.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type CliCommand, defineCommand } from '../command/command.ts'
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

/** The command `plumb code traces`. */
export const codeTraces: CliCommand = defineCommand({
  name: 'traces',
  summary: 'Print the state of catalog traces, and turn traces on or off.',
  description: `A trace records the inputs of a compilation. While the inputs are unchanged, the server returns the earlier catalog
without compiling. The server verifies a sample of these catalogs by compiling them; if one differs, it turns off the
traces of the environment until they are turned on here.

  plumb code traces
  plumb code traces --on production`,
  options,
  async run({ options: { on, off, renderAs: format }, settings: given, io }) {
    const folder = getTraceStoreFolder(loadSettings({ given, runMode: 'server' }))
    if (off !== undefined) disableTraces(getTracesFolder(folder, off), 'Turned off by an administrator.')
    if (on !== undefined) enableTraces(getTracesFolder(folder, on))
    const kept = await listStoredTraces(folder)
    if (format === 'json') io.out(`${JSON.stringify(kept, undefined, 2)}\n`)
    else for (const each of kept) io.out(`${formatTraces(each)}\n`)
    return 0
  },
})

function getTracesFolder(folder: string, environment: string): string {
  if (!isEnvironmentName(environment)) throwIssue(issues.NO_ENVIRONMENT_NAME, { name: environment })
  return join(folder, environment)
}

function formatTraces({ environment, nodes, bytes, off }: StoredTraces): string {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  return `${environment}: ${off === undefined ? `on, ${nodes} nodes, ${size}` : `off. ${toPrintable(off)}`}`
}
