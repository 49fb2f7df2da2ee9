import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execaSync } from 'execa'
import { describe, expect, it } from 'vitest'
import { withoutComments } from '../../../src/compiler/ruby/without-comments.ts'
import { debianModules } from '../../support/debian-modules.ts'
import { without } from '../../support/needs.ts'

describe('Ruby without its comments', () => {
  it.each([
    ['a comment at an end', 'x = 1 # one\ny\n', 'x = 1\ny'],
    ['a line of its own', 'x\n  # one\ny\n', 'x\n\ny'],
    ['the last lines', 'x\n# one\n\n# two\n', 'x'],
    ['a comment that Ruby reads', '# frozen_string_literal: true\nx\n', '# frozen_string_literal: true\nx'],
    ['none in strings', `x = "# no #{y # z\n} #" + '# "'\n`, `x = "# no #{y\n} #" + '# "'`],
    ['none in a heredoc', 'x = <<~EOT # yes\n  # no\n  EOT\n# yes\ny', 'x = <<~EOT\n  # no\n  EOT\n\ny'],
    ['none in patterns', 'a =~ /#{b}# "/ # yes\nc / d # "yes"\n', 'a =~ /#{b}# "/\nc / d'],
    ['none in lists of words', 'x = %w(# (#) no) # yes\n', 'x = %w(# (#) no)'],
    ['a string that goes on', "x = 'a\n# no\n' # yes\n", "x = 'a\n# no\n'"],
    ['what follows the end', 'x # yes\n__END__\n# no\n', 'x\n__END__\n# no'],
    ['a variable with a quote for a name', `x = $' # yes '\n`, `x = $'`],
  ])('loses %s', (_, ruby, code) => {
    expect(withoutComments(ruby)).toBe(code)
  })

  it.each([
    ['a slash behind a name', 'split /#/\n'],
    ['a sign behind a name', 'x %w(#)\n'],
    ['a heredoc or a shift', 'x <<EOT\n# no\nEOT\n'],
    ['a heredoc that does not end', 'x = <<~EOT\n# no\n'],
    ['a string that does not end', 'x = "# no\n'],
    ['a block of comments', '=begin\n"\n=end\n'],
    ['a command', 'x = `ls # no`\n'],
    ['a character', "x = ?'\n# '\n"],
    ['strings in strings in strings', '"#{'.repeat(30)],
  ])('is none for %s', (_, ruby) => {
    expect(withoutComments(ruby)).toBeUndefined()
  })

  const lacking = without('real Puppet 7.23', "Debian's modules")

  it.skipIf(lacking)(
    `is what Ruby's own lexer says, for all of Debian's modules${lacking}`,
    () => {
      const oracle = resolve(import.meta.dirname, '../../oracle/comments.rb')
      const { stdout } = execaSync('ruby', [oracle, debianModules], { maxBuffer: 1e9 })
      const lines = stdout.split('\n').map((line) => JSON.parse(line) as readonly [path: string, code: string])
      let unclear = 0
      for (const [path, code] of lines) {
        const ours = withoutComments(readFileSync(join(debianModules, path), 'utf8'))
        if (ours === undefined) unclear++
        else expect(ours, path).toBe(code)
      }
      expect(lines.length).toBeGreaterThan(2000)
      expect(unclear).toBeLessThan(lines.length / 40)
    },
    60_000,
  )
})
