import { existsSync } from 'node:fs'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import type { Option, OptionValues } from '../command/options.ts'
import { hieraOption } from '../input/code-source.ts'
import { lookupCommand } from '../lookup/lookup.ts'

const issues = defineIssues({
  // Message of Hiera 3: bin/hiera
  HIERA_NO_KEY: { text: () => 'Please supply a data item to look up' },
  HIERA_CONFIG: {
    text: (a: { file: string }) => `Cannot find config file: ${a.file}`,
  },
})

const options = [
  { flags: '-a, --array', doc: 'Merge all values into one array.' },
  { flags: '-h, --hash', doc: 'Merge all values into one hash.' },
  { flags: '-c, --config <file>', doc: hieraOption.doc },
  {
    flags: '-f, --format <type>',
    doc: 'Output format: ruby, yaml or json.',
    choices: ['ruby', 'yaml', 'json'],
    default: 'ruby',
  },
  { flags: '-y, --yaml <file>', doc: 'YAML file of variables.' },
  { flags: '-j, --json <file>', doc: 'JSON file of variables.' },
  { flags: '-i, --inventory_service <node>', doc: 'Use the facts that the server stores for this node as variables.' },
] as const satisfies readonly Option[]

/** The command `plumb hiera`, which a link named `hiera` also runs. */
export const hieraCommand = defineCommand({
  name: 'hiera',
  summary: 'Look up data as the hiera program does.',
  description: `Prints the value of a key, or the given default, or nil. Variables of the hierarchy are facts and NAME=VALUE arguments.
Exits with 0, or with 1 for an error. 'plumb lookup' has more options and can explain the result.

  plumb hiera ntp::servers osfamily=Debian
  plumb hiera -c hiera.yaml -a users none`,
  usage: '[key] [words...]',
  options,
  async run(invocation) {
    const { args, settings, io } = invocation
    const [key, ...words] = args
    if (key === undefined) throwIssue(issues.HIERA_NO_KEY, {})
    const { config } = invocation.options
    if (config !== undefined && !existsSync(config)) throwIssue(issues.HIERA_CONFIG, { file: config })
    const asked = toLookupOptions(words, invocation)
    // Hiera 3 replaces unknown variables by empty strings.
    const lax = { strict: 'off', strict_variables: 'false', ...settings }
    const status = await lookupCommand.run?.({ args: [key], options: asked, settings: lax, io })
    if (status === 1) io.out(asked.renderAs === 's' ? 'nil\n' : asked.renderAs === 'json' ? 'null\n' : '---\n')
    return 0
  },
})

/** The equivalent options of `plumb lookup`. */
function toLookupOptions(words: readonly string[], { options: given, settings }: CommandInvocation<typeof options>) {
  const { hiera_config: standard } = loadSettings({ given: settings, runMode: 'server' })
  return {
    ...getMergeOption(given),
    default: words.find((word) => !word.includes('=')),
    fact: words.filter((word) => word.includes('=')).map((word) => word.replace(/^::/, '')),
    facts: given.yaml ?? given.json,
    node: given.inventory_service,
    renderAs: given.format === 'ruby' ? 's' : given.format,
    hiera: given.config ?? (existsSync(standard) ? standard : undefined),
  }
}

const getMergeOption = ({ array, hash }: OptionValues<typeof options>) =>
  array === true ? { merge: 'unique' } : hash === true ? { merge: 'hash' } : {}
