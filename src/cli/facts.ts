import { printJson } from '../base/json-text.ts'
import { collectFacts } from '../facts/collect.ts'
import type { FactValues } from '../facts/fact.ts'
import { factAt } from '../facts/legacy.ts'
import { rubyFactsWarning } from '../facts/ruby-facts.ts'
import { valueFromJson } from '../language/values/value-from-json.ts'
import { loadSettings } from '../settings/settings.ts'
import { localSystem } from '../system/local-system.ts'
import { defineCommand } from './command.ts'
import { rubyYaml } from './ruby-render.ts'
import { say } from './say.ts'

/** `plumb facts` */
export const facts = defineCommand({
  name: 'facts',
  summary: 'Shows what this machine says of itself.',
  description: `Prints the facts that the agent would send: core facts, external ones from facts.d folders, and those of the environment
(FACTER_ROLE=web). Names may be dotted paths, such as os.release.major. 'show' may be said or left out.`,
  usage: '[names...]',
  options: [
    { flags: '--render-as <format>', doc: 'json or yaml.', choices: ['json', 'yaml'], default: 'json' },
    { flags: '--show-legacy', doc: 'With the flat facts of old.' },
    { flags: '--value-only', doc: 'Only the value, for a single name.' },
  ],
  async run({ args, options, settings: given, io }) {
    const settings = loadSettings({ given, runMode: 'agent' })
    const warn = (message: string) => say('Warning', message, io)
    const values = await collectFacts(localSystem, {
      factDirectories: [settings.pluginfactdest],
      legacy: options.showLegacy || settings.include_legacy_facts,
      warn,
    })
    const ofRuby = await rubyFactsWarning(localSystem.files, [settings.plugindest])
    if (ofRuby !== undefined) warn(ofRuby)
    const names = args[0] === 'show' ? args.slice(1) : args
    io.out(render(chosen(values, names), names, options))
    return 0
  },
})

function chosen(values: FactValues, names: readonly string[]): FactValues {
  if (names.length === 0) return values
  return Object.fromEntries(
    names.map((name) => [name, factAt(values, name)] as const).filter(([, value]) => value !== undefined),
  ) as FactValues
}

/** The form of what is printed. */
interface Form {
  readonly valueOnly?: boolean | undefined
  readonly renderAs: 'json' | 'yaml'
}

function render(values: FactValues, names: readonly string[], options: Form): string {
  if (options.valueOnly && names.length === 1) {
    const value = values[names[0]!] ?? ''
    return `${typeof value === 'string' ? value : printJson(value, 2)}\n`
  }
  if (options.renderAs === 'yaml') return rubyYaml(valueFromJson(values))
  return `${printJson(values, 2)}\n`
}
