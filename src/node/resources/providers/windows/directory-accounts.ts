import { toJsonRecord } from '../../../../base/json/json-checks.ts'
import { failWithMessage } from '../../issues.ts'
import type { ProviderServices } from '../../provider.ts'
import {
  type Account,
  type Accounts,
  type LocalGroup,
  type LocalUser,
  type MemberChange,
  stripDomain,
  toLocalName,
} from './accounts.ts'
import {
  askPowerShell,
  buildRequestScript,
  keepPassword,
  runPowerShell,
  type ScriptMessage,
  toResponseList,
} from './power-shell.ts'

/**
 * Functions of the script. ADSI reports an account that does not exist by one of the codes in `$missing`: NERR_GroupNotFound,
 * NERR_UserNotFound, ERROR_NO_SUCH_ALIAS, ERROR_NO_SUCH_USER, ERROR_NO_SUCH_GROUP, ERROR_DS_NO_SUCH_OBJECT.
 */
const scriptFunctions = `
$missing = '800708AC', '800708AD', '80070560', '80070525', '80070527', '80072030'
function Open-Entry($kind, $name) {
  $entry = [ADSI]"WinNT://./$name,$kind"
  try { $entry.psbase.RefreshCache() }
  catch { if ($missing -contains ('{0:X8}' -f $_.Exception.GetBaseException().HResult)) { return $null }; throw }
  $entry
}
function Get-Account($entry, $method) {
  foreach ($each in @($entry.psbase.Invoke($method))) {
    $bytes = [byte[]]$each.GetType().InvokeMember('objectSid', 'GetProperty', $null, $each, $null)
    $sid = New-Object Security.Principal.SecurityIdentifier($bytes, 0)
    $name = $sid.Value
    try { $name = $sid.Translate([Security.Principal.NTAccount]).Value } catch { }
    @{ sid = $sid.Value; name = $name }
  }
}
function Get-Sid($entry) {
  (New-Object Security.Principal.SecurityIdentifier([byte[]]$entry.psbase.Properties['objectSid'].Value, 0)).Value
}`

/**
 * Lists, reads, finds and changes accounts. A user or group that does not exist, and a name that no account has, get an empty
 * response. The WinNT provider adds and removes members by their SIDs.
 */
const script = buildRequestScript(
  `
    if ($request.list) {
      $class = if ($request.list -eq 'user') { 'Win32_UserAccount' } else { 'Win32_Group' }
      $answer.names = @(Get-CimInstance -Query "SELECT Name FROM $class WHERE LocalAccount=TRUE" | ForEach-Object { $_.Name })
    } elseif ($request.find) {
      try {
        $name = $request.find
        if ($name.StartsWith('.\\')) { $name = $env:COMPUTERNAME + $name.Substring(1) }
        if ($name -match '^S-1-[-0-9]+$') { $sid = New-Object Security.Principal.SecurityIdentifier($name) }
        else { $sid = (New-Object Security.Principal.NTAccount($name)).Translate([Security.Principal.SecurityIdentifier]) }
        $full = $sid.Translate([Security.Principal.NTAccount]).Value
        $answer.sid = $sid.Value
        $answer.name = $full
      } catch [Security.Principal.IdentityNotMappedException] { }
    } elseif ($request.user) {
      $entry = Open-Entry 'user' $request.user
      if ($entry) {
        $answer.sid = Get-Sid $entry
        $answer.comment = "$($entry.psbase.Properties['Description'].Value)"
        $answer.home = "$($entry.psbase.Properties['HomeDirectory'].Value)"
        $answer.accounts = @(Get-Account $entry 'Groups')
      }
    } elseif ($request.group) {
      $entry = Open-Entry 'group' $request.group
      if ($entry) {
        foreach ($sid in @($request.add)) { if ($sid) { [void]$entry.psbase.Invoke('Add', "WinNT://$sid") } }
        foreach ($sid in @($request.remove)) { if ($sid) { [void]$entry.psbase.Invoke('Remove', "WinNT://$sid") } }
        $answer.sid = Get-Sid $entry
        $answer.accounts = @(Get-Account $entry 'Members')
      }
    }`,
  scriptFunctions,
)

