import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintYaml } from '../../../src/workbench/lint/lint-yaml.ts'
import { LexerError, tokenize } from '../../../src/workbench/lint/tokens/lexer.ts'
import { TokenList } from '../../../src/workbench/lint/tokens/token-list.ts'
import { fc } from '../../support/properties.ts'
import { lintText } from './lint-text.ts'

const manifests = ['cases', 'recent-cases'].flatMap((folder) => {
  const path = join(import.meta.dirname, folder)
  return readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'))
})

/** Texts that are significant somewhere in a manifest. */
const parts = ['"', "'", '$', '${', '{', '}', '[', ']', '(', ')', '\\', '\n', '\r\n', ':', ';', ',', '=>', '->', '|']
const words = ['class ', 'define ', 'node ', 'case ', '? ', 'a', '$a', '::', '@("END")', '@(A)', 'END', 'A', '#', '/*']
const code = fc.array(
  fc.constantFrom(...parts, ...words, '*/', '/', '𝒳', ' ', '\t', 'ensure', 'file', '# lint:ignore:a\n'),
  {
    maxLength: 60,
  },
)

describe('any text has a result', () => {
  it('for every prefix of a manifest', () => {
    const prefix = fc.tuple(fc.constantFrom(...manifests), fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(prefix, fc.boolean(), ([text, share], fix) => {
        const { problems } = lintText(text.slice(0, Math.floor(text.length * share)), { fix })
        expect(problems.every(({ line }) => line >= 0)).toBe(true)
      }),
    )
  })

  it('for significant texts in any order', () => {
    fc.assert(
      fc.property(code, fc.boolean(), (texts, fix) => {
        expect(Array.isArray(lintText(texts.join(''), { fix }).problems)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('and a correction keeps a text whose strings have no end', () => {
    expect(lintText('class a {\t$b = "${c} d\n}', { fix: true })).toMatchObject({
      fixed: undefined,
      warnings: ['the file is not corrected because a string or heredoc has no end'],
    })
  })
})

describe('tokens', () => {
  it('render a manifest as it was', () => {
    for (const text of manifests) {
      try {
        expect(new TokenList(tokenize(text)).render()).toBe(text)
      } catch (error) {
        if (!(error instanceof LexerError)) throw error
      }
    }
  })
})

describe('large inputs end', () => {
  const many = 50_000
  it.each<[string, string]>([
    ['braces', '{'.repeat(many)],
    ['classes', 'class a { '.repeat(many / 10)],
    ['classes without an end', 'class a ( '.repeat(many / 10)],
    ['closed classes', 'class a { '.repeat(3000) + '}'.repeat(3000)],
    ['cases', 'case $a { '.repeat(many / 10)],
    ['selectors', '$a ? { '.repeat(many / 10)],
    ['resources', "file { 'a': b => ".repeat(many / 20)],
    ['titles', "['a': ".repeat(many / 10)],
    ['colons', ': '.repeat(many)],
    ['backslashes in a string', `"${'\\'.repeat(many)}`],
    ['quotes', '"'.repeat(many)],
    ['interpolations', '"${'.repeat(many)],
    ['open interpolation', `"\${${'{'.repeat(many)}`],
    ['blanks in a heredoc', `@(A)\n${' '.repeat(many)}`],
    ['ends of heredocs', `@("A")\n\${${'A\n'.repeat(many / 10)}`],
    ['heredocs', '@(A)'.repeat(many / 10) + '\nA'.repeat(many / 10)],
    ['tags', `@(${' '.repeat(many)})`],
    ['indexes', `$a${'[b]'.repeat(many / 10)}${'['.repeat(many / 10)}`],
    ['slashes', '/'.repeat(many)],
    ['comments', '/*'.repeat(many)],
    ['suppressions', '# lint:ignore:a\n'.repeat(many / 20) + '# lint:endignore\n'.repeat(many / 20)],
    ['documentation', `${'# @param a\n'.repeat(1000)}${'class a { }\n'.repeat(1000)}`],
    ['lambdas', `class a { ${'$b.each |$c| { '.repeat(2000)}${'\n}'.repeat(2000)} }`],
    ['arrows', `file { 'a': ${"'b' => 1,".repeat(many / 20)}\n}`],
    ['lists', '[\n'.repeat(many / 10) + ']\n'.repeat(many / 10)],
  ])('%s', (_, text) => {
    expect(Array.isArray(lintText(text).problems)).toBe(true)
    expect(Array.isArray(lintText(text, { fix: true }).problems)).toBe(true)
  })

  it('nested definitions beyond the limit are an error', () => {
    const text = 'class a ( '.repeat(20_000)
    expect(lintText(text, { checks: ['autoloader_layout'] }).problems).toMatchObject([
      { check: 'syntax', message: 'The manifest is nested too deeply to be checked' },
    ])
  })

  it('aliases in YAML', () => {
    const levels = Array.from({ length: 30 }, (_, level) => `l${level + 1}: &l${level + 1} [*l${level}, *l${level}]`)
    expect(lintYaml(`l0: &l0 ['%{::osfamily}']\n${levels.join('\n')}\n`)).toMatchObject([{ check: 'syntax' }])
  })
})
