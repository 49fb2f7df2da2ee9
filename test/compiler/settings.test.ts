import { expect, it } from 'vitest'
import { noticed } from '../ruby/compiling.ts'

const settings = { certname: 'server.example.com', storeconfigs: false, runinterval: 1800 }

const noticedWith = (code: string): string[] => noticed({}, code, 'production', 0, { settings })

it.each([
  ['notice($settings::certname)', 'server.example.com'],
  ['notice($settings::all_local)', '{certname => server.example.com, storeconfigs => false, runinterval => 1800}'],
  ["notice($settings::all_local['runinterval'] + 1)", '1801'],
  ["notice(inline_template('<%= scope[%q(settings::all_local)][%q(certname)] %>'))", 'server.example.com'],
  ["notice(inline_template('<%= Puppet[:all_local].inspect %>'))", 'nil'],
])('%s', (code, expected) => {
  expect(noticedWith(code)).toEqual([expected])
})

it.each(['nosuch', 'constructor', 'to_string'])('knows no setting %s', (name) => {
  expect(() => noticedWith(`notice($settings::${name})`)).toThrow(`Unknown variable: 'settings::${name}'.`)
})
