import { expect, it } from 'vitest'
import { compile } from '../../src/compiler/compile.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'

const settings = { certname: 'server.example.com', storeconfigs: false, runinterval: 1800 }

function noticed(code: string): string[] {
  const tree = treeOf({}, '/code/production')
  const parts = {
    name: 'production',
    tree,
    modulepath: [],
    manifest: { text: code },
    version: 1,
    globalHiera: undefined,
  }
  return compile(plainRequest(parts, { settings })).logs.map(({ message }) => message)
}

it.each([
  ['notice($settings::certname)', 'server.example.com'],
  ['notice($settings::all_local)', '{certname => server.example.com, storeconfigs => false, runinterval => 1800}'],
  ["notice($settings::all_local['runinterval'] + 1)", '1801'],
  ["notice(inline_template('<%= scope[%q(settings::all_local)][%q(certname)] %>'))", 'server.example.com'],
  ["notice(inline_template('<%= Puppet[:all_local].inspect %>'))", 'nil'],
])('%s', (code, expected) => {
  expect(noticed(code)).toEqual([expected])
})

it.each(['nosuch', 'constructor', 'to_string'])('knows no setting %s', (name) => {
  expect(() => noticed(`notice($settings::${name})`)).toThrow(`Unknown variable: 'settings::${name}'.`)
})
