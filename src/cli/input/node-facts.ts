import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { budgets } from '../../base/budgets/budgets.ts'
import { createDiagnostic, defineIssues, throwIssue } from '../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import { formatError, formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { modelReaders, rubyTags } from '../../model/model-readers.ts'
import { listDefaultProviders } from '../../node/agent/facts/default-providers.ts'
import type { FactValues } from '../../node/facts/fact.ts'
import { collectNodeFacts } from '../../node/facts/node-facts.ts'
import { type DirectStore, withDirectStore } from '../../store/direct-store.ts'
import type { Io } from '../command/command.ts'
import { createTerminalFactLog, printDiagnostic } from '../command/messages.ts'
import type { MayHave, Option } from '../command/options.ts'

// Messages of Puppet: application/lookup.rb
/** Errors about facts given on the command line. */
export const factsIssues = defineIssues({
  FACTS_FORMAT: {
    text: (a: { file: string }) =>
      `Incorrectly formatted data in ${a.file} given via the --facts flag (only accepts yaml and json files)`,
  },
  /** Message of Puppet: util/yaml.rb */
  FACTS_SYNTAX: { text: (a: { why: string }) => a.why },
  FACTS_FILE: { text: (a: { file: string; reason: string }) => `Could not read ${a.file}: ${a.reason}` },
  FACT_WORD: {
    text: (a: { word: string }) => `Invalid fact '${a.word}'`,
    hint: () => 'Give a fact as NAME=VALUE.',
  },
  NO_FACTS: {
    text: (a: { node: string }) => `No facts available for target node: ${a.node}`,
    hint: () => 'Give them with --facts FILE, as JSON or YAML.',
  },
})

/** Option for the node whose catalog is compiled. */
export const nodeOption = {
  flags: '--node <name>',
  doc: 'Name of the node. Default: the certname of this machine.',
} as const satisfies Option

/** Option with a file of facts, for commands that compile catalogs. */
export const factsOption = {
  flags: '--facts <file>',
  doc: 'JSON or YAML file of facts; overrides the facts stored on the server.',
} as const satisfies Option

/** Option for single facts on the command line. */
export const factOption = {
  flags: '--fact <name=value>',
  doc: 'Set a fact, which overrides all other sources of facts. May be given several times.',
  repeated: true,
} as const satisfies Option

/** Facts given as `name=value`. Throws FACT_WORD. */
export function parseFactOptions(words: readonly string[] = []): FactValues {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=')
      return at < 1 ? throwIssue(factsIssues.FACT_WORD, { word }) : [word.slice(0, at), word.slice(at + 1)]
    }),
  )
}

/** Sources of the facts of a node. */
export interface FactsSource {
  /** Name of the node; `undefined` for this machine. */
  readonly node: string | undefined
  /** A file with facts that override stored facts. */
  readonly file: string | undefined
}

/** The facts that the server stores for a node, or the facts of this machine, merged with the facts in `file`. */
export async function readNodeFacts({ node, file }: FactsSource, settings: Settings, io: Io): Promise<FactValues> {
  const given = file === undefined ? {} : readFactsFile(file)
  return {
    ...(node === undefined ? await collectOwnFacts(settings, io) : await readStoredFacts(node, settings)),
    ...given,
  }
}

/** The facts with which a catalog is compiled. Warns if there are none. */
export async function readCompileFacts(
  {
    options: { node, facts: file },
    io,
  }: { readonly options: MayHave<readonly [typeof nodeOption, typeof factsOption]>; readonly io: Io },
  settings: Settings,
) {
  const facts = await readNodeFacts({ node, file }, settings, io)
  if (Object.keys(facts).length === 0) {
    printDiagnostic(
      createDiagnostic(factsIssues.NO_FACTS, { node: node ?? settings.certname }, undefined, 'warning'),
      io,
    )
  }
  return facts
}

/**
 * Reads facts from a file: JSON or YAML by its extension, otherwise the first format that parses. The document is an object of
 * values, or facts as an agent caches them. Throws FACTS_…. Puppet: application/lookup.rb.
 */
