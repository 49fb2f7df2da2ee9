import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import {
  type AttributeOutline,
  buildMetaparameterOutlines,
  buildTypeOutline,
  buildTypeOutlines,
} from '../../node/resources/type-outline.ts'
import { types } from '../../node/resources/types.ts'
import { defineCommand } from '../command/command.ts'

const issues = defineIssues({
  TYPE_NOT_BUILT_IN: {
    text: (a: { type: string }) => `Unknown type ${a.type}`,
    hint: (a) => formatSuggestion(a.type, types.keys()),
  },
  NO_TYPE_TO_DESCRIBE: { text: () => 'Specify a type, or --list' },
})

/** Maximum length of a line in characters. */
const lineLength = 75

/** The command `plumb describe`. */
export const describeCommand = defineCommand({
  name: 'describe',
  summary: 'Print the documentation of resource types and their providers.',
  description: `  plumb describe --list
  plumb describe package --providers

Describes the built-in types only; docs/types.md contains the same descriptions. For other types, see the documentation
of their module.`,
  usage: '[types...]',
  options: [
    { flags: '-l, --list', doc: 'List all types with summaries.' },
    { flags: '-p, --providers', doc: 'Print the documentation of providers.' },
    { flags: '-s, --short', doc: 'Print only the names of attributes.' },
    { flags: '-m, --meta', doc: 'Include metaparameters.' },
  ],
  async run({ args, options, io }) {
    if (options.list === true) {
      io.out(`These are the types known to plumb:\n`)
      for (const { name, doc } of await buildTypeOutlines()) io.out(`${name.padEnd(15)} - ${getFirstSentence(doc)}\n`)
      return 0
    }
    if (args.length === 0) throwIssue(issues.NO_TYPE_TO_DESCRIBE, {})
    for (const name of args) io.out(`${await formatTypeDescription(name, options)}\n`)
    return 0
  },
})

interface Wishes {
  readonly providers?: unknown
  readonly short?: unknown
  readonly meta?: unknown
}

async function formatTypeDescription(name: string, { providers, short, meta }: Wishes): Promise<string> {
  const type = types.get(name.toLowerCase()) ?? throwIssue(issues.TYPE_NOT_BUILT_IN, { type: name })
  const outline = await buildTypeOutline(type)
  const formatAttributes = (list: readonly AttributeOutline[]) =>
    short === true ? [wrapText(list.map((each) => each.name).join(', '), 4)] : list.map(formatAttribute)
  const lines = ['', outline.name, '='.repeat(outline.name.length), wrapText(outline.doc, 0), '']
  lines.push('', ...formatHeading('Parameters'), ...formatAttributes(outline.attributes))
  if (meta === true)
    lines.push('', ...formatHeading('Meta Parameters'), ...formatAttributes(buildMetaparameterOutlines()))
  if (outline.providers.length > 0) {
    lines.push('', 'Providers', '---------')
    if (providers === true) lines.push('', ...outline.providers.map(formatProvider))
    else lines.push(wrapText(outline.providers.map((each) => each.name).join(', '), 4))
  }
  return lines.join('\n')
}

function formatHeading(text: string): readonly string[] {
  return [text, '-'.repeat(text.length), '']
}

function formatAttribute({ name, doc, values, default: standard, needs }: AttributeOutline): string {
  const lines = [`- **${name}**`, wrapText(doc, 4)]
  if (values.length > 0) lines.push(wrapText(`Valid values are ${values.map((each) => `\`${each}\``).join(', ')}.`, 4))
  if (standard !== undefined) lines.push(wrapText(`Default: \`${standard}\`.`, 4))
  if (needs.length > 0) lines.push(wrapText(`Requires features ${needs.join(', ')}.`, 4))
  return `${lines.join('\n')}\n`
}

function formatProvider({
  name,
  doc,
  requires,
  defaultFor,
  features,
}: Awaited<ReturnType<typeof buildTypeOutline>>['providers'][number]) {
  const lines = [`- **${name}**`, wrapText(doc, 4)]
  const addLine = (what: string, list: readonly string[]) => {
    if (list.length > 0) lines.push(wrapText(`* ${what}: ${list.map((each) => `\`${each}\``).join(', ')}.`, 4))
  }
  addLine('Required', requires)
  addLine('Default for', defaultFor)
  addLine('Supported features', features)
  return `${lines.join('\n')}\n`
}

/** Wraps a paragraph. */
function wrapText(text: string, indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > lineLength - indent) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((each) => `${' '.repeat(indent)}${each}`).join('\n')
}

/** The first sentence of a text, truncated for a list. */
function getFirstSentence(text: string): string {
  const [sentence = ''] = text.split(/(?<=\.)\s/)
  return sentence.length > 60 ? `${sentence.slice(0, 56)} ...` : sentence
}
