import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { convertJsonToValue } from '../../language/values/json-values.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import {
  type FoundResource,
  formatResourceManifest,
  inspectResource,
  listDisplayedValues,
  listResources,
} from '../../node/agent/inspect-resources.ts'
import { collectFacts } from '../../node/facts/collection.ts'
import type { FactValues } from '../../node/facts/fact.ts'
import type { GemSettings } from '../../node/gems/configured-gems.ts'
import { findListingProviders } from '../../node/resources/instances.ts'
import type { DeclaredValues, NativeTypeDefinition } from '../../node/resources/type.ts'
import { types } from '../../node/resources/types.ts'
import { defineCommand } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { formatRubyYaml } from '../command/ruby-format.ts'
import { applySingleResource, parseAttributeWords } from './resource-change.ts'
import { editAndApply } from './resource-edit.ts'
import { checkAttributes, formatRubyResources } from './ruby-resource.ts'

// Messages of Puppet: application/resource.rb
const issues = defineIssues({
  NO_TYPE: { text: () => 'Could not run: You must specify the type to display' },
  NO_LIST_OF_FILES: {
    text: () =>
      'Could not run: Listing all file instances is not supported.  Please specify a file or directory, e.g. plumb resource file /etc',
  },
  NO_PROVIDER: { text: (a: { type: string }) => `Could not find a suitable provider for ${a.type}` },
  EDIT_YAML: { text: () => 'Could not run: Editing with Yaml output is not supported' },
})

const resourceOptions = [
  { flags: '-e, --edit', doc: 'Open the resources in $VISUAL or $EDITOR, and apply the edited file.' },
  { flags: '-y, --to_yaml', doc: 'Print resources as YAML for Hiera.' },
  { flags: '-t, --types', doc: 'List all resource types.' },
  {
    flags: '-p, --param <name>',
    doc: 'Parameter to print in addition to the properties; may be given several times.',
    repeated: true,
  },
  { flags: '-f, --fail', doc: 'Exit with 1 if a change failed.' },
] as const satisfies readonly Option[]

/** The command `plumb resource`. */
export const resourceCommand = defineCommand({
  name: 'resource',
  summary: 'Print or change resources on this machine, in Puppet syntax.',
  description: `  plumb resource user              all users
  plumb resource user root         the user root
  plumb resource file /tmp/x ensure=file mode=0600    change a file, and print it
  plumb resource cron --edit       open cron jobs in an editor, and apply the edited file

After a failed change, prints the error and exits with 0, like Puppet; with --fail, exits with 1.`,
  usage: '[type] [name] [attributes...]',
  options: resourceOptions,
  async run(invocation) {
    const { args, options, settings: given, io } = invocation
    if (options.types === true) {
      io.out(`${[...types.keys()].sort().join('\n')}\n`)
      return 0
    }
    const [typeName, title, ...words] = args
    if (typeName === undefined) throwIssue(issues.NO_TYPE, {})
    if (options.edit === true && options.to_yaml === true) throwIssue(issues.EDIT_YAML, {})
    const values = parseAttributeWords(words)
    const type: NativeTypeDefinition | undefined = types.get(typeName.toLowerCase())
    if (!type) {
      const yaml = options.to_yaml === true
      const { text, isChanged } = await formatRubyResources(invocation, { typeName, title, values, yaml })
      if (options.edit === true) return editAndApply(text, invocation)
      io.out(text)
      return options.fail === true && !isChanged ? 1 : 0
    }
    const settings = loadSettings({ given, runMode: 'user' })
    const facts = await collectFacts(directSystem, { factDirectories: [], legacy: false, log: () => {} })
    const isChanged =
      title === undefined ||
      words.length === 0 ||
      (await prefixCommandErrors(() => {
        checkAttributes(type, values)
        return applySingleResource({ type, title, values, settings, facts, io })
      }))
    // Types without instances cannot be inspected either (Puppet: indirector/resource/ral.rb).
    if (title !== undefined && words.length === 0) await findListingProviders(type.name)
    const found = await prefixCommandErrors(() => findResources(type, title, values, facts, settings))
    const text =
      options.to_yaml === true ? formatResourcesYaml(found, options.param) : formatResources(found, options.param)
    if (options.edit === true) return editAndApply(text, invocation)
    io.out(text)
    return options.fail === true && !isChanged ? 1 : 0
  },
})

/** Calls `work`, and adds Puppet's prefix for errors of a command (util/command_line.rb). */
async function prefixCommandErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PuppetError) || error.diagnostic.message.startsWith('Could not run: ')) throw error
    const message = `Could not run: ${error.diagnostic.message}`
    throw new PuppetError({ ...error.diagnostic, message }, { cause: error })
  }
}

async function findResources(
  type: NativeTypeDefinition,
  title: string | undefined,
  values: DeclaredValues,
  facts: FactValues,
  gems: GemSettings,
): Promise<readonly FoundResource[]> {
  if (title === undefined)
    return type.name === 'file'
      ? throwIssue(issues.NO_LIST_OF_FILES, {})
      : listResources(type, directSystem, facts, gems)
  const found = await inspectResource(type, title, directSystem, facts, values, gems)
  return [found ?? throwIssue(issues.NO_PROVIDER, { type: type.name })]
}

const formatResources = (found: readonly FoundResource[], wanted: readonly string[] = []): string =>
  found.map((each) => formatResourceManifest(each, wanted)).join('') || '\n'

function formatResourcesYaml(found: readonly FoundResource[], wanted: readonly string[] = []): string {
  const all = found.map((each) => [each.title, Object.fromEntries(listDisplayedValues(each, wanted))] as const)
  return formatRubyYaml(convertJsonToValue({ [found[0]?.type.name ?? '']: Object.fromEntries(all) } as ExactJson))
}
