import { describe, expect, it } from 'vitest'
import { takeSettings } from '../../src/cli/arguments.ts'

describe('takeSettings', () => {
  it.each([
    ['--confdir /c --test', ['--test'], { confdir: '/c' }],
    ['--confdir=/c x', ['x'], { confdir: '/c' }],
    ['--noop --no-report x', ['x'], { noop: 'true', report: 'false' }],
    ['--noop false --splay true', [], { noop: 'false', splay: 'true' }],
    ['--strict=warning --strict_variables=false', [], { strict: 'warning', strict_variables: 'false' }],
    ['--own value --unknown', ['--own', 'value', '--unknown'], {}],
    ['--no-certname x', ['--no-certname', 'x'], {}],
    ['a -- --noop', ['a', '--', '--noop'], {}],
    ['--manifest f', ['--manifest', 'f'], {}],
  ])('%s', (line, words, settings) => {
    expect(takeSettings(line.split(' '), new Set(['own', 'manifest']))).toEqual({ words, settings })
  })

  it('wants a value for a setting that is no flag', () => {
    expect(() => takeSettings(['x', '--certname'], new Set())).toThrow('missing argument: --certname')
  })
})
