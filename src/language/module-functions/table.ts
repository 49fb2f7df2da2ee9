import { createHash } from 'node:crypto'
import type { Callable } from '../values/callable.ts'
import { bool2httpd } from './apache.ts'
import { readProvenDigests } from './native-function-digests.ts'
import { inet6Prefix, isServiceDefault, normalizeIpForUri, osTransportUrl } from './openstacklib.ts'
import { legacyMysqlPassword, mysqlPassword, postgresqlPassword } from './passwords.ts'
import { stdlibFunctions } from './stdlib/table.ts'
import { translate } from './translate.ts'

/** Functions of other modules that many classes call. */
const others: readonly Callable[] = [
  bool2httpd,
  inet6Prefix,
  isServiceDefault,
  legacyMysqlPassword,
  mysqlPassword,
  normalizeIpForUri,
  osTransportUrl,
  postgresqlPassword,
  translate,
]

/** All native functions of modules by name; see `stdlibFunctions`. */
export const moduleFunctions: ReadonlyMap<string, Callable> = new Map([
  ...stdlibFunctions,
  ...others.map((each) => [each.name, each] as const),
])

/**
 * Native functions by the digest of the Ruby file that each replaces; created at the first call of a module's Ruby
 * function.
 */
let byDigest: ReadonlyMap<string, Callable> | undefined

function indexByDigest(): ReadonlyMap<string, Callable> {
  return new Map(
    Object.entries(readProvenDigests()).flatMap(([name, digests]) =>
      digests.map((digest) => [digest, moduleFunctions.get(name)!]),
    ),
  )
}

/** Finds the native function for a Ruby file; `undefined` unless the function was proven equal to exactly that file. */
export function findProvenFunction(name: string, ruby: string | Uint8Array): Callable | undefined {
  byDigest ??= indexByDigest()
  const known = byDigest.get(createHash('sha256').update(ruby).digest('hex'))
  return known?.name === name ? known : undefined
}
