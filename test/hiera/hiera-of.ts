import { createHiera, type HieraCode } from '../../src/hiera/hiera.ts'
import type { Host } from '../../src/language/host.ts'
import { Hash } from '../../src/language/values/hash.ts'
import { toLiteral } from '../../src/language/values/print.ts'
import { hostOf, type TestHost, worthOf } from '../support/host.ts'
import { treeOf } from '../support/map-tree.ts'

/** The facts that real Puppet was asked with. */
const facts = Hash.from({ os: Hash.from({ family: 'Debian', name: 'Debian' }), many: ['a', 'b'] })

/** A host whose data is in files given as a map, with Hiera over them. */
export function hieraHost(files: Readonly<Record<string, string>>, more: Partial<HieraCode> = {}): TestHost {
  const tree = treeOf(files)
  const code = { name: 'production', tree, modulepath: [{ tree, path: 'modules' }], globalHiera: undefined, ...more }
  const host = hostOf({ variables: { facts, os: facts.get('os'), environment: 'production' } })
  const whole: Host = host
  const hiera = createHiera(code, whole)
  return Object.assign(host, { lookup: hiera.lookup })
}

/** What an expression is worth there, or `! ` and the error, as the case files say it. */
export function said(code: string, host: TestHost): string {
  try {
    return toLiteral(worthOf(code, host))
  } catch (error) {
    return `! ${(error as Error).message}`
  }
}
