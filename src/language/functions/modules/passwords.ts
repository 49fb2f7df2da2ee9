import { createHash } from 'node:crypto'
import { refuse } from '../../values/argument-error.ts'
import { Hash } from '../../values/hash.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { defineFunction } from '../define-function.ts'
import { defineLegacyFunction } from '../legacy-function.ts'
import { rubyText } from '../ruby-text.ts'
import { noMethod, noText } from '../stdlib/ruby.ts'

export const mysqlPassword = defineFunction('mysql::password', 'A password as MySQL keeps it.', {
  'String $password >> String': hashed,
})

export const legacyMysqlPassword = defineLegacyFunction(
  'mysql_password',
  'A password as MySQL keeps it.',
  -1,
  (args) => {
    if (args.length !== 1) return refuse(`mysql_password(): Wrong number of arguments given (${args.length} for 1)`)
    const [password] = args
    if (typeof password === 'string') return hashed(password)
    const isEmpty = Array.isArray(password) ? password.length === 0 : password instanceof Hash && password.size === 0
    if (isEmpty) return ''
    if (Array.isArray(password) || password instanceof Hash || password === DEFAULT) return noText(password)
    return noMethod('empty?', password)
  },
)

/** What is one already stays. */
function hashed(password: string): string {
  if (password === '' || /\*[A-F0-9]{40}$/m.test(password)) return password
  const once = createHash('sha1').update(password).digest()
  return `*${createHash('sha1').update(once).digest('hex').toUpperCase()}`
}

export const postgresqlPassword = defineFunction(
  'postgresql::postgresql_password',
  'A password as PostgreSQL keeps it.',
  {
    'Variant[String[1], Integer] $username, Variant[String[1], Integer] $password': (name: Value, password: Value) =>
      `md5${createHash('md5')
        .update(rubyText(password) + rubyText(name))
        .digest('hex')}`,
  },
)
