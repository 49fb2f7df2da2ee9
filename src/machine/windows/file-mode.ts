import { accountSids } from './access-control.ts'

/** An entry of an access list: the rights that an account has, or does not have. */
export interface AccessEntry {
  readonly kind: 'allow' | 'deny'
  readonly sid: string
  /** Access mask: the rights as bits. */
  readonly mask: number
  /** Inheritance, as bits of `aceFlags`. */
  readonly flags: number
}

/** Owner, group and access list of a file on Windows. Accounts are security identifiers. */
export interface SecurityDescriptor {
  readonly owner: string
  readonly group: string
  readonly entries: readonly AccessEntry[]
  /** True if the list inherits nothing from the folder. */
  readonly isProtected: boolean
}

/** Which attributes a resource sets, and what the file is. */
export interface ModeOptions {
  readonly isDirectory: boolean
  readonly managesOwner: boolean
  readonly managesGroup: boolean
}

/** An access list for a mode, with the reasons for rights other than those of the mode. */
export interface ModeAccess {
  readonly entries: readonly AccessEntry[]
  /** Accounts that get less than full access although they are SYSTEM; `class` is owner or group. */
  readonly limited: readonly ('owner' | 'group')[]
}

/** Bits of an entry: the objects that inherit it, and its own inheritance. */
export const aceFlags = {
  objectInherit: 1,
  containerInherit: 2,
  noPropagate: 4,
  inheritOnly: 8,
  inherited: 16,
} as const

// Rights of files and folders, with the names of the Windows SDK.
const writeData = 0x2
const appendData = 0x4
const execute = 0x20
const deleteChild = 0x40
const readAttributes = 0x80
const writeAttributes = 0x100
const deleteFile = 0x10000
const standardRightsRead = 0x20000
const writeDac = 0x40000
const writeOwner = 0x80000
const synchronize = 0x100000
const standardRightsAll = 0x1f0000
/** FILE_ALL_ACCESS: all rights to a file. */
export const allAccess = 0x1f01ff
/** STANDARD_RIGHTS_ALL and SPECIFIC_RIGHTS_ALL. */
const allRights = 0x1fffff

/** The rights of each bit of a class. The right to execute is without the attributes, which `read` contains. */
const classRights: readonly (readonly [bit: number, mask: number])[] = [
  [4, 0x120089],
  [2, 0x120116],
  [1, 0x120020],
]

/** The sticky bit: only owners may delete files of a directory. */
const sticky = 0o1000
/** Puppet: the list has an entry for another account than owner, group, Everyone and SYSTEM. */
const hasOtherAccount = 0o2000000
/** Puppet: the list has no entry for SYSTEM. */
const lacksSystem = 0o4000000

const toClassBits = (mask: number): number =>
  classRights.reduce((bits, [bit, rights]) => ((mask & rights) === rights ? bits | bit : bits), 0)

/** The mode of a file, with Puppet's bits for lists that no mode describes. Puppet: windows/security.rb, `get_mode`. */
export function computeFileMode({ owner, group, entries }: SecurityDescriptor, isDirectory: boolean): number {
  let mode = lacksSystem
  for (const { sid, mask, flags } of entries) {
    if (flags & aceFlags.inheritOnly) continue
    const bits = toClassBits(mask)
    if (sid === owner) mode |= bits << 6
    else if (sid === group) mode |= bits << 3
    else if (sid === accountSids.everyone) {
      mode |= (bits << 6) | (bits << 3) | bits
      const stickyRights = writeData | execute
      if (isDirectory && (mask & (stickyRights | deleteChild)) === stickyRights) mode |= sticky
    } else if (sid === accountSids.nobody) {
      if (mask & appendData) mode |= sticky
    } else if (sid !== accountSids.allAppPackages && sid !== accountSids.system) mode |= hasOtherAccount
    if (sid === accountSids.system) mode &= ~lacksSystem
    if (owner === group) mode |= ((mode & 0o070) << 3) | ((mode & 0o700) >> 3)
  }
  return mode
}

/** Rights of owner, group and others for a mode, before SYSTEM and directories are considered. */
function computeClassRights(mode: number): { owner: number; group: number; other: number } {
  const others = standardRightsRead | readAttributes | synchronize
  const rights = { owner: standardRightsAll | readAttributes | writeAttributes, group: others, other: others }
  for (const [bit, mask] of classRights) {
    if ((mode >> 6) & bit) rights.owner |= mask
    if ((mode >> 3) & bit) rights.group |= mask
    if (mode & bit) rights.other |= mask
  }
  const changesList = deleteFile | writeDac | writeOwner
  if ((mode & 0o070) === 0o070) rights.group |= changesList
  if ((mode & 0o007) === 0o007) rights.other |= changesList
  return rights
}

/**
 * The access list for a mode. SYSTEM has full access, unless the resource makes SYSTEM the owner or the group.
 * Puppet: windows/security.rb, `set_mode`.
 */
