import { createHash } from 'node:crypto'
import type { Callable } from '../values/callable.ts'
import { bool2httpd } from './apache.ts'
import { inet6Prefix, isServiceDefault, normalizeIpForUri, osTransportUrl } from './openstacklib.ts'
import { legacyMysqlPassword, mysqlPassword, postgresqlPassword } from './passwords.ts'
import { readProven } from './proven.ts'
import { stdlibFunctions } from './stdlib/table.ts'
import { translate } from './translate.ts'

/** The small functions of other modules that most classes call. */
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

/** All functions of modules that need no Ruby, by their names; see `stdlibFunctions`. */
export const moduleFunctions: ReadonlyMap<string, Callable> = new Map([
  ...stdlibFunctions,
  ...others.map((each) => [each.name, each] as const),
])

/** The functions by the files that they equal; read when a module's Ruby is first called. */
let byDigest: ReadonlyMap<string, Callable> | undefined

function functionsByDigest(): ReadonlyMap<string, Callable> {
  return new Map(
    Object.entries(readProven()).flatMap(([name, digests]) =>
      digests.map((digest) => [digest, moduleFunctions.get(name)!]),
    ),
  )
}

/** The function that does what a Ruby file does; none where that is not proven of the very file. */
export function provenFunction(name: string, ruby: string | Uint8Array): Callable | undefined {
  byDigest ??= functionsByDigest()
  const known = byDigest.get(createHash('sha256').update(ruby).digest('hex'))
  return known?.name === name ? known : undefined
}
