import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../src')

/** All TypeScript files: path and text. */
const files: readonly (readonly [file: string, text: string])[] = readdirSync(src, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.ts'))
  .map((file) => [file, readFileSync(join(src, file), 'utf8')])

/** Exports of a file that have no docstring right above them; overloads share that of the first. */
function undocumented(text: string): string[] {
  const lines = text.split('\n')
  const found = new Set<string>()
  const known = new Set<string>()
  for (const [index, line] of lines.entries()) {
    const name = /^export (?:declare |abstract |async )*(?:const|function\*?|class|interface|type) (\w+)/.exec(
      line,
    )?.[1]
    if (name === undefined) continue
    let above = index - 1
    while (lines[above]?.startsWith('// biome-ignore')) above -= 1
    if (lines[above]?.endsWith('*/')) known.add(name)
    else if (!known.has(name)) found.add(name)
  }
  return [...found]
}

/** Lines of a file on which a docstring begins with a question. */
function questions(text: string): number[] {
  return [...text.matchAll(/\/\*\*\s*(?:\*\s*)?(?:What|Whether|How|Where) /g)].map(
    ({ index }) => text.slice(0, index).split('\n').length,
  )
}

describe('docstrings', () => {
  it('are found where they lack, and where they ask', () => {
    const text =
      '/** A. */\nexport const a = 1\nexport const b = 2\n\n/**\n * Whether c.\n */\nexport function c() {}\n'
    expect(undocumented(text)).toEqual(['b'])
    expect(questions(text)).toEqual([5])
  })

  it('say of each export what it is', () => {
    const lacking = files.flatMap(([file, text]) => undocumented(text).map((name) => `${file}: ${name}`))
    expect(lacking).toEqual([])
  })

  it('begin with what a thing is, not with a question', () => {
    const asking = files.flatMap(([file, text]) => questions(text).map((line) => `${file}:${line}`))
    expect(asking).toEqual([])
  })
})
