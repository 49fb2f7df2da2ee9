import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execaSync } from 'execa'
import { describe, expect, it } from 'vitest'
import { stripRubyComments } from '../../../src/compiler/ruby/ruby-comments.ts'
import { debianModules } from '../../support/debian-modules.ts'
import { without } from '../../support/needs.ts'

describe('Ruby without its comments', () => {
  const lacking = without('real Puppet 7.23', "Debian's modules")

  it.skipIf(lacking)(`is what Ruby's own lexer says, for all of Debian's modules${lacking}`, () => {
    const oracle = resolve(import.meta.dirname, '../../oracle/comments.rb')
    const { stdout } = execaSync('ruby', [oracle, debianModules], { maxBuffer: 1e9 })
    const lines = stdout.split('\n').map((line) => JSON.parse(line) as readonly [path: string, code: string])
    let unclear = 0
    for (const [path, code] of lines) {
      const ours = stripRubyComments(readFileSync(join(debianModules, path), 'utf8'))
      if (ours === undefined) unclear++
      else expect(ours, path).toBe(code)
    }
    expect(lines.length).toBeGreaterThan(2000)
    expect(unclear).toBeLessThan(lines.length / 40)
  })
})
