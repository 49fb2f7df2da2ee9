import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import type { Client } from 'ldapts'
import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { toPrintable } from '../../../base/text/printable.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { LdapEntry } from './ldap-entry.ts'
import { parseLdapNames } from './ldap-entry.ts'
import { ldapIssues } from './ldap-issues.ts'

/** Settings of the LDAP connection and search. */
export type LdapSettings = Pick<
  Settings,
  | 'ldapserver'
  | 'ldapport'
  | 'ldapssl'
  | 'ldaptls'
  | 'ldap_ca_file'
  | 'ldapbase'
  | 'ldapstring'
  | 'ldapattrs'
  | 'ldapclassattrs'
  | 'ldapparentattr'
  | 'ldapstackedattrs'
  | 'ldapuser'
  | 'ldappassword'
  | 'ldap_password_file'
>

/** An open LDAP connection. */
export interface LdapDirectory {
  /** Returns the first entry that the filter matches for a name. Throws LDAP_FAILED. */
  entryOf(name: string): Promise<LdapEntry | undefined>
  close(): Promise<void>
}

/** Loads the LDAP library at the first use. */
const loadLibrary = () => createRequire(import.meta.url)('ldapts') as typeof import('ldapts')

/** Connects and binds. Throws LDAP_FAILED, LDAP_PASSWORD_OPEN. */
export async function openLdapDirectory(
  settings: LdapSettings,
  files: Pick<Files, 'read' | 'stat'>,
): Promise<LdapDirectory> {
  const { ldapserver, ldapport, ldapssl, ldaptls, ldapuser } = settings
  const { time } = budgets.ldap
  const password = ldapuser === '' ? '' : await readPassword(settings, files)
  const ca = settings.ldap_ca_file === '' ? undefined : await files.read(settings.ldap_ca_file)
  // The certificate is checked against `host`. SNI allows names but no IP addresses. RFC 6066, 3.
  const name = isIP(ldapserver) === 0 ? { servername: ldapserver } : {}
  const tlsOptions = { host: ldapserver, ...name, ...(ca && { ca }) }
  const { Client } = loadLibrary()
  const client = new Client({
    url: `${ldapssl ? 'ldaps' : 'ldap'}://${ldapserver}:${ldapport}`,
    timeout: time.bound,
    connectTimeout: time.bound,
    ...(ldapssl && { tlsOptions }),
  })
  await runOperation(client, async () => {
    if (ldaptls) await client.startTLS(tlsOptions)
    if (ldapuser !== '') await client.bind(ldapuser, password)
  })
  return {
    entryOf: (name) => runOperation(client, () => searchEntry(client, name, settings)),
    close: () => client.unbind().catch(() => {}),
  }
}

async function searchEntry(client: Client, name: string, settings: LdapSettings): Promise<LdapEntry | undefined> {
  const { Filter } = loadLibrary()
  // The replacement is a function, because `$&` in a replacement string would be interpreted.
  const filter = settings.ldapstring.replaceAll('%s', () => Filter.escape(name))
  const { searchEntries } = await client.search(settings.ldapbase, {
    scope: 'sub',
    filter,
    attributes: listAttributes(settings),
    sizeLimit: 0,
    timeLimit: Math.ceil(budgets.ldap.time.bound / 1000),
  })
  const [first] = searchEntries.slice(0, 1)
  return first && new Map(Object.entries(first).map(([key, value]) => [key, toTexts(value)]))
}

/** Attributes to request; an empty list means all. */
function listAttributes(settings: LdapSettings): string[] {
  const wanted = parseLdapNames(settings.ldapattrs)
  if (wanted.includes('all')) return []
  const { ldapclassattrs, ldapparentattr, ldapstackedattrs } = settings
  const needed = [ldapclassattrs, ldapparentattr, ldapstackedattrs].flatMap(parseLdapNames)
  return [...new Set([...wanted, ...needed, 'environment'])]
}

function toTexts(value: Buffer | Buffer[] | string | string[]): string[] {
  const values: readonly (Buffer | string)[] = Array.isArray(value) ? value : [value]
  return values.map((each) => (typeof each === 'string' ? each : each.toString('utf8')))
}

async function readPassword(
  { ldappassword, ldap_password_file: path }: LdapSettings,
  files: Pick<Files, 'read' | 'stat'>,
): Promise<string> {
  if (path === '') return ldappassword
  const mode = (await files.stat(path))?.mode ?? 0
  if (mode & 0o077) throwIssue(ldapIssues.LDAP_PASSWORD_OPEN, { path })
  const text =
    (await files.read(path)) ?? throwIssue(ldapIssues.LDAP_FAILED, { why: `The file ${path} does not exist` })
  return text.toString('utf8').replace(/\r?\n$/, '')
}

/** Runs an operation; an error closes the connection. Messages of the server are made printable. */
async function runOperation<Value>(client: Client, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    await client.unbind().catch(() => {})
    return throwIssue(ldapIssues.LDAP_FAILED, { why: toPrintable((error as Error).message).slice(0, 500) })
  }
}
