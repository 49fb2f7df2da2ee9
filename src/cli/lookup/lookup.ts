import { defineIssues, fail, isIssue, PuppetError } from '../../base/issue.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { shownPath } from '../../code/environments/shown-path.ts'
import { Explainer } from '../../compiler/hiera/explainer.ts'
import { explanationData } from '../../compiler/hiera/explanation-data.ts'
import { explanationText } from '../../compiler/hiera/explanation-text.ts'
import type { Hiera } from '../../compiler/hiera/hiera.ts'
import { isLookupError } from '../../compiler/hiera/issues.ts'
import { afterCompiling, atTopScope } from '../../compiler/run-script.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import { lookUp } from '../../language/functions/lookup.ts'
import type { CallContext } from '../../language/host.ts'
import { parseType } from '../../language/types/from-code/parse.ts'
import { rubyText } from '../../language/types/printing/ruby-text.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { defineCommand, type Invocation } from '../command/command.ts'
import type { Option, OptionValues } from '../command/options.ts'
import { rubyJson, rubyYaml } from '../command/ruby-render.ts'
import { classify } from '../input/classify.ts'
import { atOption, codeSettings, openCodeWith, repoOption, withoutManifest } from '../input/code-source.ts'
import { requestFor, unclassified } from '../input/compile-options.ts'
import { factOption, factsGiven, factsIssues, factsOption, nodeFacts, readFacts } from '../input/node-facts.ts'

const help = "Run 'plumb lookup --help' for more details"
const strategies = ['first', 'unique', 'hash', 'deep']
const formats = ['s', 'yaml', 'json'] as const
type Format = (typeof formats)[number]

// Puppet: application/lookup.rb
const issues = defineIssues({
  LOOKUP_NO_KEYS: {
    text: (_: object) => 'No keys were given to lookup.',
    hint: () => 'plumb lookup ntp::servers --node web1.example.com --explain',
  },
  LOOKUP_DEEP_OPTIONS: {
    text: (_: object) =>
      `The options --knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays are only available with '--merge deep'\n${help}`,
  },
  LOOKUP_FACTS_TRUSTED: {
    text: (a: { file: string }) =>
      `When overriding any of the ${provingFacts.join(',')} facts with ${a.file} given via the --facts flag, they must all be overridden.`,
  },
  LOOKUP_MERGE: {
    text: (_: object) => `The --merge option only accepts 'first', 'unique', 'hash', or 'deep'\n${help}`,
  },
  LOOKUP_FORMAT: {
    text: (a: { format: string }) => `Unknown rendering format '${a.format}'`,
    hint: (a) => didYouMean(a.format, formats) ?? `There are ${formats.join(', ')}.`,
  },
})

const lookupOptions = [
  { flags: '--node <name>', doc: 'The node; this machine by default.' },
  factsOption,
  factOption,
  { flags: '--hiera <file>', doc: 'A hiera.yaml above all environments.' },
  { flags: '--merge <strategy>', doc: "first, unique, hash or deep, whatever the data's lookup_options say." },
  { flags: '--knock-out-prefix <text>', doc: 'With --merge deep: what takes a value out.' },
  { flags: '--sort-merged-arrays', doc: 'With --merge deep: sort arrays that were merged.' },
  { flags: '--merge-hash-arrays', doc: 'With --merge deep: merge hashes in arrays by their position.' },
  { flags: '--type <type>', doc: 'The type that the value must have.' },
  { flags: '--default <value>', doc: 'What is printed when there is no value.' },
  { flags: '--explain', doc: 'Tell how the value was found, or why not.' },
  { flags: '--explain-options', doc: 'Tell how the lookup_options of the key came about.' },
  { flags: '-c, --compile', doc: 'Run the manifests first, so that their variables are there.' },
  { flags: '--render-as <format>', doc: 's, yaml or json; yaml for values and s for explanations by default.' },
  repoOption,
  atOption,
] as const satisfies readonly Option[]

/** `plumb lookup` */
export const lookup = defineCommand({
  name: 'lookup',
  summary: 'Look up data and explain its source.',
  description: `Looks a key up in Hiera as the function lookup() does, for a node: with its facts, in its environment. Of several keys
the first that has a value counts. Facts are those that the server keeps of the node, with those of --facts over them;
without --node, those of this machine. Variables that manifests set are there with --compile only.
The environment production needs no folder: the global hiera.yaml and the modules of basemodulepath are enough.

The exit status is 0 when there is a value and 1 when there is none; with --explain it is 0 unless the code fails.
What is wrong with data is told on standard error.

  plumb lookup ntp::servers --node web1.example.com --repo control.git --at feature
  plumb lookup ntp::servers --node web1.example.com --facts web1.yaml --explain
  plumb lookup users --merge deep --knock-out-prefix=-- --render-as json
  plumb lookup ntp::servers --explain-options`,
  usage: '[keys...]',
  options: lookupOptions,
  async run(invocation) {
    const { options, io } = invocation
    const { onlyOptions, ...question } = questionFrom(invocation)
    const settings = codeSettings(invocation)
    const manifest = settings.manifest === '' ? undefined : { file: settings.manifest }
    const environment = await openCodeWith(invocation, settings, { manifest, hiera: options.hiera, mayBeAbsent: true })
    const node = options.node
    const file = options.facts
    if (file !== undefined) refusePartOfIdentity(file)
    const name = node ?? settings.certname
    const facts = { ...(await nodeFacts({ node, file }, settings, io)), ...factsGiven(options.fact) }
    if (Object.keys(facts).length === 0) fail(factsIssues.NO_FACTS, { node: name })
    const showPath = (path: string) => shownPath(environment, path) ?? path
    const explainer = onlyOptions === undefined ? undefined : new Explainer({ onlyOptions, showPath })
    const work = (context: CallContext, hiera: Hiera): number =>
      answer({ ...question, explainer }, context, hiera, invocation)
    if (options.compile !== true)
      return atTopScope(
        requestFor({ node: name, facts, classified: unclassified }, withoutManifest(environment), settings),
        work,
      )
    const classified = await classify(name, [], settings)
    return afterCompiling(requestFor({ node: name, facts, classified }, environment, settings), work)
  },
})

