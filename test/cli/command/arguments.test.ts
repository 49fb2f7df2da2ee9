import { describe, expect, it } from 'vitest'
import { extractSettings } from '../../../src/cli/command/arguments.ts'

describe('takeSettings', () => {
  it.each([
    ['--confdir /c --test', ['--test'], { confdir: '/c' }],
    ['--confdir=/c x', ['x'], { confdir: '/c' }],
    ['--noop --no-report x', ['x'], { noop: 'true', report: 'false' }],
    ['--noop false --splay true', ['false', 'true'], { noop: 'true', splay: 'true' }],
    ['--strict=warning --no-strict_variables', [], { strict: 'warning', strict_variables: 'false' }],
    ['--noo --no-daem x', ['x'], { noop: 'true', daemonize: 'false' }],
    ['--manif f --no-ow --runint=1h', ['--manifest', 'f', '--no-own'], { runinterval: '1h' }],
    ['--version --hel', ['--version', '--help'], {}],
    ['--store x --environment y', [], { store: 'x', environment: 'y' }],
    ['--own value --unknown', ['--own', 'value', '--unknown'], {}],
    ['--no-certname x', ['--no-certname', 'x'], {}],
    ['a -- --noop', ['a', '--', '--noop'], {}],
    ['--manifest f', ['--manifest', 'f'], {}],
  ])('%s', (line, words, settings) => {
    expect(extractSettings(line.split(' '), new Set(['own', 'manifest']))).toEqual({ words, settings })
  })

  it.each([
    ['--no', 'ambiguous option: --no'],
    ['--environ x', 'ambiguous option: --environ'],
    ['--noop=false', 'needless argument: --noop=false'],
    ['--no-noop=yes', 'needless argument: --no-noop=yes'],
    ['--noo=1', 'needless argument: --noo=1'],
  ])('rejects %s as Puppet does', (line, message) => {
    expect(() => extractSettings(line.split(' '), new Set(['own']))).toThrow(message)
  })

  it('wants a value for a setting that is no flag', () => {
    expect(() => extractSettings(['x', '--certname'], new Set())).toThrow('missing argument: --certname')
  })
})
