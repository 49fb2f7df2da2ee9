import { defineIssues, isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { formatCommitPath } from '../../code/environments/commit-path.ts'
import { Explainer } from '../../compiler/hiera/explainer.ts'
import { toExplanationData } from '../../compiler/hiera/explanation-data.ts'
import { formatExplanation } from '../../compiler/hiera/explanation-text.ts'
import type { Hiera } from '../../compiler/hiera/hiera.ts'
import { isLookupError } from '../../compiler/hiera/issues.ts'
import { runAfterEvaluation, runInTopScope } from '../../compiler/script-evaluation.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import { lookUpData } from '../../language/functions/lookup.ts'
import type { CallContext } from '../../language/host.ts'
import { parseType } from '../../language/types/from-code/type-parser.ts'
import { formatAsString } from '../../language/types/printing/ruby-text.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import type { Option, OptionValues } from '../command/options.ts'
import { formatRubyJson, formatRubyYaml } from '../command/ruby-format.ts'
import {
  atOption,
  hieraOption,
  loadCodeSettings,
  openCodeWithOverrides,
  removeManifest,
  repoOption,
} from '../input/code-source.ts'
import { buildCompileRequest, emptyClassification } from '../input/compile-options.ts'
import { classifyNode } from '../input/node-classification.ts'
import {
  factOption,
  factsIssues,
  factsOption,
  nodeOption,
  parseFactOptions,
  readFactsFile,
  readNodeFacts,
} from '../input/node-facts.ts'

const help = "Run 'plumb lookup --help' for more details"
const strategies = ['first', 'unique', 'hash', 'deep']
const formats = ['s', 'yaml', 'json'] as const
type Format = (typeof formats)[number]

// Messages of Puppet: application/lookup.rb
const issues = defineIssues({
  LOOKUP_NO_KEYS: {
    text: (_: object) => 'No keys were given to lookup.',
    hint: () => 'Example: plumb lookup ntp::servers --node web1.example.com --explain',
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
    hint: (a) => formatSuggestion(a.format, formats) ?? `Valid formats: ${formats.join(', ')}.`,
  },
})

const lookupOptions = [
  nodeOption,
  factsOption,
  factOption,
  hieraOption,
  { flags: '--merge <strategy>', doc: 'Merge strategy: first, unique, hash or deep; overrides lookup_options.' },
  { flags: '--knock-out-prefix <text>', doc: 'Prefix that removes a value from the result of --merge deep.' },
  { flags: '--sort-merged-arrays', doc: 'Sort the merged arrays of --merge deep.' },
  { flags: '--merge-hash-arrays', doc: 'Merge hashes in arrays by position, for --merge deep.' },
  { flags: '--type <type>', doc: 'Require the value to be of this type.' },
  { flags: '--default <value>', doc: 'Value to print if the lookup finds no value.' },
  { flags: '--explain', doc: 'Explain how the value was found, or why it was not found.' },
  { flags: '--explain-options', doc: 'Explain how the lookup_options of the key were found.' },
  { flags: '-c, --compile', doc: 'Compile the manifests first, so that the hierarchy can use their variables.' },
  {
    flags: '--render-as <format>',
    doc: 'Output format: s, yaml or json. Default: yaml for values, s for explanations.',
  },
  repoOption,
  atOption,
] as const satisfies readonly Option[]

/** The command `plumb lookup`. */
export const lookupCommand = defineCommand({
  name: 'lookup',
  summary: 'Look up data and explain its source.',
  description: `Looks up a key like the function lookup(), for a node with its facts and environment. If several keys are given, prints
the first value found. The facts are those stored on the server, merged with --facts; without --node, those of this
machine. Variables set by manifests are available only with --compile. The environment production needs no directory:
the global hiera.yaml and the modules of basemodulepath are sufficient.

Exits with 0 if a value is found, otherwise with 1; with --explain, exits with 0 unless the code fails. Errors in data
are printed on standard error.

  plumb lookup ntp::servers --node web1.example.com --repo control.git --at feature
  plumb lookup ntp::servers --node web1.example.com --facts web1.yaml --explain
  plumb lookup users --merge deep --knock-out-prefix=-- --render-as json
  plumb lookup ntp::servers --explain-options`,
  usage: '[keys...]',
  options: lookupOptions,
  async run(invocation) {
    const { options, io } = invocation
    const { onlyOptions, ...question } = parseLookup(invocation)
    const settings = loadCodeSettings(invocation)
    const manifest = settings.manifest === '' ? undefined : { file: settings.manifest }
    const environment = await openCodeWithOverrides(invocation, settings, {
      manifest,
      hiera: options.hiera,
      mayBeAbsent: true,
    })
    const node = options.node
    const file = options.facts
    if (file !== undefined) checkTrustedFacts(file)
    const name = node ?? settings.certname
    const facts = { ...(await readNodeFacts({ node, file }, settings, io)), ...parseFactOptions(options.fact) }
    if (Object.keys(facts).length === 0) throwIssue(factsIssues.NO_FACTS, { node: name })
    const formatPath = (path: string) => formatCommitPath(environment, path) ?? path
    const explainer = onlyOptions === undefined ? undefined : new Explainer({ onlyOptions, showPath: formatPath })
    const runLookup = (context: CallContext, hiera: Hiera): number =>
      printLookup({ ...question, explainer }, context, hiera, invocation)
    if (options.compile !== true)
      return runInTopScope(
        buildCompileRequest(
          { node: name, facts, classified: emptyClassification },
          removeManifest(environment),
          settings,
        ),
        runLookup,
      )
    const classified = await classifyNode(name, [], settings)
    return runAfterEvaluation(buildCompileRequest({ node: name, facts, classified }, environment, settings), runLookup)
  },
})

/** Facts that identify a node: they must be overridden together. */
const provingFacts = ['hostname', 'domain', 'fqdn', 'clientcert']

function checkTrustedFacts(file: string): void {
  const facts = readFactsFile(file)
  const given = provingFacts.filter((name) => Object.hasOwn(facts, name))
  if (given.length > 0 && given.length < provingFacts.length) throwIssue(issues.LOOKUP_FACTS_TRUSTED, { file })
}

/** A parsed lookup, and the format of its output. */
interface Asked {
  readonly keys: readonly string[]
  readonly merge: Value
  readonly type: string | undefined
  readonly standard: { readonly value: string } | undefined
  /** True for `--explain-options`, false for `--explain`; undefined if neither option is given. */
  readonly onlyOptions: boolean | undefined
  readonly format: Format
}

function parseLookup({ args, options }: CommandInvocation<typeof lookupOptions>): Asked {
  const merge = parseMergeOptions(options)
  const explain = options.explain === true
  const onlyOptions = options.explainOptions === true && !explain
  // Puppet uses this dummy key to explain the lookup_options of keys outside modules.
  const keys = args.length === 0 && onlyOptions ? ['__global__'] : args
  if (keys.length === 0) throwIssue(issues.LOOKUP_NO_KEYS, {})
  const isExplained = explain || onlyOptions
  const given = options.renderAs?.toLowerCase() ?? (isExplained ? 's' : 'yaml')
  const format = formats.find((each) => each === given) ?? throwIssue(issues.LOOKUP_FORMAT, { format: given })
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

function parseMergeOptions(options: OptionValues<typeof lookupOptions>): Value {
  const merge = options.merge
  const prefix = options.knockOutPrefix
  const sort = options.sortMergedArrays === true
  const mergeHashes = options.mergeHashArrays === true
  if ((sort || mergeHashes || prefix !== undefined) && merge !== 'deep') throwIssue(issues.LOOKUP_DEEP_OPTIONS, {})
  if (merge === undefined) return undefined
  if (!strategies.includes(merge)) throwIssue(issues.LOOKUP_MERGE, {})
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

function printLookup(
  asked: Answering,
  context: CallContext,
  hiera: Hiera,
  { io }: Pick<CommandInvocation, 'io'>,
): number {
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
    const value = lookUpData({ name: keys, valueType, merge, standard }, { ...context, host: explained })
    if (!explainer) io.out(formatValue(value, format))
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
  if (format === 's') io.out(`${formatExplanation(explanation).replace(/\n$/, '')}\n`)
  else
    io.out(
      format === 'json'
        ? formatRubyJson(toExplanationData(explanation))
        : formatRubyYaml(toExplanationData(explanation)),
    )
  return 0
}

function formatValue(value: Value, format: Format): string {
  if (format === 's') return `${formatAsString(value).replace(/\n$/, '')}\n`
  return format === 'json' ? formatRubyJson(value) : formatRubyYaml(value)
}
