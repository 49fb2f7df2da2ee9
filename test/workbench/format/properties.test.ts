import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { lex } from '../../../src/language/syntax/lexer/lex.ts'
import { parseSource } from '../../../src/language/syntax/parser/parser.ts'
import { toPn } from '../../../src/language/syntax/tree/pn.ts'
import { formatPn } from '../../../src/language/syntax/tree/pn-text.ts'
import { formatManifest } from '../../../src/workbench/format/format.ts'
import { fc } from '../../support/properties.ts'

const folder = join(import.meta.dirname, 'cases')
const inputs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.case') && !name.startsWith('plans/'))
  .map((name) => readFileSync(join(folder, name), 'utf8').split(/^-- .* --\n/m)[1] ?? '')

const dump = (text: string) => formatPn(toPn(parseSource({ file: 'a.pp', text }).program), false)
const format = (text: string, width?: number) => formatManifest({ file: 'a.pp', text }, { width })

/** Formats a text; the code of the error, which must have a place, if it cannot be formatted. */
function formatOrRefuse(text: string): { formatted: string } | { code: string } {
  try {
    return { formatted: format(text) }
  } catch (error) {
    if (!(error instanceof PuppetError) || !error.diagnostic.span) throw error
    return { code: error.diagnostic.code }
  }
}

/** Errors that say that the formatter itself is wrong. */
const bugs = ['FORMAT_CHANGES_TREE', 'FORMAT_LOSES_COMMENT', 'FORMAT_UNSTABLE']

function parses(text: string): boolean {
  try {
    parseSource({ file: 'a.pp', text })
    return true
  } catch {
    return false
  }
}

const words = [
  ...['class', 'define', 'node', 'function', 'type', 'if', 'else', 'elsif', 'unless', 'case', 'default', 'undef'],
  ...['inherits', 'and', 'or', 'in', 'true', 'include', 'notice', 'a', 'b::c', 'A', 'B::C', '$a', '$::b', 'x-y', '1'],
  ...['1.5', "'s'", '"d"', '"$v"', '"${a[1]} $b"', '{', '}', '(', ')', '[', ']', '|', '=>', '+>', '->', '~>', '='],
  ...['==', '=~', '!', '<|', '|>', '<<', '+', '-', '*', '/', '?', ':', ';', ',', '.', '@', '@@', '/r/', '\n', '\n\n'],
  ...['# c\n', '/* d */', '@(X)\nx\n| X\n', '@("Y")\n$y\nY\n', '\t', '\r\n'],
]
/** Fragments that make whole programs more often than single words do. */
const fragments = [
  ...['$a = ', "file { 'a': b => ", '}', 'if $x { ', '} else { ', '[1, ', ']', '{ a => ', 'f(', ')', '.g ', '|$x| { '],
  ...[
    '1',
    '$y',
    "'s'",
    '"d"',
    ' + ',
    ' and ',
    ' -> ',
    "A['b']",
    'include x\n',
    ' ? { 1 => ',
    '# c\n',
    '/* d */',
    ',',
    '\n',
  ],
]

describe('any input', () => {
  it('is formatted, or refused with a place', () => {
    const code = fc.oneof(
      fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join(' ')),
      fc.array(fc.constantFrom(...fragments), { maxLength: 20 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    fc.assert(
      fc.property(code, (text) => {
        const result = formatOrRefuse(text)
        if ('code' in result) expect(bugs).not.toContain(result.code)
        else expect(dump(result.formatted)).toBe(dump(text))
      }),
      { numRuns: 1500 },
    )
  })

  it('may be the start of a manifest', () => {
    for (const input of inputs)
      for (let end = 0; end < input.length; end++) {
        const result = formatOrRefuse(input.slice(0, end))
        if ('code' in result) expect(bugs).not.toContain(result.code)
      }
  })
})

/** Offsets between the tokens of a text, outside strings and heredocs. */
function listGaps(text: string): number[] {
  const gaps: number[] = []
  let depth = 0
  for (const { kind, start, end } of lex({ file: 'a.pp', text }).tokens) {
    if (kind === 'DQPRE') depth++
    if (depth === 0 && kind !== 'HEREDOC') gaps.push(start)
    if (kind === 'DQPOST') depth--
    if (depth === 0 && kind === 'DQPOST') gaps.push(end)
  }
  return gaps
}

describe('comments', () => {
  const spaced = inputs.filter((input) => !input.includes('@('))
  const kinds = ['/* N */', ' # N\n', '\n# N\n', '\n/* N\n   m */\n', '\n\n# N\n\n']
  const insertion = fc.tuple(fc.nat(), fc.constantFrom(...kinds))

  it('stay in order wherever they are', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...spaced),
        fc.array(insertion, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(140, 60, 40),
        (input, insertions, width) => {
          const gaps = listGaps(input)
          const places = insertions.map(([at, kind]) => [gaps[at % gaps.length]!, kind] as const)
          places.sort(([one], [other]) => one - other)
          let text = ''
          let copied = 0
          for (const [index, [at, kind]] of places.entries()) {
            text += input.slice(copied, at) + kind.replace('N', `comment ${index}.`)
            copied = at
          }
          text += input.slice(copied)
          fc.pre(parses(text))
          const formatted = format(text, width)
          const found = places.map((_, index) => formatted.indexOf(`comment ${index}.`))
          expect(found).not.toContain(-1)
          expect(found).toEqual(found.toSorted((a, b) => a - b))
          expect(dump(formatted)).toBe(dump(text))
          expect(format(formatted, width)).toBe(formatted)
        },
      ),
      { numRuns: 600 },
    )
  })
})

describe('every width', () => {
  it.each([40, 80, 1000])('of %i keeps the tree and is stable', (width) => {
    for (const input of inputs) {
      const formatted = format(input, width)
      expect(dump(formatted)).toBe(dump(input))
      expect(format(formatted, width)).toBe(formatted)
    }
  })
})

describe('large and deep manifests', () => {
  it.each([
    ['a list', `$a = [${'1, '.repeat(20_000)}]`],
    ['attributes', `file { 'a': ${'b => 1, '.repeat(8000)} }`],
    ['statements', '$a = 1\n'.repeat(8000)],
    ['cases', `case $a { ${'1: { b } '.repeat(8000)} }`],
    ['resources', "file { 'a': b => 1 } ".repeat(5000)],
    ['comments', `${'# c\n'.repeat(20_000)}$a = 1`],
    ['heredocs', `f(${'@(A), '.repeat(1000)}1)\n${'x\n| A\n'.repeat(1000)}`],
    ['nested lists', `$a = ${'['.repeat(300)}1${']'.repeat(300)}`],
    ['nested hashes', `$a = ${'{ a => '.repeat(300)}1${'}'.repeat(300)}`],
    ['a long chain', `$a = 1${' + 1'.repeat(900)}`],
    ['calls', `$a = $b${'.c(1)'.repeat(900)}`],
  ])('%s', (_, text) => {
    expect(dump(format(text))).toBe(dump(text))
  })

  it('are refused if they are too deep for the parser', () => {
    expect(formatOrRefuse(`$a = ${'['.repeat(2000)}`)).toEqual({ code: 'NESTED_TOO_DEEPLY' })
  })

  it('are refused if the indentation makes them too large', () => {
    const text = `$a = ${'['.repeat(300)}${'1,\n'.repeat(60_000)}${']'.repeat(300)}`
    expect(formatOrRefuse(text)).toEqual({ code: 'FORMAT_TOO_LARGE' })
  })
})
