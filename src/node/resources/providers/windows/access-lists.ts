import { defineIssues, throwIssue } from '../../../../base/issue.ts'
import { toJsonRecord } from '../../../../base/json/json-checks.ts'
import { formatError } from '../../../../language/ruby-semantics/errno.ts'
import type { FileStat, System } from '../../../../machine/system/system.ts'
import {
  type AccessTool,
  type AccessToolResult,
  readAccessList,
  writeAccessList,
} from '../../../../machine/windows/access-control.ts'
import {
  type AccessEntry,
  formatAccessList,
  formatWholeList,
  type SecurityDescriptor,
} from '../../../../machine/windows/file-mode.ts'
import { describeUnusableName } from '../../../../machine/windows/file-names.ts'
import { accessTimeMs, formatTimeLimit } from '../../../../machine/windows/limited-program.ts'
import {
  isAbsolutePath,
  isWithinFolder,
  normalizePath,
  toBackslashes,
} from '../../../../machine/windows/machine-path.ts'
import { getSystemProgram } from '../../../../machine/windows/system-programs.ts'
import type { CatalogView, ProviderServices } from '../../provider.ts'
import { getAclTarget, listAccounts } from '../../types/windows/acl.ts'
import { accountSearch } from './account-names.ts'
import { askPowerShell, buildRequestScript, type ScriptMessage, toResponseList } from './power-shell.ts'

const issues = defineIssues({
  ACCESS_LIST_UNREADABLE: {
    text: (a: { path: string; why: string }) => `Could not read owner, group and access list of ${a.path}: ${a.why}`,
    hint: () => 'Remove owner, group and mode from the resource to leave them unmanaged.',
  },
})

/**
 * Reads the security descriptor of a path, changes one, or finds the identifier of an account. .NET sorts the entries that it
 * reads and writes, so that a request can contain the list as `icacls` reads it.
 */
const script = buildRequestScript(`
    if ($request.account) {
      $name = $request.account
      ${accountSearch}
    } else {
      if ([IO.Directory]::Exists($request.path)) { $item = New-Object IO.DirectoryInfo($request.path) }
      else { $item = New-Object IO.FileInfo($request.path) }
      if ($request.group) {
        $acl = $item.GetAccessControl('Group')
        $acl.SetGroup((New-Object Security.Principal.SecurityIdentifier($request.group)))
        $item.SetAccessControl($acl)
      } elseif ($request.sddl) {
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
        if ($request.list) {
          $raw = New-Object Security.AccessControl.RawSecurityDescriptor($request.list)
          if ($null -eq $raw.DiscretionaryAcl) { throw 'there is no access list' }
          $answer.names = @{}
          foreach ($ace in $raw.DiscretionaryAcl) {
            $sid = $ace.SecurityIdentifier
            if ($null -eq $sid -or $answer.names.ContainsKey($sid.Value)) { continue }
            try { $answer.names[$sid.Value] = $sid.Translate([Security.Principal.NTAccount]).Value } catch { }
          }
        }
        $answer.protected = [bool](([int]$raw.ControlFlags) -band 0x1000)
        $answer.entries = @($raw.DiscretionaryAcl | ForEach-Object { '{0},{1},{2},{3}' -f [int]$_.AceType, [int]$_.AceFlags, $_.AccessMask, $_.SecurityIdentifier.Value })
      }
    }`)

/** A security descriptor with the list in its exact order. */
export interface ExactList extends SecurityDescriptor {
  /** Names of the accounts, by identifier. */
  readonly names: ReadonlyMap<string, string>
  /** Number of entries of other kinds, which are not in `entries`. */
  readonly others: number
}

interface ReadList {
  /** Status before the list was read; a change of a list changes its time. Undefined if the status could not be read. */
  readonly stat: FileStat | undefined
  readonly answer: ScriptMessage
}

