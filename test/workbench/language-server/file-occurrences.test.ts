import { describe, expect, it } from 'vitest'
import { parseCodeFile } from '../../../src/workbench/code-index/code-file.ts'

const show = (text: string) =>
  parseCodeFile('/x/manifests/x.pp', text).occurrences.map(({ kind, name, span }) => [...[kind, name], span.start])

describe('names in a file', () => {
  it('are whole words', () => {
    expect(show('class as inherits in_s { }\n')).toEqual([
      ['class', 'as', 6],
      ['class', 'in_s', 18],
    ])
    expect(show('class x {\n  class a { }\n}\n')).toEqual([
      ['class', 'x', 6],
      ['class', 'x::a', 18],
    ])
  })

  it('have correct offsets after letters whose lower case is longer', () => {
    expect(show('# İİİ\nclass later { }\n')).toEqual([['class', 'later', 12]])
  })

  it('are found in linear time, within the time of a test', () => {
    const size = 80_000
    // A letter beyond Latin-1 makes changing the case of the whole text slow.
    const text = `# İ\nnotify { 'a': ${'message => 1,\n'.repeat(size)}}\n`
    expect(parseCodeFile('/x/manifests/x.pp', text).occurrences).toHaveLength(size + 1)
  })
})
