import { existsSync } from 'node:fs'
import { defineIssues, fail } from '../../base/issue.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { defineCommand, type Invocation } from '../command/command.ts'
import type { Option, OptionValues } from '../command/options.ts'
import { lookup } from '../lookup/lookup.ts'

const issues = defineIssues({
  // Hiera 3: bin/hiera
  HIERA_NO_KEY: { text: () => 'Please supply a data item to look up' },
  HIERA_CONFIG: {
    text: (a: { file: string }) => `Cannot find config file: ${a.file}`,
  },
})

const options = [
  { flags: '-a, --array', doc: 'All values, as one list.' },
  { flags: '-h, --hash', doc: 'All values, as one hash.' },
  { flags: '-c, --config <file>', doc: 'The hiera.yaml; hiera_config by default.' },
  { flags: '-f, --format <type>', doc: 'ruby, yaml or json.', choices: ['ruby', 'yaml', 'json'], default: 'ruby' },
  { flags: '-y, --yaml <file>', doc: 'Variables, as YAML.' },
  { flags: '-j, --json <file>', doc: 'Variables, as JSON.' },
  { flags: '-i, --inventory_service <node>', doc: 'The node whose facts are the variables, as the server keeps them.' },
] as const satisfies readonly Option[]

/** `plumb hiera`, and what a link of that name is. */
export const hiera = defineCommand({
  name: 'hiera',
  summary: 'Look up data as the hiera program does.',
  description: `Prints the value of a key, the default that is given, or nil; variables of the hierarchy are facts, and what is given as
NAME=VALUE. The exit status is 0 unless something is wrong. 'plumb lookup' says more, and takes more.

  plumb hiera ntp::servers osfamily=Debian
  plumb hiera -c hiera.yaml -a users none`,
  usage: '[key] [words...]',
  options,
  async run(invocation) {
    const { args, settings, io } = invocation
    const [key, ...words] = args
    if (key === undefined) fail(issues.HIERA_NO_KEY, {})
    const { config } = invocation.options
    if (config !== undefined && !existsSync(config)) fail(issues.HIERA_CONFIG, { file: config })
    const asked = lookupOptions(words, invocation)
    // What the hierarchy names and nobody gave is empty there.
    const lax = { strict: 'off', strict_variables: 'false', ...settings }
    const status = await lookup.run?.({ args: [key], options: asked, settings: lax, io })
    if (status === 1) io.out(asked.renderAs === 's' ? 'nil\n' : asked.renderAs === 'json' ? 'null\n' : '---\n')
    return 0
  },
})

/** The options of a lookup that says the same. */
function lookupOptions(words: readonly string[], { options: given, settings }: Invocation<typeof options>) {
  const { hiera_config: standard } = loadSettings({ given: settings, runMode: 'server' })
  return {
    ...mergeOf(given),
    default: words.find((word) => !word.includes('=')),
    fact: words.filter((word) => word.includes('=')).map((word) => word.replace(/^::/, '')),
    facts: given.yaml ?? given.json,
    node: given.inventory_service,
    renderAs: given.format === 'ruby' ? 's' : given.format,
    hiera: given.config ?? (existsSync(standard) ? standard : undefined),
  }
}

const mergeOf = ({ array, hash }: OptionValues<typeof options>) =>
  array === true ? { merge: 'unique' } : hash === true ? { merge: 'hash' } : {}
