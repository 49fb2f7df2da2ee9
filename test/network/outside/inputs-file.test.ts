import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadInputs, saveInputs } from '../../../src/network/outside/inputs-file.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const file = join(scratchFolder('inputs'), 'inputs.json')

it('gives each answer back as it was', () => {
  const asked = new Map([
    ['{"query":"nodes { }"}', '[{"a":1.0,"b":12345678901234567890,"c":null,"2":1,"1":2}]'],
    ['{"query":["from","nodes"]}', '[]'],
    ['{"query":"bad"}', 'PQL parse error at line 1'],
    ['{"generate":["/bin/echo","a"]}', '{"output":"a\\n"}'],
    ['{"dns":{"name":"a.test","type":"A"}}', '{"records":["192.0.2.1"]}'],
    ['{"http":{"url":"http://a.test/","method":"GET","headers":[]}}', '{"failure":"gone","error":"other"}'],
  ])
  saveInputs(file, asked)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const open = loadInputs(file)
  const inputs = open()
  for (const [question, answer] of asked) expect(inputs.answer(question)).toBe(answer)
  expect(() => inputs.requireAll()).not.toThrow()
})

it('tells of an answer that is missing, also when code has rescued that', () => {
  saveInputs(file, new Map())
  const open = loadInputs(file)
  const [one, other] = [open(), open()]
  const missing = `The file ${file} has no answer to {"query":"other"}`
  expect(() => one.answer('{"query":"other"}')).toThrow(missing)
  expect(() => one.requireAll()).toThrow(missing)
  expect(() => other.requireAll()).not.toThrow()
})

it.each([
  ['', 'it is not JSON'],
  ['[1', 'it is not JSON'],
  ['{"answers":[]}', "it has no array 'inputs'"],
  ['{"inputs":{}}', "it has no array 'inputs'"],
  ['{"inputs":[1]}', 'an entry has no known query, or no answer'],
  ['{"inputs":[{"answer":1}]}', 'an entry has no known query, or no answer'],
  ['{"inputs":[{"query":"x"}]}', 'an entry has no known query, or no answer'],
  ['{"inputs":[{"query":"x","dns":{},"answer":1}]}', 'an entry has no known query, or no answer'],
  ['{"inputs":[{"shell":"x","answer":1}]}', 'an entry has no known query, or no answer'],
  ['{"inputs":[{"toString":"x","answer":1}]}', 'an entry has no known query, or no answer'],
])('refuses %s', (text, reason) => {
  writeFileSync(file, text)
  expect(() => loadInputs(file)).toThrow(`Could not read answers from ${file}: ${reason}`)
})

it('refuses a file that is not there', () => {
  expect(() => loadInputs(join(file, 'none'))).toThrow('Could not read answers from')
})