export function readFactsFile(file: string): FactValues {
  const text = readTextFile(file) ?? throwIssue(factsIssues.FACTS_FILE, { file, reason: 'No such file or directory' })
  const data = parseFactsText(text, file)
  return isExactObject(data) ? toFactValues(data, file) : throwIssue(factsIssues.FACTS_FORMAT, { file })
}

/** Facts that the server stores for a node, in a file or in its store; empty for an unknown node. Throws FACTS_FILE. */
export async function readStoredFacts(node: string, settings: Settings): Promise<FactValues> {
  const { server_datadir, yamldir, facts_terminus } = settings
  if (facts_terminus === 'puppetdb') {
    const stored = await withDirectStore(settings, 'ask', (store) => queryStoredFacts(node, store))
    // Until a store exists, facts are in files, which the server imports when it starts.
    if (stored) return stored
  }
  const name = checkFileName('facts', node)
  const inYaml = facts_terminus === 'yaml' ? await readCachedFacts(join(yamldir, 'facts', `${name}.yaml`)) : undefined
  return inYaml ?? (await readCachedFacts(join(server_datadir, 'facts', `${name}.json`))) ?? {}
}

async function readCachedFacts(file: string): Promise<FactValues | undefined> {
  try {
    const bytes = await localFiles.readWithin(file, budgets.request.modelFile.bound)
    if (bytes === undefined) return undefined
    const json = file.endsWith('.yaml') ? modelReaders.jsonOfYaml(bytes, rubyTags.facts) : bytes
    return toFactValues(parseJson(Buffer.from(json).toString('utf8')), file)
  } catch (error) {
    return throwIssue(factsIssues.FACTS_FILE, { file, reason: formatError(error) })
  }
}

async function queryStoredFacts(node: string, store: DirectStore): Promise<FactValues> {
  const query = ['extract', ['name', 'value'], ['=', 'certname', checkFileName('facts', node)]]
  const answer = await store.ask({ method: 'POST', path: '/facts', search: '', body: formatExactJson({ query }) })
  const rows = parseJson(await text(answer!.pieces)) as unknown as readonly {
    readonly name: string
    readonly value: ExactJson
  }[]
  return Object.fromEntries(rows.filter(({ name }) => name !== 'trusted').map(({ name, value }) => [name, value]))
}

function toFactValues(data: ExactJson, file: string): FactValues {
  const facts = checkJsonObject(data, file)
  return ('values' in facts && 'name' in facts ? checkJsonObject(facts.values, file) : facts) as FactValues
}

function parseFactsText(text: string, file: string): ExactJson {
  if (file.endsWith('.json')) return parseOrFail(file, () => parseJson(text))
  if (/\.ya?ml$/.test(file)) return parseOrFail(file, () => convertYamlToJson(text, plainOnly))
  return tryParse(() => parseJson(text)) ?? tryParse(() => convertYamlToJson(text, plainOnly)) ?? null
}

/** No conversions of YAML values: facts contain no symbols and no dates. */
const plainOnly = {}

function parseOrFail(file: string, read: () => ExactJson): ExactJson {
  try {
    return read()
  } catch (error) {
    if (error instanceof YamlError) return throwIssue(factsIssues.FACTS_SYNTAX, { why: error.inFile(file) })
    if (error instanceof SyntaxError)
      return throwIssue(factsIssues.FACTS_SYNTAX, { why: `(${file}): ${error.message}` })
    throw error
  }
}

function tryParse(read: () => ExactJson): ExactJson | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof YamlError || error instanceof SyntaxError) return undefined
    throw error
  }
}

async function collectOwnFacts(settings: Settings, io: Io): Promise<FactValues> {
  return collectNodeFacts(directSystem, settings, {
    legacy: settings.include_legacy_facts,
    log: createTerminalFactLog(io),
    providers: (core) => listDefaultProviders(directSystem, core),
  })
}

/** The text of a file; `undefined` if the file does not exist. */
function readTextFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return isMissingFileError(error)
      ? undefined
      : throwIssue(factsIssues.FACTS_FILE, { file, reason: formatErrorReason(error) })
  }
}