const creation = `$u = ([ADSI]"WinNT://.").Create("user", $v.name); if ($null -ne $v.password) { $u.SetPassword($v.password) }; $u.SetInfo(); ${keepPassword}`

/** A user or a group with the accounts that it is in, or that are in it. */
interface Entry {
  readonly sid: string
  readonly accounts: readonly Account[]
  readonly comment: string
  readonly home: string
}

/**
 * Users and groups of this machine, by the directory services of Windows (ADSI) as in Puppet. Accounts are compared by SID,
 * also those of domains. All users and groups of a catalog are read with one start of PowerShell.
 */
export class DirectoryAccounts implements Accounts {
  readonly #services: ProviderServices
  /** Present users and groups, by kind and name. */
  readonly #entries = new Map<string, Entry>()
  /** Accounts by name or SID, in lower case. */
  readonly #accounts = new Map<string, Account>()
  #loading: Promise<void> | undefined

  constructor(services: ProviderServices) {
    this.#services = services
  }

  async readUser(name: string): Promise<LocalUser | undefined> {
    const { comment, home, accounts, sid } = (await this.#read('user', name)) ?? {}
    if (sid === undefined) return undefined
    return { comment: comment ?? '', home: home ?? '', groups: (accounts ?? []).map((each) => each.name), uid: sid }
  }

  async readGroup(name: string): Promise<LocalGroup | undefined> {
    const { accounts, sid } = (await this.#read('group', name)) ?? {}
    return sid === undefined ? undefined : { members: (accounts ?? []).map((each) => each.name), gid: sid }
  }

  listUsers(): Promise<readonly string[]> {
    return this.#list('user')
  }

  listGroups(): Promise<readonly string[]> {
    return this.#list('group')
  }

  async resolve(name: string): Promise<Account> {
    await this.#loadCatalog()
    if (!this.#accounts.has(toKey(name))) await this.#load([{ find: name.trim() }])
    return this.#accounts.get(toKey(name)) ?? failWithMessage(`Could not resolve name: ${name}`)
  }

  async changeMembers(action: string, group: Account, { add, remove }: MemberChange): Promise<void> {
    if (add.length === 0 && remove.length === 0) return
    const { facts, system } = this.#services
    // Windows translates the domain of its own groups, such as BUILTIN.
    const isBuiltIn = group.key.startsWith('S-1-5-32-')
    const name = isBuiltIn ? group.name.replace(/^.*\\/, '') : toLocalName(group.name, 'group', facts)
    const toSids = (accounts: readonly Account[]) => accounts.map(({ key }) => key)
    for (const { key } of [...add, ...remove, group])
      for (const [at, { sid }] of this.#entries) if (sid === key) this.#entries.delete(at)
    const request = { group: name, add: toSids(add), remove: toSids(remove) }
    const [response = {}] = await askPowerShell(system, script, [request])
    if (response['error'] !== undefined) failWithMessage(`Could not ${action}: ${String(response['error']).trim()}`)
    if (response['sid'] === undefined) failWithMessage(`Could not ${action}: group ${name} does not exist`)
    this.#store(request, response)
  }

  format(name: string): string {
    return this.#accounts.get(toKey(name))?.name ?? name
  }

  async createUser(action: string, name: string, password: string | undefined): Promise<void> {
    await runPowerShell(this.#services.system, action, creation, { name, ...(password !== undefined && { password }) })
  }

  forget(kind: 'user' | 'group', name: string): void {
    const { sid } = this.#entries.get(`${kind} ${toKey(name)}`) ?? {}
    this.#entries.delete(`${kind} ${toKey(name)}`)
    // Before, the name may have been that of an account of the domain.
    this.#accounts.delete(toKey(name))
    if (sid === undefined) return
    for (const [at, { key }] of this.#accounts) if (key === sid) this.#accounts.delete(at)
    for (const [at, { accounts }] of this.#entries)
      if (accounts.some(({ key }) => key === sid)) this.#entries.delete(at)
  }

  async #read(kind: 'user' | 'group', name: string): Promise<Entry | undefined> {
    await this.#loadCatalog()
    const key = `${kind} ${toKey(name)}`
    if (!this.#entries.has(key)) await this.#load([{ [kind]: name }])
    return this.#entries.get(key)
  }

  async #list(kind: 'user' | 'group'): Promise<readonly string[]> {
    const [response = {}] = await askPowerShell(this.#services.system, script, [{ list: kind }])
    if (response['error'] !== undefined) failWithMessage(`Could not list ${kind}s: ${String(response['error']).trim()}`)
    const names = (toResponseList(response['names']) ?? []).map(String)
    await this.#load(names.map((name) => ({ [kind]: name })))
    return names
  }

  /** Reads all users and groups of the catalog, and the accounts that they name, once. */
  #loadCatalog(): Promise<void> {
    this.#loading ??= this.#load(listCatalogRequests(this.#services), true)
    return this.#loading
  }

  /** Sends requests. Throws the first error, unless the requests are only likely to be needed. */
  async #load(requests: readonly ScriptMessage[], isEarly = false): Promise<void> {
    if (requests.length === 0) return
    const responses = await askPowerShell(this.#services.system, script, requests)
    // PowerShell itself failed: each further start would fail, too.
    const errors = new Set(responses.map((response) => response['error']))
    const isBroken = errors.size === 1 && !errors.has(undefined) && requests.length > 1
    for (const [at, request] of requests.entries()) {
      const response = responses[at] ?? {}
      if (response['error'] === undefined) this.#store(request, response)
      else if (!isEarly || isBroken) failWithMessage(`Could not read accounts: ${String(response['error']).trim()}`)
    }
  }

  #store(request: ScriptMessage, response: ScriptMessage): void {
    const { sid, name, comment, home } = response
    if (typeof sid !== 'string') return
    if (request['find'] !== undefined) {
      this.#addAccount({ key: sid, name: String(name) }, String(request['find']))
      return
    }
    const accounts = (toResponseList(response['accounts']) ?? []).map(toAccount)
    for (const account of accounts) this.#addAccount(account, account.name)
    const kind = request['user'] === undefined ? 'group' : 'user'
    const entry = { sid, accounts, comment: String(comment ?? ''), home: String(home ?? '') }
    this.#entries.set(`${kind} ${toKey(String(request[kind]))}`, entry)
  }

  #addAccount(account: Account, name: string): void {
    for (const key of [name, account.name, account.key]) this.#accounts.set(toKey(key), account)
  }
}

const toKey = (name: string): string => name.trim().toLowerCase()

function toAccount(item: unknown): Account {
  const { sid, name } = toJsonRecord(item)
  return { key: String(sid), name: String(name) }
}

/** Requests for the users and groups of a catalog, and for the accounts that they name. Invalid names are left out. */
function listCatalogRequests({ catalog, facts }: ProviderServices): readonly ScriptMessage[] {
  const requests = new Map<string, ScriptMessage>()
  const add = (request: ScriptMessage) => requests.set(JSON.stringify(request).toLowerCase(), request)
  for (const kind of ['user', 'group'] as const)
    for (const resource of catalog.ofType(kind)) {
      const name = stripDomain(resource.name, facts)
      if (/^[^/"[\]:;|=,+*?<>\\]+$/.test(name)) add({ [kind]: name })
      const named = resource.get(kind === 'user' ? 'groups' : 'members')
      for (const each of Array.isArray(named) ? named : []) add({ find: String(each).trim() })
    }
  return [...requests.values()]
}
