import { Scalar, stringify } from 'yaml'
import { printJson } from '../base/json-text.ts'
import { collectFacts } from '../facts/collect.ts'
import type { FactValues } from '../facts/fact.ts'
import { factAt } from '../facts/legacy.ts'
import { rubyFactsWarning } from '../facts/ruby-facts.ts'
import { loadSettings } from '../settings/settings.ts'
import { localSystem } from '../system/local-system.ts'
import type { Command, Invocation } from './command.ts'

/** `plumb facts` */
export const facts: Command = {
  name: 'facts',
  summary: 'Shows what this machine says of itself.',
  description: `Prints the facts that the agent would send: core facts, external ones from facts.d folders, and those of the environment
(FACTER_ROLE=web). Names may be dotted paths, such as os.release.major. 'show' may be said or left out.`,
  usage: '[names...]',
  options: [
    { flags: '--render-as <format>', doc: 'json or yaml.', default: 'json' },
    { flags: '--show-legacy', doc: 'With the flat facts of old.' },
    { flags: '--value-only', doc: 'Only the value, for a single name.' },
  ],
  async run({ args, options, settings: given, io }: Invocation) {
    const settings = loadSettings({ given, runMode: 'agent' })
    const warn = (message: string) => io.err(`Warning: ${message}\n`)
    const values = await collectFacts(localSystem, {
      factDirectories: [settings.pluginfactdest],
      legacy: options.showLegacy === true || settings.include_legacy_facts,
      warn,
    })
    const ofRuby = await rubyFactsWarning(localSystem.files, [settings.plugindest])
    if (ofRuby !== undefined) warn(ofRuby)
    const names = args[0] === 'show' ? args.slice(1) : args
    io.out(render(chosen(values, names), names, options))
    return 0
  },
}

function chosen(values: FactValues, names: readonly string[]): FactValues {
  if (names.length === 0) return values
  return Object.fromEntries(
    names.map((name) => [name, factAt(values, name)] as const).filter(([, value]) => value !== undefined),
  ) as FactValues
}

function render(values: FactValues, names: readonly string[], options: Invocation['options']): string {
  if (options.valueOnly === true && names.length === 1) {
    const value = values[names[0]!] ?? ''
    return `${typeof value === 'string' ? value : printJson(value, 2)}\n`
  }
  if (options.renderAs === 'yaml') return stringify(values, floatAsSuch, { aliasDuplicateObjects: false })
  return `${printJson(values, 2)}\n`
}

/** YAML, too, has to say `1.0`. */
function floatAsSuch(_: unknown, value: unknown): unknown {
  if (!(value instanceof Number)) return value
  const scalar = new Scalar(value.valueOf())
  scalar.minFractionDigits = 1
  return scalar
}
