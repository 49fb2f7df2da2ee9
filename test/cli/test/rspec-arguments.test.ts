import { describe, expect, it } from 'vitest'
import { toRspecArguments } from '../../../src/cli/test/rspec-arguments.ts'

describe('arguments of RSpec', () => {
  const exists = (path: string) => path === 'spec/classes' || path === 'spec/unit'

  it.each([
    ['no words', [], {}, ['spec/classes', 'spec/unit']],
    ['paths', ['spec/x_spec.rb:3'], {}, ['spec/x_spec.rb:3']],
    ['a pattern', [], { pattern: 'spec/**/a_spec.rb' }, ['--pattern', 'spec/**/a_spec.rb']],
    [
      'filters',
      ['x'],
      { example: ['a', 'b'], tag: ['~slow'], failFast: true, seed: '7' },
      ['--example', 'a', '--example', 'b', '--tag', '~slow', '--fail-fast', '--seed', '7', 'x'],
    ],
    [
      'two formats and a file',
      ['x'],
      { format: ['progress', 'json'], out: ['r.json'] },
      ['--format', 'progress', '--format', 'json', '--out', 'r.json', 'x'],
    ],
    [
      'JUnit',
      ['x'],
      { format: ['junit'] },
      ['--require', 'plumb_spec/junit_formatter', '--format', 'PlumbSpec::JunitFormatter', 'x'],
    ],
  ])('for %s', (_, paths, options, expected) => {
    expect(toRspecArguments(paths, options, exists)).toEqual(expected)
  })

  it('a file without a format is rejected', () => {
    expect(() => toRspecArguments([], { format: ['json'], out: ['a', 'b'] }, exists)).toThrow(
      '--out b needs a --format',
    )
  })
})
