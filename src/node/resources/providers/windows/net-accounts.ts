import type { CommandResult, System } from '../../../../machine/system/system.ts'
import { accessTimeMs, formatTimeLimit } from '../../../../machine/windows/limited-program.ts'
import { getSystemProgram } from '../../../../machine/windows/system-programs.ts'
import { failWithMessage } from '../../issues.ts'
import { type ProviderServices, runProviderProgram } from '../../provider.ts'
import { runPowerShell } from './power-shell.ts'

/** A user, from `net user`. */
export interface NetUser {
  readonly comment: string
  readonly home: string
  /** Names of local groups. */
  readonly groups: readonly string[]
}

/** Characters that names of accounts cannot have. `net.exe` would read a name with `/` as an option. */
const forbidden = /[/"[\]:;|=,+*?<>\0-\x1F]/

/** Runs `net.exe`, without questions. Throws an error if it does not end in time. */
export async function runNet(system: System, words: readonly string[]): Promise<CommandResult> {
  const program = getSystemProgram('net.exe')
  const result = await runProviderProgram(system, [program, ...words], { timeout: accessTimeMs / 1000 })
  return result.timedOut ? failWithMessage(`Could not read or change accounts: ${formatTimeLimit(program)}`) : result
}

/** Runs `net.exe` for a change. Throws an error with its first line of output. */
export async function changeByNet(system: System, action: string, words: readonly string[]): Promise<void> {
  const { status, output } = await runNet(system, words)
  if (status === 0) return
  failWithMessage(`Could not ${action}: ${output.split(/\r?\n/).find((line) => line.trim() !== '') ?? status}`)
}

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
function stripDomain(name: string, facts: ProviderServices['facts']): string {
  const [, domain = '', rest = ''] = /^([^\\]*)\\(.*)$/s.exec(name) ?? []
  const isLocal = ['.', 'builtin', String(facts['hostname'] ?? '').toLowerCase()].includes(domain.toLowerCase())
  return domain !== '' && isLocal ? rest : name
}

/** Reads a user; undefined if it does not exist. */
export async function readNetUser(system: System, name: string): Promise<NetUser | undefined> {
  const { status, stdout } = await runNet(system, ['user', name])
  return status === 0 ? parseNetUser(stdout, name) : undefined
}

/** Numbers of the lines of `net user NAME`. Windows translates the labels, but not their order. */
const userLines = { comment: 2, home: 15, localGroups: 18 }

/** Parses the output of `net user NAME`. Labels have one width, which differs between languages. */
export function parseNetUser(output: string, name: string): NetUser {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '')
  const width = (lines[0] ?? '').toLowerCase().lastIndexOf(name.toLowerCase())
  const read = (line = '') => line.slice(width).trim()
  const rest = lines.slice(userLines.localGroups + 1)
  const end = rest.findIndex((line) => !/^\s/.test(line))
  const groupLines = [lines[userLines.localGroups] ?? '', ...rest.slice(0, end)]
  const groups = groupLines.flatMap((line) => line.slice(width).split('*').slice(1))
  return {
    comment: read(lines[userLines.comment]),
    home: read(lines[userLines.home]),
    groups: groups.map((group) => group.trim()),
  }
}

/** Reads the members of a local group; undefined if the group does not exist. */
export async function readNetGroup(system: System, name: string): Promise<readonly string[] | undefined> {
  const { status, stdout } = await runNet(system, ['localgroup', name])
  return status === 0 ? parseNetList(stdout) : undefined
}

/** The names of all local groups. */
export async function listNetGroups(system: System): Promise<readonly string[]> {
  const { status, stdout, output } = await runNet(system, ['localgroup'])
  if (status !== 0) failWithMessage(`Could not list groups: ${output.trim()}`)
  return parseNetList(stdout).map((line) => line.replace(/^\*/, ''))
}

/** Width of the columns of `net user`; names of users have at most 20 characters. */
const userColumn = 25

