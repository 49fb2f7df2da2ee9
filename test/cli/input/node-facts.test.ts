import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatExactJson } from '../../../src/base/json/json-text.ts'
import { readFactsFile } from '../../../src/cli/input/node-facts.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('node-facts')

function read(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return formatExactJson(readFactsFile(file))
}

/** By `puppet lookup --facts` 7.23. */
describe('facts of a file', () => {
  it.each([
    ['f.yaml', 'v: yes', '{"v":true}'],
    ['f.yaml', 'v: 0644', '{"v":420}'],
    ['f.yml', 'v: 1:30', '{"v":5400}'],
    ['f.yaml', 'v: ~', '{"v":null}'],
    ['f.yaml', 'v: 1_0', '{"v":10}'],
    ['f.yaml', 'v: 0x1F', '{"v":31}'],
    ['f.yaml', 'v: 1.0', '{"v":1.0}'],
    ['f.yaml', 'd: &d {x: 1}\nm: {<<: *d, y: 2}', '{"d":{"x":1},"m":{"x":1,"y":2}}'],
    ['f.yaml', 'v: {1: a, ~: b, 1.0: c, yes: d}', '{"v":{"1":"a","":"b","1.0":"c","true":"d"}}'],
    ['f.json', '{"v": 0.5}', '{"v":0.5}'],
    ['f.other', '{"v": 1.0}', '{"v":1.0}'],
    ['f.other', 'v: yes', '{"v":true}'],
    ['f.yaml', 'name: n\nvalues: {v: on}', '{"v":true}'],
  ])('%s: %s', (name, text, facts) => {
    expect(read(name, text)).toBe(facts)
  })

  const shape = 'given via the --facts flag (only accepts yaml and json files)'
  it.each([
    ['f.yaml', 'v: 2020-01-01', '/f.yaml): Tried to load unspecified class: Date'],
    ['f.yaml', 'v: :sym', '/f.yaml): Tried to load unspecified class: Symbol'],
    ['f.yaml', 'a: b: c', '/f.yaml): mapping values are not allowed in this context at line 1 column 5'],
    ['f.yaml', 'm: *d', 'Unknown alias: d'],
    ['f.yaml', '- a', shape],
    ['f.yaml', '', shape],
    ['f.json', '[1]', shape],
    ['f.json', '{"v": 1,', '/f.json): '],
    ['f.other', 'a: b: c', shape],
    ['f.other', 'v: 2020-01-01', shape],
  ])('%s: %s is refused', (name, text, message) => {
    expect(() => read(name, text)).toThrow(message)
  })
})
