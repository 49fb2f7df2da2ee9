import { expect, it } from 'vitest'
import { createLog, type LogLine } from '../../../../src/node/agent/log.ts'
import { createLineWriter } from '../../../../src/node/agent/ruby/ruby-run.ts'

it.each([
  ['warning', 'warning'],
  ['crit', 'crit'],
  // Levels of Facter: a provider reads facts, and the file of a fact fails.
  ['warn', 'warning'],
  ['error', 'err'],
  ['write', 'notice'],
  ['constructor', 'notice'],
])('writes a line of Ruby with the level %s as %s', (level, written) => {
  const lines: LogLine[] = []
  createLineWriter(createLog({ write: (line) => lines.push(line) }))({ level, message: 'said' })
  expect(lines).toEqual([{ level: written, message: 'said', source: 'Puppet' }])
})
