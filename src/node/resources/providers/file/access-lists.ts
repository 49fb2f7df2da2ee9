import { defineIssues, throwIssue } from '../../../../base/issue.ts'
import type { FileStat, System } from '../../../../machine/system/system.ts'
import { type AccessEntry, formatAccessList, type SecurityDescriptor } from '../../../../machine/windows/file-mode.ts'
import { accessTimeMs, formatTimeLimit } from '../../../../machine/windows/limited-program.ts'
import { toBackslashes } from '../../../../machine/windows/machine-path.ts'
import { getSystemProgram } from '../../../../machine/windows/system-programs.ts'
import type { CatalogView } from '../../provider.ts'
import { askPowerShell, buildRequestScript, type ScriptMessage, toResponseList } from '../windows/power-shell.ts'
import type { FileWork } from './file-state.ts'

const issues = defineIssues({
  ACCESS_LIST_UNREADABLE: {
    text: (a: { path: string; why: string }) => `Could not read owner, group and access list of ${a.path}: ${a.why}`,
    hint: () => 'Remove owner, group and mode from the resource to leave them unmanaged.',
  },
})

/** Reads the security descriptor of a path, changes one, or finds the identifier of an account. */
const script = buildRequestScript(`
    if ($request.account) {
      if ($request.account -match '^S-1-[-0-9]+$') { $sid = New-Object Security.Principal.SecurityIdentifier($request.account) }
      else { $sid = (New-Object Security.Principal.NTAccount($request.account)).Translate([Security.Principal.SecurityIdentifier]) }
      $answer.sid = $sid.Value
      try { $answer.name = $sid.Translate([Security.Principal.NTAccount]).Value } catch { }
    } else {
      if ([IO.Directory]::Exists($request.path)) { $item = New-Object IO.DirectoryInfo($request.path) }
      else { $item = New-Object IO.FileInfo($request.path) }
      if ($request.sddl) {
        if ($request.writable) { $item.Attributes = $item.Attributes -band (-bnot [IO.FileAttributes]::ReadOnly) }
        $acl = $item.GetAccessControl('Group,Access')
        $acl.SetSecurityDescriptorSddlForm($request.sddl, 'Group,Access')
        $item.SetAccessControl($acl)
      } else {
        $acl = $item.GetAccessControl('Owner,Group,Access')
        $raw = New-Object Security.AccessControl.RawSecurityDescriptor($acl.GetSecurityDescriptorBinaryForm(), 0)
        $answer.owner = $raw.Owner.Value
        $answer.group = $raw.Group.Value
        foreach ($who in 'Owner', 'Group') { try { $answer[$who.ToLower() + 'Name'] = $raw.$who.Translate([Security.Principal.NTAccount]).Value } catch { } }
        $answer.protected = [bool](([int]$raw.ControlFlags) -band 0x1000)
        $answer.entries = @($raw.DiscretionaryAcl | ForEach-Object { '{0},{1},{2},{3}' -f [int]$_.AceType, [int]$_.AceFlags, $_.AccessMask, $_.SecurityIdentifier.Value })
      }
    }`)

interface ReadList {
  /** Status before the list was read; a change of a list changes its time. */
  readonly stat: FileStat
  readonly answer: ScriptMessage
}

/** Owners, groups and access lists of files on Windows, read and changed by PowerShell; Node cannot read them. */
export class AccessLists {
  static readonly #ofRuns = new WeakMap<CatalogView, AccessLists>()
  readonly #system: System
  readonly #lists = new Map<string, ReadList>()
  readonly #sids = new Map<string, string>()
  /** Names of accounts by their identifier. */
  readonly #names = new Map<string, string>()

  constructor(system: System) {
    this.#system = system
  }

  /** The lists of an agent run. Lists of all files of the catalog that manage them are read at once. */
  static async ofRun({ catalog, system }: FileWork): Promise<AccessLists> {
    const known = AccessLists.#ofRuns.get(catalog)
    if (known) return known
    const lists = new AccessLists(system)
    AccessLists.#ofRuns.set(catalog, lists)
    const managed = catalog.ofType('file').filter((file) => ['owner', 'group', 'mode'].some((name) => file.reads(name)))
    await lists.#load(managed.map(({ name }) => name))
    return lists
  }