/** The names of all local users. */
export async function listNetUsers(system: System): Promise<readonly string[]> {
  const { status, stdout, output } = await runNet(system, ['user'])
  if (status !== 0) failWithMessage(`Could not list users: ${output.trim()}`)
  return parseNetList(stdout).flatMap((line) => {
    const starts = Array.from({ length: Math.ceil(line.length / userColumn) }, (_, at) => at * userColumn)
    return starts.map((start) => line.slice(start, start + userColumn).trim()).filter((name) => name !== '')
  })
}

/** The lines between the rule of hyphens and the last line, which reports success in the language of Windows. */
function parseNetList(output: string): readonly string[] {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '')
  const rule = lines.findIndex((line) => /^-{20,}$/.test(line.trim()))
  return rule < 0 ? [] : lines.slice(rule + 1, -1).map((line) => line.trimEnd())
}

/** The SIDs of all local users or groups by lower-case name; empty if Windows does not return them. */
export async function readAccountSids(system: System, kind: 'user' | 'group'): Promise<ReadonlyMap<string, string>> {
  const source = kind === 'user' ? 'Win32_UserAccount' : 'Win32_Group'
  const script = `Get-CimInstance ${source} -Filter "LocalAccount=True" | ForEach-Object { $_.SID + ' ' + $_.Name }`
  const lines = await runPowerShell(system, `read the SIDs of ${kind}s`, script).catch(() => [])
  const pairs = lines.flatMap((line) => {
    const [, sid, name] = /^(S-[\d-]+) (.+)$/.exec(line) ?? []
    return sid === undefined || name === undefined ? [] : [[name.toLowerCase(), sid] as const]
  })
  return new Map(pairs)
}

/** The difference between two lists of accounts. */
export interface AccountDifference {
  /** Desired accounts that are not in the present list. `net.exe` needs names, so that a SID is replaced by the name. */
  readonly missing: readonly string[]
  /** Present accounts that are not desired. */
  readonly extra: readonly string[]
}

/** Compares the present accounts with the desired ones. Names can have any notation. */
export async function compareAccounts(
  services: Pick<ProviderServices, 'system' | 'facts'>,
  present: readonly string[],
  desired: readonly string[],
): Promise<AccountDifference> {
  const toKey = await createAccountKeys(services, desired)
  const there = new Set(present.map(toKey))
  const wanted = new Map(desired.map((name) => [toKey(name), name]))
  const missing = [...wanted].filter(([key]) => !there.has(key))
  return {
    missing: missing.map(([key, name]) => (isSid(name) ? key : name)),
    extra: present.filter((name) => !wanted.has(toKey(name))),
  }
}

/** A function that compares names of accounts, in any notation: it returns a key. SIDs are looked up if there are any. */
async function createAccountKeys(
  { system, facts }: Pick<ProviderServices, 'system' | 'facts'>,
  names: readonly string[],
): Promise<(name: string) => string> {
  const sids = names.some((name) => isSid(name))
    ? [...(await readAccountSids(system, 'user')), ...(await readAccountSids(system, 'group'))]
    : []
  const bySid = new Map(sids.map(([name, sid]) => [sid, name]))
  return (name) => bySid.get(name.toUpperCase()) ?? stripDomain(name, facts).toLowerCase()
}

/** True for text such as `S-1-5-32-544`. */
export const isSid = (name: string): boolean => /^S-1-[\d-]+$/i.test(name)

/** Names for messages: accounts of this machine with its name, `HOST\bob`, as in Puppet. */
export function formatAccounts(names: unknown, facts: ProviderServices['facts']): string {
  const host = String(facts['hostname'] ?? '').toUpperCase()
  const list = Array.isArray(names) ? names.map(String) : []
  const full = list.map((name) => {
    const local = stripDomain(name, facts)
    return host === '' || local.includes('\\') || isSid(local) ? name : `${host}\\${local}`
  })
  return full.join(',')
}
