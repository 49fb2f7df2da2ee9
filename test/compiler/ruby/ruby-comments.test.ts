import { describe, expect, it } from 'vitest'
import { stripRubyComments } from '../../../src/compiler/ruby/ruby-comments.ts'

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
    expect(stripRubyComments(ruby)).toBe(code)
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
    expect(stripRubyComments(ruby)).toBeUndefined()
  })
})
