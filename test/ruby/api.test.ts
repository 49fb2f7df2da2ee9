import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execaSync } from 'execa'
import { describe, expect, it } from 'vitest'
import { recordedAnswers } from '../support/recorded-answers.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { noticed } from './compiling.ts'

/** Ruby, and what it is worth in a function of Puppet 3's kind: what modules may use of Ruby's library and of Puppet's. */
const cases = readFileSync(join(import.meta.dirname, 'api.cases'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split(/ ==> (?!.* ==> )/) as [code: string, worth: string])

const evaluating = `module Puppet::Parser::Functions
  newfunction(:worth, type: :rvalue, arity: 1) do |args|
    eval(args[0]).inspect
  rescue StandardError, ScriptError => e
    "E: #{e.class}: #{e.message}"
  end
end
`
const path = 'modules/p/lib/puppet/parser/functions/worth.rb'
const manifest = cases.map(([code]) => `notice('= ', worth('${code.replace(/['\\]/g, '\\$&')}'))`).join('\n')
const worth = (messages: readonly string[]) =>
  messages.filter((message) => message.startsWith('=  ')).map((message) => message.slice('=  '.length))
const expected = cases.map((each) => each.join(' ==> '))
const found = (messages: readonly string[]) => worth(messages).map((each, index) => `${cases[index]![0]} ==> ${each}`)

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

describe("the Ruby that modules' code meets", () => {
  it('is worth what it is to Puppet', () => {
    expect(found(noticed({ [path]: evaluating }, manifest))).toEqual(expected)
  })

  it('is worth the same in real Puppet', () => {
    expect(puppet.one('the cases it answers otherwise', [cases, evaluating], otherwise)).toEqual([])
  })
})

/** What real Puppet says otherwise. */
function otherwise(): string[] {
  const folder = scratchFolder('api')
  mkdirSync(join(folder, dirname(path)), { recursive: true })
  writeFileSync(join(folder, path), evaluating)
  writeFileSync(join(folder, 'site.pp'), manifest)
  const input = JSON.stringify({
    manifest: join(folder, 'site.pp'),
    modulepath: [join(folder, 'modules')],
    facts: { os: { family: 'Debian' } },
    node: 'n1',
  })
  const { stdout } = execaSync('ruby', [join(import.meta.dirname, '../oracle/compile.rb')], { input })
  const { logs } = JSON.parse(stdout.split('\n').at(-1)!) as { logs: [string, string][] }
  // To Puppet it is whoever runs it; to us the server, which serves as root does.
  const isRoot = process.getuid?.() === 0
  const here = expected.map((line) => line.replace(/^(Puppet\.features\.root\? ==> ).*/, `$1${isRoot}`))
  const there = found(logs.map(([, message]) => message))
  expect(there).toHaveLength(here.length)
  return there.filter((line, at) => line !== here[at])
}
