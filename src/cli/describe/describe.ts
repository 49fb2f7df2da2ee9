import { defineIssues, fail } from '../../base/issue.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import {
  type AttributeOutline,
  allOutlines,
  metaparameterOutlines,
  outlineOf,
} from '../../node/resources/type-outline.ts'
import { types } from '../../node/resources/types.ts'
import { defineCommand } from '../command/command.ts'

const issues = defineIssues({
  TYPE_NOT_BUILT_IN: {
    text: (a: { type: string }) => `Unknown type ${a.type}`,
    hint: (a) => didYouMean(a.type, types.keys()),
  },
  NO_TYPE_TO_DESCRIBE: { text: () => 'Specify a type, or --list' },
})

/** Maximum length of a line in characters. */
const lineLength = 75

/** `plumb describe` */
export const describe = defineCommand({
  name: 'describe',
  summary: 'Print the documentation of resource types and their providers.',
  description: `  plumb describe --list
  plumb describe package --providers

The same for all types is in docs/types.md. Types that modules bring are described there.`,
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
      for (const { name, doc } of await allOutlines()) io.out(`${name.padEnd(15)} - ${firstSentence(doc)}\n`)
      return 0
    }
    if (args.length === 0) fail(issues.NO_TYPE_TO_DESCRIBE, {})
    for (const name of args) io.out(`${await textOf(name, options)}\n`)
    return 0
  },
})

interface Wishes {
  readonly providers?: unknown
  readonly short?: unknown
  readonly meta?: unknown
}

async function textOf(name: string, { providers, short, meta }: Wishes): Promise<string> {
  const type = types.get(name.toLowerCase()) ?? fail(issues.TYPE_NOT_BUILT_IN, { type: name })
  const outline = await outlineOf(type)
  const attributes = (list: readonly AttributeOutline[]) =>
    short === true ? [wrapped(list.map((each) => each.name).join(', '), 4)] : list.map(attributeText)
  const lines = ['', outline.name, '='.repeat(outline.name.length), wrapped(outline.doc, 0), '']
  lines.push('', ...heading('Parameters'), ...attributes(outline.attributes))
  if (meta === true) lines.push('', ...heading('Meta Parameters'), ...attributes(metaparameterOutlines()))
  if (outline.providers.length > 0) {
    lines.push('', 'Providers', '---------')
    if (providers === true) lines.push('', ...outline.providers.map(providerText))
    else lines.push(wrapped(outline.providers.map((each) => each.name).join(', '), 4))
  }
  return lines.join('\n')
}

function heading(text: string): readonly string[] {
  return [text, '-'.repeat(text.length), '']
}

function attributeText({ name, doc, values, default: standard, needs }: AttributeOutline): string {
  const lines = [`- **${name}**`, wrapped(doc, 4)]
  if (values.length > 0) lines.push(wrapped(`Valid values are ${values.map((each) => `\`${each}\``).join(', ')}.`, 4))
  if (standard !== undefined) lines.push(wrapped(`Default: \`${standard}\`.`, 4))
  if (needs.length > 0) lines.push(wrapped(`Requires features ${needs.join(', ')}.`, 4))
  return `${lines.join('\n')}\n`
}

function providerText({
  name,
  doc,
  requires,
  defaultFor,
  features,
}: Awaited<ReturnType<typeof outlineOf>>['providers'][number]) {
  const lines = [`- **${name}**`, wrapped(doc, 4)]
  const say = (what: string, list: readonly string[]) => {
    if (list.length > 0) lines.push(wrapped(`* ${what}: ${list.map((each) => `\`${each}\``).join(', ')}.`, 4))
  }
  say('Required', requires)
  say('Default for', defaultFor)
  say('Supported features', features)
  return `${lines.join('\n')}\n`
}

/** Wraps a paragraph. */
function wrapped(text: string, indent: number): string {
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
function firstSentence(text: string): string {
  const [sentence = ''] = text.split(/(?<=\.)\s/)
  return sentence.length > 60 ? `${sentence.slice(0, 56)} ...` : sentence
}
