import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../src')
/** The one file that knows that codes are texts. */
const dialect = 'base/issue.ts'
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== dialect)
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** The codes of each catalogue of a file: the keys of `defineIssues({ … })`, as the formatter lays them out. */
function cataloguesIn(text: string): readonly (readonly string[])[] {
  const blocks = text.matchAll(/defineIssues\(\{\n(.*?)\n\}\)/gs)
  return Array.from(blocks, ([, block]) => Array.from(block!.matchAll(/^ {2}(\w+):/gm), ([, code]) => code!))
}

describe('codes of issues', () => {
  it('stand in one catalogue each', () => {
    const files = new Map<string, string[]>()
    for (const { file, text } of sources)
      for (const code of cataloguesIn(text).flat()) files.set(code, [...(files.get(code) ?? []), file])
    expect(files.size).toBeGreaterThan(400)
    expect([...files].filter(([, where]) => where.length > 1)).toEqual([])
  })

  it('are all read by this test', () => {
    const unread = sources.filter(({ text }) => {
      const catalogues = cataloguesIn(text)
      return (
        catalogues.length !== text.split('defineIssues(').length - 1 || catalogues.some((codes) => codes.length === 0)
      )
    })
    expect(unread.map(({ file }) => file)).toEqual([])
  })

  it.each([
    ['are compared by their issues', /\bdiagnostic\.code\b|\.[A-Z][A-Z0-9_]*\.code\b/],
    ['come from catalogues', /\bcode: '[A-Z]/],
  ])('%s', (_, pattern) => {
    const lines = sources.flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, index) => (pattern.test(line) ? `${file}:${index + 1} ${line.trim()}` : [])),
    )
    expect(lines).toEqual([])
  })
})
