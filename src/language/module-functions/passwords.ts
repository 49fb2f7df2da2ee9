import { createHash } from 'node:crypto'
import { encodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { defineFunction } from '../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../functions/definition/legacy-function.ts'
import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { formatAsString } from '../types/printing/ruby-text.ts'
import { Hash } from '../values/hash.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import { failNoMethod, failNotString } from './stdlib/ruby.ts'

/**
 * `mysql::password`: returns `*` and the SHA-1 of the SHA-1 in upper-case hex, the format of `mysql_native_password`.
 */
export const mysqlPassword = defineFunction('mysql::password', 'Returns the MySQL hash of a password.', {
  'String $password >> String': hashPassword,
})

/**
 * `mysql_password`: like `mysql::password`, but with the Puppet 3.x API, in which empty collections count as the empty
 * string.
 */
export const legacyMysqlPassword = defineLegacyFunction(
  'mysql_password',
  'Returns the MySQL hash of a password.',
  -1,
  (args) => {
    if (args.length !== 1)
      return throwArgumentError(`mysql_password(): Wrong number of arguments given (${args.length} for 1)`)
    const [password] = args
    if (typeof password === 'string') return hashPassword(password)
    const isEmpty = Array.isArray(password) ? password.length === 0 : password instanceof Hash && password.size === 0
    if (isEmpty) return ''
    if (Array.isArray(password) || password instanceof Hash || password === DEFAULT) return failNotString(password)
    return failNoMethod('empty?', password)
  },
)

/** MySQL's hash of a password. Returns a value that is already a hash, and the empty string, unchanged. */
function hashPassword(password: string): string {
  if (password === '' || /\*[A-F0-9]{40}$/m.test(password)) return password
  const once = createHash('sha1').update(encodeLosslessUtf8(password)).digest()
  return `*${createHash('sha1').update(once).digest('hex').toUpperCase()}`
}

/** `postgresql::postgresql_password`: returns `md5` and the MD5 of password and user name in hex. */
export const postgresqlPassword = defineFunction(
  'postgresql::postgresql_password',
  'Returns the PostgreSQL hash of a password.',
  {
    'Variant[String[1], Integer] $username, Variant[String[1], Integer] $password': (name: Value, password: Value) =>
      `md5${createHash('md5')
        .update(encodeLosslessUtf8(formatAsString(password) + formatAsString(name)))
        .digest('hex')}`,
  },
)
