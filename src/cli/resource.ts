import { applyCatalog } from '../agent/apply.ts'
import { moduleSources } from '../agent/file-sources.ts'
import { type FoundResource, inspectResource, listResources, manifestOf } from '../agent/inspect-resources.ts'
import { consoleLog, logTo } from '../agent/log.ts'
import type { ExactJson } from '../base/exact-json.ts'
import { defineIssues, fail } from '../base/issue.ts'
import { didYouMean } from '../base/suggest.ts'
import { collectFacts } from '../facts/collect.ts'
import type { FactValues } from '../facts/fact.ts'
import type { Value } from '../language/values/value.ts'
import { valueFromJson } from '../language/values/value-from-json.ts'
import type { Catalog } from '../model/catalog.ts'
import { capitalised } from '../resources/reference.ts'
import type { GivenValues, TypeDefinition } from '../resources/type.ts'
import { types } from '../resources/types.ts'
import { loadSettings, type Settings } from '../settings/settings.ts'
import { localSystem } from '../system/local-system.ts'
import { defineCommand, type Io } from './command.ts'
import { rubyYaml } from './ruby-render.ts'

const issues = defineIssues({
  NO_SUCH_TYPE: {
    text: (a: { type: string }) => `Could not find type ${a.type}`,
    hint: (a) => didYouMean(a.type, types.keys()),
  },
  NO_TYPE: { text: () => 'You must specify the type to display' },
  BAD_ATTRIBUTE_WORD: { text: (a: { word: string }) => `Invalid parameter setting ${a.word}` },
  NO_LIST_OF_FILES: {
    text: () =>
      'Listing all file instances is not supported.  Please specify a file or directory, e.g. plumb resource file /etc',
  },
  NO_PROVIDER: { text: (a: { type: string }) => `Could not find a suitable provider for ${a.type}` },
})

/** `plumb resource` */
export const resource = defineCommand({
  name: 'resource',
  summary: "Shows things of this machine in Puppet's language, and changes single ones.",
  description: `  plumb resource user              all users
  plumb resource user root         one of them
  plumb resource file /tmp/x ensure=file mode=0600    makes it so, and shows it`,
  usage: '[type] [name] [attributes...]',
  options: [{ flags: '--to_yaml', doc: 'Print YAML, as Hiera takes it.' }],
  async run({ args, options, settings: given, io }) {
    const [typeName, title, ...words] = args
    if (typeName === undefined) fail(issues.NO_TYPE, {})
    const type: TypeDefinition = types.get(typeName.toLowerCase()) ?? fail(issues.NO_SUCH_TYPE, { type: typeName })
    const settings = loadSettings({ given, runMode: 'user' })
    const facts = await collectFacts(localSystem, { factDirectories: [], legacy: false, log: () => {} })
    const print = (each: FoundResource) => io.out(options.to_yaml === true ? yamlOf(each) : manifestOf(each))
    if (title === undefined) {
      if (type.name === 'file') fail(issues.NO_LIST_OF_FILES, {})
      for (const each of await listResources(type, localSystem, facts)) print(each)
      return 0
    }
    const values = valuesOf(words)
    const status = words.length === 0 ? 0 : await change({ type, title, values, settings, facts, io })
    const found = await inspectResource(type, title, localSystem, facts, values)
    print(found ?? fail(issues.NO_PROVIDER, { type: type.name }))
    return status
  },
})

function yamlOf({ type, title, seen, provider }: FoundResource): string {
  const data = { [type.name]: { [title]: { ...seen, provider } } } as ExactJson
  return rubyYaml(valueFromJson(data)).replace(/^---\n/, '')
}

interface Change {
  readonly type: TypeDefinition
  readonly title: string
  readonly values: GivenValues
  readonly settings: Settings
  readonly facts: FactValues
  readonly io: Io
}

/** Attributes by words such as `mode=0600`. */
function valuesOf(words: readonly string[]): GivenValues {
  return new Map(
    words.map((word): [string, Value] => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? fail(issues.BAD_ATTRIBUTE_WORD, { word })
      return [name!, value!]
    }),
  )
}

/** Applies a catalog of this one resource. */
async function change({ type, title, values, settings, facts, io }: Change): Promise<number> {
  const reference = { type: capitalised(type.name), title, tags: [type.name], exported: false }
  const place = { file: undefined, line: undefined, kind: 'compilable_type' as const }
  const catalog: Catalog = {
    name: settings.certname,
    version: 0,
    codeId: undefined,
    catalogUuid: '',
    environment: settings.environment,
    tags: [],
    classes: [],
    resources: [{ ...reference, ...place, parameters: values }],
    edges: [],
    metadata: new Map(),
    recursiveMetadata: new Map(),
  }
  for (const folder of ['statedir', 'clientbucketdir'] as const)
    await localSystem.files.makeDirectory(settings[folder], 0o750)
  const log = consoleLog(io, 'notice')
  const quiet = logTo({ write: (line) => void (line.source === undefined || log.write(line)) })
  const sources = moduleSources(localSystem.files, settings.modulepath)
  const applied = await applyCatalog(catalog, {
    settings,
    system: localSystem,
    machine: localSystem,
    facts,
    sources,
    log: quiet,
  })
  return applied.applied && !applied.statuses.some(({ failed }) => failed) ? 0 : 1
}
