import type { Option, OptionValues } from '../command/options.ts'

/** Options of `facter` and of `puppet facts show`. */
export const factsOptions = [
  { flags: '-j, --json', doc: 'Print JSON.' },
  { flags: '-y, --yaml', doc: 'Print YAML.' },
  { flags: '--hocon', doc: 'Print HOCON.' },
  { flags: '--show-legacy', doc: 'Include legacy facts.' },
  {
    flags: '--custom-dir <folder>',
    doc: 'Directory of custom facts in Ruby; may be given several times.',
    repeated: true,
  },
  {
    flags: '--external-dir <folder>',
    doc: 'Directory of external facts, instead of the default directories; may be given several times.',
    repeated: true,
  },
  {
    flags: '--root <folder>',
    doc: 'Root directory of another system, such as a mounted image: print the facts that its files determine.',
  },
  { flags: '--no-custom-facts', doc: 'Omit custom facts in Ruby.' },
  { flags: '--no-external-facts', doc: 'Omit external facts.' },
  { flags: '--no-ruby', doc: 'Omit custom facts in Ruby and facts about Ruby.' },
  { flags: '-c, --config <file>', doc: 'Path of facter.conf.' },
  { flags: '--config-file <file>', doc: 'Alias of --config.' },
  { flags: '--no-block', doc: 'Include facts that facter.conf blocks.' },
  { flags: '--no-cache', doc: 'Do not read or write the cache of facts.' },
  { flags: '--list-block-groups', doc: 'List the groups of facts that facter.conf can block.' },
  { flags: '--list-cache-groups', doc: 'List the groups of facts that facter.conf can cache.' },
  { flags: '--strict', doc: 'Fail if a requested fact does not exist.' },
  { flags: '-t, --timing', doc: 'Print the time that each fact took to resolve.' },
  { flags: '-l, --log-level <level>', doc: 'Minimum log level: none, trace, debug, info, warn, error or fatal.' },
  { flags: '-p, --puppet', doc: "Accepted for compatibility; Puppet's facts are always included." },
  { flags: '--sequential', doc: 'Accepted for compatibility; core facts are resolved in parallel.' },
  {
    flags: '--render-as <format>',
    doc: 'Output format: json or yaml.',
    choices: ['json', 'yaml'],
  },
  {
    flags: '--version <requirement>',
    doc: "Version of FacterDB for 'db update', or bounds: '~> 2.1', '>= 1.0, < 2.0'.",
  },
  { flags: '--value-only', doc: 'Print only the value of a single fact.' },
] as const satisfies readonly Option[]

/** The parsed options of `plumb facts`. */
export type FactsOptions = OptionValues<typeof factsOptions>

/** Facter's error message for conflicting options; `undefined` without a conflict. */
export function findOptionConflict(options: FactsOptions): string | undefined {
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
