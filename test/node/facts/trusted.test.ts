import { describe, expect, it } from 'vitest'
import { buildTrustedFacts } from '../../../src/node/facts/trusted.ts'

describe('trusted facts', () => {
  it.each([
    ['remote', 'web.example.com', 'web.example.com', 'web', 'example.com'],
    ['local', 'web', 'web', 'web', null],
    [false, 'web.example.com', null, null, null],
    ['remote', undefined, null, null, null],
  ] as const)('of %s %s', (authenticated, given, certname, hostname, domain) => {
    const extensions = { pp_role: 'web' }
    expect(buildTrustedFacts({ authenticated, certname: given, extensions }, { a: 1 })).toEqual({
      authenticated,
      certname,
      hostname,
      domain,
      extensions: authenticated === false ? {} : extensions,
      external: { a: 1 },
    })
  })
})
