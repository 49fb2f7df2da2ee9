import type { Option, OptionValues } from '../command/options.ts'

/** The options of `facter`, and those of `puppet facts show`. */
export const factsOptions = [
  { flags: '-j, --json', doc: 'Print JSON.' },
  { flags: '-y, --yaml', doc: 'Print YAML.' },
  { flags: '--hocon', doc: 'Print HOCON.' },
  { flags: '--show-legacy', doc: 'With the flat facts of old.' },
  { flags: '--custom-dir <folder>', doc: 'A folder of facts in Ruby; may be given several times.', repeated: true },
  {
    flags: '--external-dir <folder>',
    doc: 'A folder of external facts in place of the standard ones.',
    repeated: true,
  },
  { flags: '--no-custom-facts', doc: 'Without facts in Ruby.' },
  { flags: '--no-external-facts', doc: 'Without external facts.' },
  { flags: '--no-ruby', doc: 'Without facts in Ruby, and without those about Ruby.' },
  { flags: '-c, --config <file>', doc: 'The facter.conf to read.' },
  { flags: '--config-file <file>', doc: 'Alias of --config.' },
  { flags: '--no-block', doc: 'With the facts that facter.conf blocks.' },
  { flags: '--no-cache', doc: 'Neither take facts from the cache nor keep them there.' },
  { flags: '--list-block-groups', doc: 'List what facter.conf may block.' },
  { flags: '--list-cache-groups', doc: 'List what facter.conf may keep for a time.' },
  { flags: '--strict', doc: 'Fail where a fact that is asked for does not exist.' },
  { flags: '-t, --timing', doc: 'Print how long each fact took.' },
  { flags: '-l, --log-level <level>', doc: 'none, trace, debug, info, warn, error or fatal.' },
  { flags: '-p, --puppet', doc: "With Puppet's facts, as always here." },
  { flags: '--sequential', doc: 'Taken as facter takes it; core facts are found side by side.' },
  {
    flags: '--render-as <format>',
    doc: 'json or yaml, as Puppet prints them.',
    choices: ['json', 'yaml'],
  },
  { flags: '--value-only', doc: 'Only the value, for a single name.' },
] as const satisfies readonly Option[]

/** Values of the options of `plumb facts`. */
export type FactsOptions = OptionValues<typeof factsOptions>

/** The words about two options of which Facter takes one. */
export function conflictIn(options: FactsOptions): string | undefined {
  const given = [
    [options.yaml, '-y'],
    [options.json, '-j'],
    [options.hocon, '--hocon'],
  ] as const
  const formats = given.filter(([value]) => value === true).map(([, flag]) => flag)
  if (formats.length > 1) return `${formats[0]} and ${formats[1]} options conflict: please specify only one.`
  if (!options.externalFacts && options.externalDir)
    return '--no-external-facts and --external-dir options conflict: please specify only one.'
  if (!options.customFacts && options.customDir)
    return '--custom-dir and --no-custom-facts options conflict: please specify only one.'
  if (!options.ruby && options.customDir) return '--custom-dir and --no-ruby options conflict: please specify only one.'
  const levels = [options.debug, options.verbose, options.logLevel !== undefined]
  return levels.filter((each) => each === true).length > 1
    ? 'debug, verbose, and log-level options conflict: please specify only one.'
    : undefined
}
