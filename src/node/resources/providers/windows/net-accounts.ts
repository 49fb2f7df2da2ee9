import type { System } from '../../../../machine/system/system.ts'
import { failWithMessage } from '../../issues.ts'
import type { ProviderServices } from '../../provider.ts'
import {
  type Account,
  type Accounts,
  isSid,
  type LocalGroup,
  type LocalUser,
  type MemberChange,
  stripDomain,
  toLocalName,
} from './accounts.ts'
import { changeByNet, runNet } from './net-program.ts'

/** Users and groups of a Windows without PowerShell, from `net.exe`: accounts are compared by name, and SIDs are unknown. */
export class NetAccounts implements Accounts {
  readonly #system: System
  readonly #facts: ProviderServices['facts']
  /** Members of all groups, until a change. */
  #members: ReadonlyMap<string, readonly string[]> | undefined

  constructor(system: System, facts: ProviderServices['facts']) {
    this.#system = system
    this.#facts = facts
  }

  async readUser(name: string): Promise<LocalUser | undefined> {
    const { status, stdout } = await runNet(this.#system, ['user', name])
    if (status !== 0) return undefined
    // `net user` cuts the names of groups after 20 characters.
    const all = [...(await this.#readMembers())]
    const isMember = (member: string) => this.#toKey(member) === name.toLowerCase()
    const groups = all.filter(([, members]) => members.some(isMember)).map(([group]) => group)
    return { ...parseNetUser(stdout, name), groups }
  }

  async readGroup(name: string): Promise<LocalGroup | undefined> {
    const { status, stdout } = await runNet(this.#system, ['localgroup', name])
    return status === 0 ? { members: parseNetList(stdout) } : undefined
  }

  async #readMembers(): Promise<ReadonlyMap<string, readonly string[]>> {
    if (this.#members) return this.#members
    const found = new Map<string, readonly string[]>()
    for (const group of await this.listGroups()) found.set(group, (await this.readGroup(group))?.members ?? [])
    this.#members = found
    return found
  }

  async listGroups(): Promise<readonly string[]> {
    const { status, stdout, output } = await runNet(this.#system, ['localgroup'])
    if (status !== 0) failWithMessage(`Could not list groups: ${output.trim()}`)
    return parseNetList(stdout).map((line) => line.replace(/^\*/, ''))
  }

  async listUsers(): Promise<readonly string[]> {
    const { status, stdout, output } = await runNet(this.#system, ['user'])
    if (status !== 0) failWithMessage(`Could not list users: ${output.trim()}`)
    return parseNetList(stdout).flatMap((line) => {
      const starts = Array.from({ length: Math.ceil(line.length / userColumn) }, (_, at) => at * userColumn)
      return starts.map((start) => line.slice(start, start + userColumn).trim()).filter((name) => name !== '')
    })
  }

  async resolve(name: string): Promise<Account> {
    if (/[/"]/.test(name) || isSid(name)) failWithMessage(`Could not resolve name: ${name}`)
    return { key: this.#toKey(name), name }
  }

  async changeMembers(action: string, group: Account, { add, remove }: MemberChange): Promise<void> {
    this.#members = undefined
    const local = toLocalName(group.name, 'group', this.#facts)
    for (const [accounts, option] of [
      [add, '/add'],
      [remove, '/delete'],
    ] as const)
      for (const { name } of accounts)
        await changeByNet(this.#system, action, ['localgroup', local, stripDomain(name, this.#facts), option])
  }

  async createUser(action: string, name: string, password: string | undefined): Promise<void> {
    if (password !== undefined) failWithMessage(`Could not ${action}: only PowerShell can set a password`)
    await changeByNet(this.#system, action, ['user', name, '/add'])
  }

  format(name: string): string {
    const host = String(this.#facts['hostname'] ?? '').toUpperCase()
    const local = stripDomain(name, this.#facts)
    return host === '' || local.includes('\\') || isSid(local) ? name : `${host}\\${local}`
  }

  forget(): void {
    this.#members = undefined
  }

  #toKey(name: string): string {
    return stripDomain(name, this.#facts).toLowerCase()
  }
}

/** Width of the columns of `net user`; names of users have at most 20 characters. */
const userColumn = 25

/** Numbers of the lines of `net user NAME`. Windows translates the labels, but not their order. */
const userLines = { comment: 2, home: 15 }

/** Parses the output of `net user NAME`. Labels have one width, which differs between languages. */
export function parseNetUser(output: string, name: string): Pick<LocalUser, 'comment' | 'home'> {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '')
  const width = (lines[0] ?? '').toLowerCase().lastIndexOf(name.toLowerCase())
  const read = (line = '') => line.slice(width).trim()
  return { comment: read(lines[userLines.comment]), home: read(lines[userLines.home]) }
}

/** The lines between the rule of hyphens and the last line, which reports success in the language of Windows. */
function parseNetList(output: string): readonly string[] {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '')
  const rule = lines.findIndex((line) => /^-{20,}$/.test(line.trim()))
  return rule < 0 ? [] : lines.slice(rule + 1, -1).map((line) => line.trimEnd())
}