/** Facts that tell who a node is: part of them would make a node that there is not. */
const provingFacts = ['hostname', 'domain', 'fqdn', 'clientcert']

function refusePartOfIdentity(file: string): void {
  const facts = readFacts(file)
  const given = provingFacts.filter((name) => Object.hasOwn(facts, name))
  if (given.length > 0 && given.length < provingFacts.length) fail(issues.LOOKUP_FACTS_TRUSTED, { file })
}

/** The question of a lookup, and the format of its answer. */
interface Asked {
  readonly keys: readonly string[]
  readonly merge: Value
  readonly type: string | undefined
  readonly standard: { readonly value: string } | undefined
  /** Undefined where nothing is explained. */
  readonly onlyOptions: boolean | undefined
  readonly format: Format
}

function questionFrom({ args, options }: Invocation<typeof lookupOptions>): Asked {
  const merge = mergeFrom(options)
  const explain = options.explain === true
  const onlyOptions = options.explainOptions === true && !explain
  // Puppet asks for a key that is none, to explain the options of keys of no module.
  const keys = args.length === 0 && onlyOptions ? ['__global__'] : args
  if (keys.length === 0) fail(issues.LOOKUP_NO_KEYS, {})
  const isExplained = explain || onlyOptions
  const given = options.renderAs?.toLowerCase() ?? (isExplained ? 's' : 'yaml')
  const format = formats.find((each) => each === given) ?? fail(issues.LOOKUP_FORMAT, { format: given })
  const standard = options.default
  return {
    keys,
    merge,
    type: options.type,
    standard: standard === undefined ? undefined : { value: standard },
    onlyOptions: isExplained ? onlyOptions : undefined,
    format,
  }
}

function mergeFrom(options: OptionValues<typeof lookupOptions>): Value {
  const merge = options.merge
  const prefix = options.knockOutPrefix
  const sort = options.sortMergedArrays === true
  const mergeHashes = options.mergeHashArrays === true
  if ((sort || mergeHashes || prefix !== undefined) && merge !== 'deep') fail(issues.LOOKUP_DEEP_OPTIONS, {})
  if (merge === undefined) return undefined
  if (!strategies.includes(merge)) fail(issues.LOOKUP_MERGE, {})
  if (merge !== 'deep') return Hash.from({ strategy: merge })
  return Hash.from({
    strategy: 'deep',
    sort_merged_arrays: sort,
    merge_hash_arrays: mergeHashes,
    ...(prefix === undefined ? {} : { knockout_prefix: prefix }),
  })
}

interface Answering extends Omit<Asked, 'onlyOptions'> {
  readonly explainer: Explainer | undefined
}

function answer(asked: Answering, context: CallContext, hiera: Hiera, { io }: Pick<Invocation, 'io'>): number {
  const { explainer, format } = asked
  const { host, scope } = context
  const explained = {
    ...host,
    lookup: (...[query, from]: Parameters<typeof host.lookup>) => hiera.lookup(query, from, explainer),
  }
  let status = 0
  try {
    const valueType = asked.type === undefined ? undefined : parseType(asked.type, (name) => host.findType(name, scope))
    const { keys, merge, standard } = asked
    const value = lookUp({ name: keys, valueType, merge, standard }, { ...context, host: explained })
    if (!explainer) io.out(rendered(value, format))
  } catch (error) {
    if (!(error instanceof PuppetError) || !isLookupError(error)) throw error
    explainer?.say(error.message)
    if (!explainer) {
      status = 1
      if (!isIssue(error, functionIssues.LOOKUP_NOT_FOUND)) throw error
    }
  }
  if (!explainer) return status
  const { explanation } = explainer
  if (format === 's') io.out(`${explanationText(explanation).replace(/\n$/, '')}\n`)
  else io.out(format === 'json' ? rubyJson(explanationData(explanation)) : rubyYaml(explanationData(explanation)))
  return 0
}

function rendered(value: Value, format: Format): string {
  if (format === 's') return `${rubyText(value).replace(/\n$/, '')}\n`
  return format === 'json' ? rubyJson(value) : rubyYaml(value)
}
