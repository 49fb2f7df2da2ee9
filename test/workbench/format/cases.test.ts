import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatManifest } from '../../../src/workbench/format/format.ts'

const folder = join(import.meta.dirname, 'cases')
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.case'))
  .sort()
const [inputMark, outputMark] = ['-- input.pp --\n', '-- formatted.pp --\n']

describe('a formatted manifest', () => {
  it.each(names)('%s', (name) => {
    const [input = '', expected] = readFileSync(join(folder, name), 'utf8').slice(inputMark.length).split(outputMark)
    const tasks = name.startsWith('plans/')
    const formatted = formatManifest({ file: 'case.pp', text: input }, { tasks })
    if (process.env['UPDATE'] === '1')
      writeFileSync(join(folder, name), `${inputMark}${input}${outputMark}${formatted}`)
    else expect(formatted).toBe(expected)
    expect(formatManifest({ file: 'case.pp', text: formatted }, { tasks })).toBe(formatted)
  })
})
