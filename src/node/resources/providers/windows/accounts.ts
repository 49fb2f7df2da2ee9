import { failWithMessage } from '../../issues.ts'
import type { ProviderServices } from '../../provider.ts'

/** A local user. */
export interface LocalUser {
  readonly comment: string
  readonly home: string
  /** Names of groups. */
  readonly groups: readonly string[]
  /** The SID; undefined without PowerShell. */
  readonly uid?: string | undefined
}

/** A local group. */
export interface LocalGroup {
  /** Names of users and groups. */
  readonly members: readonly string[]
  /** The SID; undefined without PowerShell. */
  readonly gid?: string | undefined
}

/** An account of this machine or of a domain. Accounts with the same key are the same account. */
export interface Account {
  /** The SID; without PowerShell, the name in lower case. */
  readonly key: string
  /** The name for messages, such as `VM\\ann`. */
  readonly name: string
}

/** Changes of the members of a group. */
export interface MemberChange {
  readonly add: readonly Account[]
  readonly remove: readonly Account[]
}

/** Users and groups of this machine, and their memberships. */
export interface Accounts {
  /** Reads a user; undefined if it does not exist. */
  readUser(name: string): Promise<LocalUser | undefined>
  /** Reads a group; undefined if it does not exist. */
  readGroup(name: string): Promise<LocalGroup | undefined>
  listUsers(): Promise<readonly string[]>
  listGroups(): Promise<readonly string[]>
  /** Finds an account by a name in any notation, or by its SID. Throws Puppet's error if there is none. */
  resolve(name: string): Promise<Account>
  /** Changes the members of a group. Throws an error that contains `action`. */
  changeMembers(action: string, group: Account, change: MemberChange): Promise<void>
  /** Creates a user without groups. Throws an error that contains `action`. */
  createUser(action: string, name: string, password: string | undefined): Promise<void>
  /** The name of an account for messages; the given name if the account is not known. */
  format(name: string): string
  /** Forgets a user or a group that was created or removed. */
  forget(kind: 'user' | 'group', name: string): void
}

/** The difference between two lists of accounts. */
export interface AccountDifference {
  /** Desired accounts that are not in the present list. */
  readonly missing: readonly Account[]
  /** Present accounts that are not desired. */
  readonly extra: readonly Account[]
}

/** Compares the names of present accounts with those of desired ones. Throws Puppet's error for an unknown desired account. */
export async function compareAccounts(
  accounts: Accounts,
  present: readonly string[],
  desired: readonly string[],
): Promise<AccountDifference> {
  const resolveAll = async (names: readonly string[]) => {
    const found = new Map<string, Account>()
    for (const name of names) {
      const account = await accounts.resolve(name)
      found.set(account.key, account)
    }
    return found
  }
  const there = await resolveAll(present)
  const wanted = await resolveAll(desired)
  return {
    missing: [...wanted.values()].filter(({ key }) => !there.has(key)),
    extra: [...there.values()].filter(({ key }) => !wanted.has(key)),
  }
}

/** Characters that names of accounts cannot have. `net.exe` would read a name with `/` as an option. */
const forbidden = /[/"[\]:;|=,+*?<>\0-\x1F]/

/** The name of a local account without this machine's name. Throws an error for a domain's account and for an invalid name. */
export function toLocalName(name: string, kind: 'user' | 'group', facts: ProviderServices['facts']): string {
  if (name.includes('/')) failWithMessage(`Value must be in DOMAIN\\${kind} style syntax`)
  const local = stripDomain(name, facts)
  if (local.includes('\\'))
    failWithMessage(`Puppet is not able to create/delete domain ${kind} objects with the ${kind} resource.`)
  if (local.trim() === '' || forbidden.test(local)) failWithMessage(`Could not resolve name: ${name}`)
  return local
}

/** A name without the name of this machine, `.`, or the domain of Windows' own groups. */
export function stripDomain(name: string, facts: ProviderServices['facts']): string {
  const [, domain = '', rest = ''] = /^([^\\]*)\\(.*)$/s.exec(name) ?? []
  const isLocal = ['.', 'builtin', String(facts['hostname'] ?? '').toLowerCase()].includes(domain.toLowerCase())
  return domain !== '' && isLocal ? rest : name
}

/** True for text such as `S-1-5-32-544`. */
export const isSid = (name: string): boolean => /^S-1-[\d-]+$/i.test(name)