export function createModeAccess(
  mode: number,
  { owner, group }: Pick<SecurityDescriptor, 'owner' | 'group'>,
  { isDirectory, managesOwner, managesGroup }: ModeOptions,
): ModeAccess {
  const rights = computeClassRights(mode)
  const isSame = owner === group
  const limited: ('owner' | 'group')[] = []
  const isManaged = { owner: managesOwner, group: managesGroup }
  const managesBoth = managesOwner && managesGroup
  for (const [who, sid] of [
    ['owner', owner],
    ['group', group],
  ] as const) {
    if (sid !== accountSids.system || rights[who] === allAccess) continue
    if (!isManaged[who]) rights[who] = allAccess
    else if (!isSame || managesBoth) limited.push(who)
  }
  const mayDelete = (bits: number) => (mode & bits) === bits
  if (mayDelete(0o300)) rights.owner |= deleteChild
  if (mayDelete(0o030) && !(mode & sticky)) rights.group |= deleteChild
  if (mayDelete(0o003) && !(mode & sticky)) rights.other |= deleteChild
  if (isSame) rights.owner |= rights.group
  const systemRights = owner === accountSids.system || group === accountSids.system ? 0 : allAccess
  const allow = (sid: string, mask: number, flags = 0): AccessEntry => ({ kind: 'allow', sid, mask, flags })
  const entries = [
    allow(owner, rights.owner),
    ...(isSame ? [] : [allow(group, rights.group)]),
    allow(accountSids.everyone, rights.other),
    allow(accountSids.nobody, mode & sticky ? appendData : 0),
    allow(accountSids.system, systemRights, isDirectory ? aceFlags.containerInherit | aceFlags.objectInherit : 0),
    ...(isDirectory ? createInheritedEntries(rights) : []),
  ]
  return { entries, limited }
}

/** True if an account other than SYSTEM may write, so that the file must not have the attribute read-only. */
export function isWritable({ entries }: SecurityDescriptor): boolean {
  return entries.some(({ sid, mask }) => sid !== accountSids.system && (mask & writeData) !== 0)
}

/** Entries that folders and files in a directory inherit. Files are not executable. */
function createInheritedEntries({ owner, group }: { owner: number; group: number }): AccessEntry[] {
  const stripped = ~(execute | writeOwner | writeDac)
  const create = (flag: number, kept: number): AccessEntry[] =>
    [[accountSids.creatorOwner, owner] as const, [accountSids.creatorGroup, group] as const].map(([sid, mask]) => ({
      kind: 'allow',
      sid,
      mask: mask & kept,
      flags: aceFlags.inheritOnly | flag,
    }))
  return [...create(aceFlags.containerInherit, -1), ...create(aceFlags.objectInherit, stripped)]
}

/** Gives the rights of an account to another account. Puppet: windows/access_control_list.rb, `reassign!`. */
function reassignEntries(entries: readonly AccessEntry[], from: string, to: string): AccessEntry[] {
  const own = entries.filter(({ sid }) => sid === from)
  const isInherited = ({ flags }: AccessEntry) => (flags & aceFlags.inherited) !== 0
  const inheritance = aceFlags.containerInherit | aceFlags.objectInherit | aceFlags.inheritOnly
  const explicit = own.filter(isInherited).map((entry) => ({ ...entry, sid: to, flags: entry.flags & inheritance }))
  const needsSystem = from === accountSids.system && own.some((entry) => !isInherited(entry))
  return [
    ...(needsSystem ? [{ kind: 'allow' as const, sid: accountSids.system, mask: allRights, flags: 0 }] : []),
    ...explicit,
    ...entries.map((entry) => (entry.sid === from && !isInherited(entry) ? { ...entry, sid: to } : entry)),
  ]
}

/** Changes the owner or the group of a file, with their rights. */
export function replaceAccount(
  descriptor: SecurityDescriptor,
  who: 'owner' | 'group',
  sid: string,
): SecurityDescriptor {
  if (descriptor[who] === sid) return descriptor
  return { ...descriptor, [who]: sid, entries: reassignEntries(descriptor.entries, descriptor[who], sid) }
}

const flagNames: readonly (readonly [number, string])[] = [
  [aceFlags.objectInherit, 'OI'],
  [aceFlags.containerInherit, 'CI'],
  [aceFlags.noPropagate, 'NP'],
  [aceFlags.inheritOnly, 'IO'],
  [aceFlags.inherited, 'ID'],
]

/**
 * Group and access list in SDDL, such as `G:S-1-5-32-545D:P(A;OICI;0x1f01ff;;;S-1-5-18)`. Windows computes inherited entries
 * itself, and entries without rights mean nothing.
 */
export function formatAccessList({ group, entries, isProtected }: SecurityDescriptor): string {
  const listed = entries.filter(({ mask, flags }) => mask !== 0 && !(flags & aceFlags.inherited))
  return `G:${group}D:${isProtected ? 'P' : ''}${listed.map(formatEntry).join('')}`
}

/** The complete list in SDDL, as `icacls /save` writes it: with inherited entries. */
export const formatWholeList = ({ entries, isProtected }: SecurityDescriptor): string =>
  `D:${isProtected ? 'P' : ''}AI${entries.map(formatEntry).join('')}`

function formatEntry({ kind, sid, mask, flags }: AccessEntry): string {
  const names = flagNames.flatMap(([flag, name]) => (flags & flag ? [name] : [])).join('')
  return `(${kind === 'allow' ? 'A' : 'D'};${names};0x${(mask >>> 0).toString(16)};;;${sid})`
}

/**
 * True if a mode equals the present mode. An unmanaged owner or group that is SYSTEM always has full access, which is in
 * sync with any mode. Puppet: provider/file/windows.rb, `munge_windows_system_group`.
 */
export function isFileModeInSync(
  { owner, group }: SecurityDescriptor,
  is: number,
  should: number,
  managed: Pick<ModeOptions, 'managesOwner' | 'managesGroup'>,
): boolean {
  let current = is
  for (const [isManaged, sid, bits] of [
    [managed.managesGroup, group, 0o070],
    [managed.managesOwner, owner, 0o700],
  ] as const) {
    if (isManaged || sid !== accountSids.system) continue
    if ((current & bits) !== bits) return false
    current = (current & 0o777 & ~bits) | (should & bits)
  }
  return current === should
}