/** Owners, groups and access lists of files on Windows, read and changed by PowerShell; Node cannot read them. */
export class AccessLists {
  static readonly #ofRuns = new WeakMap<CatalogView, AccessLists>()
  readonly #system: System
  readonly #lists = new Map<string, ReadList>()
  readonly #exact = new Map<string, ReadList>()
  readonly #sids = new Map<string, string>()
  /** Names of accounts by their identifier. */
  readonly #names = new Map<string, string>()

  constructor(system: System) {
    this.#system = system
  }

  /** The lists of an agent run. Lists of all files of the catalog that manage them are read at once. */
  static async ofRun({ catalog, system }: Pick<ProviderServices, 'catalog' | 'system'>): Promise<AccessLists> {
    const known = AccessLists.#ofRuns.get(catalog)
    if (known) return known
    const lists = new AccessLists(system)
    AccessLists.#ofRuns.set(catalog, lists)
    const managed = catalog.ofType('file').filter((file) => ['owner', 'group', 'mode'].some((name) => file.reads(name)))
    const exact = catalog
      .ofType('acl')
      .map(getAclTarget)
      .filter((path) => isAbsolutePath(path, true))
    await lists.#load(
      managed.map(({ name }) => name),
      exact.filter((path) => describeUnusableName(path) === undefined).map((path) => normalizePath(path, true)),
      catalog.ofType('acl').flatMap(listAccounts),
    )
    return lists
  }

  /** Reads the list of a file. Throws ACCESS_LIST_UNREADABLE. */
  async read(path: string, stat: FileStat): Promise<SecurityDescriptor> {
    const known = this.#lists.get(path)
    if (!known || !isSameVersion(known.stat, stat)) await this.#load([path])
    return parseDescriptor(path, this.#lists.get(path)?.answer)
  }

  /** Reads the list of a file in its exact order. Throws ACCESS_LIST_UNREADABLE. */
  async readExact(path: string, stat: FileStat): Promise<ExactList> {
    const known = this.#exact.get(path)
    if (!known || !isSameVersion(known.stat, stat)) await this.#load([], [path])
    const answer = this.#exact.get(path)?.answer ?? {}
    const descriptor = parseDescriptor(path, answer)
    const names = new Map(this.#names)
    for (const [sid, name] of Object.entries(toJsonRecord(answer['names'] ?? {}))) names.set(sid, String(name))
    return { ...descriptor, names, others: toResponseList(answer['entries'])!.length - descriptor.entries.length }
  }

  /** Changes what differs: group, owner, entries in their order, and whether the list inherits. Links are not followed. */
  async writeExact(path: string, before: ExactList, after: ExactList): Promise<void> {
    this.#forget(path)
    if (after.group !== before.group) {
      const [answer] = await this.#ask([{ path: toLongPath(path), group: after.group }])
      if (answer?.['error'] !== undefined) throw new Error(String(answer['error']))
    }
    if (after.owner !== before.owner) await this.#setOwner(path, after.owner)
    if (after.entries !== before.entries) {
      const list = formatWholeList({ ...after, isProtected: before.isProtected })
      requireSuccess(await writeAccessList(path, list, this.#runTool))
    }
    if (after.isProtected === before.isProtected) return
    const change = `/inheritance:${after.isProtected ? 'd' : 'e'}`
    requireSuccess(await this.#runTool([toLongPath(path), change, '/L', '/Q']))
  }

  /** Forgets the lists of a path and of all paths below it, which may inherit from it. */
  #forget(path: string): void {
    for (const lists of [this.#lists, this.#exact])
      for (const known of lists.keys()) if (isWithinFolder(known, path, true)) lists.delete(known)
  }

  /** Changes group and list of a file, and its owner if it differs. With `writable`, the file is no longer read-only. */
  async write(path: string, before: SecurityDescriptor, after: SecurityDescriptor, writable: boolean): Promise<void> {
    this.#forget(path)
    const [answer] = await this.#ask([{ path: toLongPath(path), sddl: formatAccessList(after), writable }])
    if (answer?.['error'] !== undefined) throw new Error(String(answer['error']))
    if (after.owner === before.owner) return
    await this.#setOwner(path, after.owner)
  }

  /** Only `icacls` uses the privilege to make another account the owner. */
  async #setOwner(path: string, sid: string): Promise<void> {
    requireSuccess(await this.#runTool([toLongPath(path), '/setowner', `*${sid}`, '/L', '/Q']))
  }

  readonly #runTool: AccessTool = async (args) => {
    const program = getSystemProgram('icacls.exe')
    const options = { timeout: accessTimeMs / 1000 }
    const { status, output, timedOut } = await this.#system.commands.run([program, ...args], options)
    return { status, output: timedOut ? formatTimeLimit(program) : output }
  }

  /** The identifier of an account, by its name, with or without a domain, or by its identifier; undefined if there is none. */
  async findSid(account: string): Promise<string | undefined> {
    const known = this.#sids.get(account)
    if (known !== undefined) return known
    await this.#load([], [], [account])
    return this.#sids.get(account)
  }

  /** The identifiers of accounts that exist, by the names that were asked for. */
  async findSids(accounts: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const missing = accounts.filter((account) => !this.#sids.has(account))
    if (missing.length > 0) await this.#load([], [], missing)
    return new Map(
      accounts.flatMap((account) => {
        const sid = this.#sids.get(account)
        return sid === undefined ? [] : [[account, sid] as const]
      }),
    )
  }

  /** The name of an account that was read or found, with its domain: `BUILTIN\\Users`. */
  getName(sid: string): string | undefined {
    return this.#names.get(sid)
  }

  /** Reads lists of files, lists in their exact order, and accounts, all by one PowerShell. */
  async #load(
    paths: readonly string[],
    exact: readonly string[] = [],
    accounts: readonly string[] = [],
  ): Promise<void> {
    const requests: [ScriptMessage, (answer: ScriptMessage) => void][] = []
    for (const path of paths)
      await this.#prepare(this.#lists, path, async (stat) => {
        requests.push([{ path: toLongPath(path) }, (answer) => this.#keep(this.#lists, path, { stat, answer })])
      })
    for (const path of new Set(exact))
      await this.#prepare(this.#exact, path, async (stat) => {
        if (stat.kind === 'link') return
        const { list, output } = await readAccessList(path, this.#runTool)
        if (list === undefined) throw new Error(output.trim() || 'icacls wrote no list')
        requests.push([{ path: toLongPath(path), list }, (answer) => this.#keep(this.#exact, path, { stat, answer })])
      })
    for (const account of new Set(accounts))
      requests.push([
        { account: account.trim() },
        ({ sid, name }) => {
          if (typeof sid === 'string') this.#sids.set(account, sid)
          if (typeof sid === 'string' && typeof name === 'string') this.#names.set(sid, name)
        },
      ])
    if (requests.length === 0) return
    const answers = await this.#ask(requests.map(([request]) => request))
    for (const [index, [, keep]] of requests.entries()) keep(answers[index] ?? {})
  }

  /** Calls `work` for a path that exists. An error becomes the answer for this path, so that other paths are still read. */
  async #prepare(lists: Map<string, ReadList>, path: string, work: (stat: FileStat) => Promise<void>): Promise<void> {
    let stat: FileStat | undefined
    try {
      stat = await this.#system.files.stat(path)
      if (stat) await work(stat)
    } catch (error) {
      lists.set(path, { stat, answer: { error: formatError(error) } })
    }
  }

  #ask(requests: readonly ScriptMessage[]): Promise<readonly ScriptMessage[]> {
    return askPowerShell(this.#system, script, requests)
  }

  #keep(lists: Map<string, ReadList>, path: string, read: ReadList): void {
    lists.set(path, read)
    const { answer } = read
    for (const who of ['owner', 'group'])
      if (typeof answer[`${who}Name`] === 'string') this.#names.set(String(answer[who]), String(answer[`${who}Name`]))
  }
}

function requireSuccess({ status, output }: AccessToolResult): void {
  if (status !== 0) throw new Error(output.trim())
}

const isSameVersion = (a: FileStat | undefined, b: FileStat): boolean => a?.changed === b.changed && a.size === b.size

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
