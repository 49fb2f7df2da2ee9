import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { settingDefinitions } from '../../machine/settings/definitions/index.ts'
import { defineCommand } from '../command/command.ts'

/** An entry of a reference: a setting, type or metaparameter. */
interface Entry {
  readonly name: string
  readonly doc: string
}

/** A reference whose entries are loaded on demand. */
interface Reference {
  readonly doc: string
  entries(): Promise<readonly Entry[]>
}

const references: Readonly<Record<string, Reference>> = {
  configuration: {
    doc: 'All settings.',
    entries: async () =>
      Object.entries(settingDefinitions).map(([name, { kind, default: standard, doc }]) => ({
        name,
        doc: `${doc}\n\n- Type: ${kind.expects}\n- Default: ${standard || '(none)'}`,
      })),
  },
  metaparameter: {
    doc: 'All metaparameters of resources.',
    async entries() {
      const { buildMetaparameterOutlines } = await import('../../node/resources/type-outline.ts')
      return buildMetaparameterOutlines()
    },
  },
  type: {
    doc: 'All resource types.',
    async entries() {
      const { buildTypeOutlines } = await import('../../node/resources/type-outline.ts')
      return (await buildTypeOutlines()).map(({ name, doc, attributes }) => ({
        name,
        doc: [doc, '', ...attributes.map((each) => `- ${each.name}: ${each.doc}`)].join('\n'),
      }))
    },
  },
}

const names = Object.keys(references)

const issues = defineIssues({
  UNKNOWN_DOC_REFERENCE: {
    // Message of Puppet: application/doc.rb
    text: (a: { name: string }) => `Could not find reference ${a.name}`,
    hint: (a) => formatSuggestion(a.name, names) ?? `Available references: ${names.join(', ')}.`,
  },
})

/** The command `plumb doc`. */
export const doc = defineCommand({
  name: 'doc',
  summary: 'Print a reference of settings, types or metaparameters.',
  description: `Prints a reference as Markdown, generated from the definitions in the program.

  plumb doc --list
  plumb doc -r configuration
  plumb doc -r type -r metaparameter`,
  options: [
    { flags: '-r, --reference <name>', doc: 'Reference to print; may be given several times.', repeated: true },
    { flags: '-l, --list', doc: 'List the available references.' },
  ],
  async run({ options: { reference = [], list }, io }) {
    for (const name of reference)
      if (!Object.hasOwn(references, name)) throwIssue(issues.UNKNOWN_DOC_REFERENCE, { name })
    if (list || reference.length === 0) {
      io.out(names.map((name) => `${name} - ${references[name]!.doc}\n`).join(''))
      return 0
    }
    for (const name of reference) {
      const entries = [...(await references[name]!.entries())].sort((a, b) => (a.name < b.name ? -1 : 1))
      io.out(`# ${name} reference\n\n${entries.map((each) => `## ${each.name}\n\n${each.doc}\n`).join('\n')}\n`)
    }
    return 0
  },
})
