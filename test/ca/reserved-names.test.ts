import { expect, it } from 'vitest'
import { excludeOwnName } from '../../src/ca/autosign.ts'
import { isReservedName } from '../../src/ca/reserved-names.ts'
import { createDistinguishedName } from '../../src/ca/x509/distinguished-name.ts'

it.each([
  ['ca', true],
  ['CA', true],
  ['site authority', true],
  ['Site Authority', true],
  ['ca.example.com', false],
  ['ca1', false],
])('the name %s is reserved: %s', (name, expected) => {
  expect(isReservedName(name, { subject: createDistinguishedName('Site Authority') })).toBe(expected)
})

it('signs no request for the name of the server without a person', async () => {
  const autosign = excludeOwnName(async () => true, 'code.example.com')
  expect([await autosign('code.example.com', ''), await autosign('web1.example.com', '')]).toEqual([false, true])
})
