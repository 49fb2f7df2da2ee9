import { expect, it } from 'vitest'
import { Hash } from '../../../src/language/values/hash.ts'
import { hostOf, worthOf } from '../../support/host.ts'

/** By real Puppet 7.23, on a node of that name. */
it.each([
  ['test.example.com', 'fqdn_rand(30)', 28],
  ['test.example.com', "fqdn_rand(30, 'x')", 18],
  ['test.example.com', "fqdn_rand('1000000000', 'x')", 49779601],
  ['test.example.com', "fqdn_rand(100000000000000, 'x')", 3246946720096],
  ['Test.example.com', "fqdn_rand(30, 'x', true)", 18],
  ['test.example.com', 'fqdn_rand(30, 5)', 14],
  ['test.example.com', 'fqdn_rand(30, [1, 2])', 10],
  ['test.example.com', 'fqdn_rand(60, undef)', 36],
  ['test.example.com', 'fqdn_rand(1)', 0],
])('on %s, %s', (fqdn, code, number) => {
  const facts = Hash.from({ networking: Hash.from({ fqdn }) })
  expect(worthOf(code, hostOf({ variables: { facts } }))).toBe(number)
})
