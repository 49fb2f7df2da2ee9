import { expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { parseDocstring } from '../../../src/workbench/docs/docstring/docstring.ts'
import { splitTypesList } from '../../../src/workbench/docs/docstring/types-list.ts'
import { formatJson } from '../../../src/workbench/docs/json.ts'
import { formatReference } from '../../../src/workbench/docs/markdown/markdown.ts'
import { formatPage } from '../../../src/workbench/docs/site/page.ts'
import { findUndocumented } from '../../../src/workbench/docs/undocumented.ts'
import { fc } from '../../support/properties.ts'
import { cases, readDocs, writeModule } from './cases.ts'

/** Reads a module and writes all formats. A module that cannot be read is rejected with a reason. */
function writeAll(module: string): 'written' | string {
  try {
    const docs = readDocs(module)
    formatReference(docs)
    formatJson(docs)
    formatPage(docs, { name: 'example', version: undefined })
    findUndocumented(docs)
    return 'written'
  } catch (error) {
    if (error instanceof PuppetError) return error.message
    throw error
  }
}

it.each(['class', 'odd-tags', 'modern-function', 'resource-type', 'data-type', 'task'])(
  'every prefix of %s is documented or rejected with a reason',
  (name) => {
    const text = cases[name]!
    const start = text.indexOf('\n') + 1
    for (let end = start; end <= text.length; end += 7) expect(writeAll(writeModule(text.slice(0, end)))).not.toBe('')
  },
)

it.each([
  ['comments', '-- manifests/init.pp --\n', '# @param a [String] text\n', 'class example($a) {}\n'],
  ['blanks in a comment', '-- manifests/init.pp --\n# a', ' ', '\nclass example {}\n'],
  ['signs of a tag', '-- manifests/init.pp --\n# @param ', '[', '\nclass example {}\n'],
  ['quotes in a tag', '-- manifests/init.pp --\n# @param [', `"'`, '\nclass example {}\n'],
  ['marks of Markdown', '-- manifests/init.pp --\n# ', '`*_[(<![', '\nclass example {}\n'],
  ['nested lists', '-- manifests/init.pp --\n', '#   * a\n', 'class example {}\n'],
  ['an unclosed string', `-- lib/a.rb --\nPuppet::Type.newtype(:a) { desc '`, 'a\n', ''],
  ['an unclosed heredoc', '-- lib/a.rb --\nPuppet::Type.newtype(:a) { desc <<X\n', 'a\n', ''],
  ['comments in Ruby', '-- lib/a.rb --\n', '# a\n', 'Puppet::Type.newtype(:a) { }\n'],
  ['an unclosed comment in Ruby', '-- lib/a.rb --\n=begin\n', 'newtype\n', ''],
])('300 KB: %s', (_, before, part, after) => {
  const text = before + part.repeat(Math.ceil(300_000 / part.length)) + after
  expect(writeAll(writeModule(text))).not.toBe('')
})

it('rejects a larger file', () => {
  expect(writeAll(writeModule(`-- manifests/init.pp --\n${'# a\n'.repeat(1_100_000)}`))).toMatch(
    /exceeds 4194304 bytes/,
  )
})

it.each([
  ['parentheses', '(', ')'],
  ['brackets', '[', ']'],
  ['blocks', 'a {', '}'],
  ['unary operators', '!', ''],
  ['sums', '1 + ', '1'],
])('deep nesting in Ruby: %s', (_, open, close) => {
  const depth = 3000
  const code = `Puppet::Type.newtype(:a) do\n  x = ${open.repeat(depth)}1${close.repeat(depth)}\nend\n`
  expect(writeAll(writeModule(`-- lib/a.rb --\n${code}`))).not.toBe('')
})

it('deep nesting in a manifest is rejected or read', () => {
  const code = `class a($x = ${'['.repeat(3000)}${']'.repeat(3000)}) {}`
  expect(writeAll(writeModule(`-- manifests/init.pp --\n${code}`))).not.toBe('')
})

it('any comment is parsed', () => {
  const words = [
    '@param',
    '@!method',
    '@option',
    '@example',
    ' ',
    '  ',
    '\n',
    '\n  ',
    '[String]',
    '(see a)',
    '"',
    "'",
    '#',
    'a',
    '@',
  ]
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fc.constantFrom(...words)).map((each) => each.join('')),
      ),
      (text) => {
        const { tags } = parseDocstring(text)
        expect(tags.every(({ tag }) => tag !== '')).toBe(true)
      },
    ),
  )
})

it.each(['"', "'", '[', '#', '["', '[#', "['a' #", '<', '=>', ','])('a list of types with many %s is split', (part) => {
  expect(splitTypesList(part.repeat(300_000 / part.length)).rest.length).toBeLessThanOrEqual(300_000)
})