  /** Reads the list of a file. Throws ACCESS_LIST_UNREADABLE. */
  async read(path: string, stat: FileStat): Promise<SecurityDescriptor> {
    const known = this.#lists.get(path)
    if (!known || !isSameVersion(known.stat, stat)) await this.#load([path])
    return parseDescriptor(path, this.#lists.get(path)?.answer)
  }

  /** Changes group and list of a file, and its owner if it differs. With `writable`, the file is no longer read-only. */
  async write(path: string, before: SecurityDescriptor, after: SecurityDescriptor, writable: boolean): Promise<void> {
    this.#lists.delete(path)
    const [answer] = await this.#ask([{ path: toLongPath(path), sddl: formatAccessList(after), writable }])
    if (answer?.['error'] !== undefined) throw new Error(String(answer['error']))
    if (after.owner === before.owner) return
    // Only `icacls` uses the privilege to make another account the owner.
    const args = [toLongPath(path), '/setowner', `*${after.owner}`, '/L', '/Q']
    const program = getSystemProgram('icacls.exe')
    const { status, output, timedOut } = await this.#system.commands.run([program, ...args], {
      timeout: accessTimeMs / 1000,
    })
    if (timedOut) throw new Error(formatTimeLimit(program))
    if (status !== 0) throw new Error(output.trim())
  }

  /** The identifier of an account, by its name, with or without a domain, or by its identifier; undefined if there is none. */
  async findSid(account: string): Promise<string | undefined> {
    const known = this.#sids.get(account)
    if (known !== undefined) return known
    const [{ sid, name } = {}] = await this.#ask([{ account: account.trim() }])
    if (typeof sid !== 'string') return undefined
    this.#sids.set(account, sid)
    if (typeof name === 'string') this.#names.set(sid, name)
    return sid
  }

  /** The name of an account that was read or found, with its domain: `BUILTIN\\Users`. */
  getName(sid: string): string | undefined {
    return this.#names.get(sid)
  }

  #ask(requests: readonly ScriptMessage[]): Promise<readonly ScriptMessage[]> {
    return askPowerShell(this.#system, script, requests)
  }

  async #load(paths: readonly string[]): Promise<void> {
    const present: { path: string; stat: FileStat }[] = []
    for (const path of paths) {
      const stat = await this.#system.files.stat(path)
      if (stat) present.push({ path, stat })
    }
    if (present.length === 0) return
    const answers = await this.#ask(present.map(({ path }) => ({ path: toLongPath(path) })))
    for (const [index, { path, stat }] of present.entries()) {
      const answer = answers[index] ?? {}
      this.#lists.set(path, { stat, answer })
      for (const who of ['owner', 'group'])
        if (typeof answer[`${who}Name`] === 'string') this.#names.set(String(answer[who]), String(answer[`${who}Name`]))
    }
  }
}

const isSameVersion = (a: FileStat, b: FileStat): boolean => a.changed === b.changed && a.size === b.size

/** A path for programs of Windows; a long path needs a prefix. */
function toLongPath(path: string): string {
  const plain = toBackslashes(path)
  if (plain.length < shortPathCharacters || plain.startsWith('\\\\?\\')) return plain
  return plain.startsWith('\\\\') ? `\\\\?\\UNC${plain.slice(1)}` : `\\\\?\\${plain}`
}

/** Maximum length of a folder's path without a prefix. */
const shortPathCharacters = 248

function parseDescriptor(path: string, answer: ScriptMessage = {}): SecurityDescriptor {
  const { owner, group, error } = answer
  const entries = toResponseList(answer['entries'])
  if (typeof owner !== 'string' || typeof group !== 'string' || !entries)
    return throwIssue(issues.ACCESS_LIST_UNREADABLE, { path, why: String(error ?? 'there is no answer') })
  return { owner, group, entries: entries.flatMap(parseEntry), isProtected: answer['protected'] === true }
}

/** An entry such as `0,3,2032127,S-1-5-18`: kind, inheritance, rights, account. Entries of other kinds are left out. */
function parseEntry(line: unknown): AccessEntry[] {
  const [kind, flags, mask, sid = ''] = String(line).split(',')
  if (kind !== '0' && kind !== '1') return []
  return [{ kind: kind === '0' ? 'allow' : 'deny', flags: Number(flags), mask: Number(mask), sid }]
}
