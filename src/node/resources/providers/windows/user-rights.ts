import { budgets } from '../../../../base/budgets/budgets.ts'
import type { System } from '../../../../machine/system/system.ts'
import { withHiddenFolder } from '../../../../machine/system/temporary-folder.ts'
import { accountSids } from '../../../../machine/windows/access-control.ts'
import { accessTimeMs, formatTimeLimit } from '../../../../machine/windows/limited-program.ts'
import { toBackslashes } from '../../../../machine/windows/machine-path.ts'
import { getSystemProgram } from '../../../../machine/windows/system-programs.ts'
import { failWithMessage } from '../../issues.ts'
import { type CatalogView, type ProviderServices, runProviderProgram } from '../../provider.ts'
import { stripDomain } from './accounts.ts'

/** A user whose rights are managed. */
export interface RightsHolder {
  readonly sid: string
  /** Local name: `secedit` writes some accounts by name. */
  readonly name: string
}

/** Changes of the rights of a user, such as `SeServiceLogonRight`. */
export interface RightsChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** The accounts that have each right: `*` and a SID, or a name. */
type RightsTable = ReadonlyMap<string, readonly string[]>

/** The rights of accounts, in the local policy of Windows, read and changed by `secedit.exe`. */
export class UserRights {
  static readonly #ofRuns = new WeakMap<CatalogView, UserRights>()
  readonly #system: System
  readonly #facts: ProviderServices['facts']
  #table: RightsTable | undefined

  constructor({ system, facts }: Pick<ProviderServices, 'system' | 'facts'>) {
    this.#system = system
    this.#facts = facts
  }

  /** The rights of an agent run, which are read once until a change. */
  static ofRun(services: ProviderServices): UserRights {
    const rights = UserRights.#ofRuns.get(services.catalog) ?? new UserRights(services)
    UserRights.#ofRuns.set(services.catalog, rights)
    return rights
  }

  /** The names of the rights that a user has directly, not by its groups. */
  async read(holder: RightsHolder): Promise<readonly string[]> {
    const held = [...(await this.#readTable())].filter(([, accounts]) => this.#includes(accounts, holder))
    return held.map(([right]) => right)
  }

  /** Adds and removes rights, and reads them again: `secedit` ignores rights that it does not know. */
  async change(action: string, holder: RightsHolder, { add, remove }: RightsChange): Promise<void> {
    if (add.length === 0 && remove.length === 0) return
    for (const right of add) if (!/^Se[A-Za-z]{1,60}$/.test(right)) failUnknownRight(action)
    const table = await this.#readTable()
    const lines = [
      ...add.map((right) => formatRight(table, right, (accounts) => [...accounts, `*${holder.sid}`])),
      ...remove.map((right) => formatRight(table, right, (accounts) => this.#exclude(accounts, holder))),
    ]
    this.#table = undefined
    await withHiddenFolder(this.#system, async (folder) => {
      await this.#system.files.write(`${folder}/rights.inf`, formatRights(lines), 0o600)
      const files = ['/db', toBackslashes(`${folder}/rights.sdb`), '/cfg', toBackslashes(`${folder}/rights.inf`)]
      await this.#run(action, ['/configure', ...files, ...scope(folder)])
    })
    const after = await this.read(holder)
    if (selectRights(add, after, false).length > 0) failUnknownRight(action)
    const kept = selectRights(remove, after, true)
    if (kept.length > 0) failWithMessage(`Could not ${action}: secedit.exe did not remove ${kept.join(', ')}`)
  }

  async #readTable(): Promise<RightsTable> {
    this.#table ??= await withHiddenFolder(this.#system, async (folder) => {
      const file = `${folder}/rights.inf`
      await this.#run('read the rights of users', ['/export', '/cfg', toBackslashes(file), ...scope(folder)])
      const content = await this.#system.files.readWithin(file, budgets.machine.userRights.bound)
      // All holders that are missing here would lose a right that changes.
      return (
        parseRights(content?.toString('utf16le') ?? '') ??
        failWithMessage('Could not read the rights of users: the export of secedit.exe is incomplete')
      )
    })
    return this.#table
  }

  async #run(action: string, words: readonly string[]): Promise<void> {
    const program = getSystemProgram('secedit.exe')
    const options = { timeout: accessTimeMs / 1000 }
    const { status, output, timedOut } = await runProviderProgram(this.#system, [program, ...words], options)
    if (timedOut) failWithMessage(`Could not ${action}: ${formatTimeLimit(program)}`)
    if (status !== 0)
      failWithMessage(`Could not ${action}: ${output.trim() || `secedit.exe ended with status ${status}`}`)
  }

  #includes(accounts: readonly string[], holder: RightsHolder): boolean {
    return this.#exclude(accounts, holder).length < accounts.length
  }

  #exclude(accounts: readonly string[], { sid, name }: RightsHolder): readonly string[] {
    const isHolder = (account: string) =>
      account.startsWith('*')
        ? account.slice(1).toUpperCase() === sid
        : stripDomain(account, this.#facts).toLowerCase() === name.toLowerCase()
    return accounts.filter((account) => !isHolder(account))
  }
}

const scope = (folder: string): readonly string[] => [
  '/areas',
  'USER_RIGHTS',
  '/log',
  toBackslashes(`${folder}/secedit.log`),
  '/quiet',
]

function failUnknownRight(action: string): never {
  return failWithMessage(
    `Could not ${action}: Calling \`LsaAddAccountRights\` returned 'Win32 Error Code 0x00000521'. One or more of the given rights/privilleges are incorrect.`,
  )
}

/** A file of rights in UTF-16, as `secedit` reads it. */
function formatRights(lines: readonly string[]): Buffer {
  const head = ['[Unicode]', 'Unicode=yes', '[Version]', 'signature="$CHICAGO$"', 'Revision=1', '[Privilege Rights]']
  return Buffer.from(`\ufeff${[...head, ...lines].join('\r\n')}\r\n`, 'utf16le')
}

/** The line of a right with other accounts, in the spelling of the table: names of rights have no case. */
function formatRight(
  table: RightsTable,
  right: string,
  change: (accounts: readonly string[]) => readonly string[],
): string {
  const [name, accounts] = [...table].find(([each]) => isSameRight(each, right)) ?? [right, []]
  return `${name} = ${change(accounts).join(',')}`
}

const isSameRight = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The rights that are in another list, or those that are not in it. */
export function selectRights(
  rights: readonly string[],
  others: readonly string[],
  areInOthers: boolean,
): readonly string[] {
  return rights.filter((right) => others.some((other) => isSameRight(right, other)) === areInOthers)
}

/**
 * The accounts that have each right, from an exported file; undefined if the file is incomplete. Windows writes the version at
 * the end, and Administrators always have rights.
 */
export function parseRights(content: string): RightsTable | undefined {
  const table = new Map<string, readonly string[]>()
  let section = ''
  let isComplete = false
  for (const line of content.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const text = line.trim()
    if (text.startsWith('[')) section = text.toLowerCase()
    const [name = '', value] = text.split('=', 2)
    if (value === undefined) continue
    if (section === '[privilege rights]') {
      const accounts = value.split(',').map((account) => account.trim())
      table.set(
        name.trim(),
        accounts.filter((account) => account !== ''),
      )
      isComplete = false
    } else if (section === '[version]' && name.trim().toLowerCase() === 'revision') isComplete = table.size > 0
  }
  const administrators = `*${accountSids.administrators}`
  return isComplete && [...table.values()].some((accounts) => accounts.includes(administrators)) ? table : undefined
}
