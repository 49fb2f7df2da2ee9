import { randomBytes } from 'node:crypto'
import { formatError } from '../../../../language/ruby-semantics/errno.ts'
import { isClosedList } from '../../../../machine/windows/closed-file.ts'
import {
  computeFileMode,
  createModeAccess,
  isFileModeInSync,
  isWritable,
  replaceAccount,
  type SecurityDescriptor,
} from '../../../../machine/windows/file-mode.ts'
import { appendPath, getParentPath } from '../../../../machine/windows/machine-path.ts'
import { failWithMessage } from '../../issues.ts'
import { computeModeBits, formatOctalMode, toDirectoryMode } from '../../mode.ts'
import { AccessLists } from '../windows/access-lists.ts'
import { type FileWork, type Permissions, readStatus, resolveManagedPath } from './file-state.ts'

type Who = 'owner' | 'group'

/** Owner, group and mode of a file on Windows, where an access list replaces the mode. */
export const windowsPermissions: Permissions = {
  async read(work) {
    const { resource } = work
    if (!managed.some((name) => resource.reads(name))) return {}
    for (const who of ['owner', 'group'] as const) await resolveAccounts(work, who)
    const access = await readAccess(work)
    if (!access) return {}
    for (const who of ['owner', 'group'] as const) await nameAccounts(work, who, access[who])
    return { owner: access.owner, group: access.group, mode: formatOctalMode(getCurrentMode(work, access)) }
  },
  async getReplacement(work) {
    const { resource, state } = work
    // An unknown account fails here: afterwards, it would leave a closed file with the desired content.
    for (const who of ['owner', 'group'] as const) await resolveDesiredSids(work, who)
    // A symbolic mode, an owner and a group change the list of the file, which then must remain until `restore`.
    state.isClosed = hasWholeMode(resource) || (!state.stat && managed.some((name) => resource.has(name)))
    return { keepsAccess: true, isClosed: state.isClosed }
  },
  checkSource({ resource, log }) {
    if ((resource.get('source_permissions') ?? 'ignore') === 'ignore') return
    const message =
      'Copying owner/mode/group from the source file on Windows is not supported; use source_permissions => ignore.'
    if (managed.some((name) => !resource.has(name))) failWithMessage(message)
    log('warning', message, '')
  },
  /** Changes owner, group and list at once: PowerShell takes half a second for each change. */
  async restore(work) {
    const { resource, state } = work
    await readStatus(work)
    if (!managed.some((name) => resource.has(name))) return
    const before = await readAccess(work)
    if (!before) return
    const isClosed = state.isClosed || isLeftClosed(work)
    const isRelative = isClosed && !hasWholeMode(resource)
    const base = isRelative ? { ...before, ...(await readInheritedAccess(work)) } : before
    let after = base
    for (const who of ['owner', 'group'] as const) {
      const [sid] = await resolveDesiredSids(work, who)
      if (sid !== undefined && !(await isDesiredAccount(work, who))) after = replaceAccount(after, who, sid)
    }
    if (isClosed ? resource.has('mode') : !isWindowsModeInSync(work)) after = applyMode(work, base, after)
    if (after !== before) await changeAccess(work, before, after)
    state.isClosed = false
  },
}

const managed = ['owner', 'group', 'mode'] as const

/** True if the mode is a number, which decides the whole access list. */
const hasWholeMode = (resource: FileWork['resource']): boolean => /^[0-7]+$/.test(resource.get('mode') ?? '')

/** True if an earlier run left the file closed, and no mode decides the whole list. */
const isLeftClosed = ({ resource, state }: FileWork): boolean =>
  state.stat?.kind === 'file' && state.access !== undefined && isClosedList(state.access) && !hasWholeMode(resource)

/** The access list that the folder gives to a new file, as that of an empty file that is removed again. */
async function readInheritedAccess(work: FileWork): Promise<Pick<SecurityDescriptor, 'entries' | 'isProtected'>> {
  const { files } = work.system
  const folder = getParentPath(await resolveManagedPath(work))
  const probe = appendPath(folder, `.plumb.${randomBytes(6).toString('hex')}.tmp`)
  await files.write(probe, '', undefined, 'later')
  try {
    const stat = await files.stat(probe)
    if (!stat) throw new Error(`${probe} was removed by another program`)
    const { entries, isProtected } = await (await AccessLists.ofRun(work)).read(probe, stat)
    return { entries, isProtected }
  } finally {
    await files.remove(probe)
  }
}

/** Reads owner, group and list of the file again, and stores them in the state. */
async function readAccess(work: FileWork): Promise<SecurityDescriptor | undefined> {
  const { state } = work
  const path = await resolveManagedPath(work)
  state.access = state.stat && (await (await AccessLists.ofRun(work)).read(path, state.stat))
  return state.access
}

const isDirectory = ({ state }: FileWork): boolean => state.stat?.kind === 'directory'

const getCurrentMode = (work: FileWork, access: SecurityDescriptor): number =>
  computeFileMode(access, isDirectory(work))

function getManaged({ resource }: FileWork) {
  return { managesOwner: resource.has('owner'), managesGroup: resource.has('group') }
}

/** The desired mode as bits, relative to the present mode; undefined if the mode is not managed. */
function getDesiredBits(work: FileWork, current: number): number | undefined {
  const mode = work.resource.get('mode')
  if (mode === undefined) return undefined
  return computeModeBits(isDirectory(work) ? toDirectoryMode(mode) : mode, current & 0o7777, isDirectory(work))
}

/** True if the access list is that of `mode`, or is not managed. */
export function isWindowsModeInSync(work: FileWork): boolean {
  const { resource, state, log } = work
  if (state.stat?.kind === 'link' && resource.get('links') !== 'follow') {
    log('debug', 'Not managing symlink mode', 'mode')
    return true
  }
  if (!state.access) return !resource.has('mode')
  if (resource.has('mode') && isLeftClosed(work)) return false
  const current = getCurrentMode(work, state.access)
  const wanted = getDesiredBits(work, current)
  return wanted === undefined || isFileModeInSync(state.access, current, wanted, getManaged(work))
}

/** The descriptor with the access list of `mode`. */
function applyMode(work: FileWork, before: SecurityDescriptor, after: SecurityDescriptor): SecurityDescriptor {
  const bits = getDesiredBits(work, getCurrentMode(work, before))
  if (bits === undefined) return after
  const { entries, limited } = createModeAccess(bits, after, { isDirectory: isDirectory(work), ...getManaged(work) })
  for (const who of limited)
    work.log(
      'warning',
      `Setting control rights for ${work.resource.name} ${who} SYSTEM to less than Full Control rights. Setting SYSTEM rights to less than Full Control may have unintented consequences for operations on this file`,
      '',
    )
  return { ...after, entries, isProtected: true }
}

async function changeAccess(work: FileWork, before: SecurityDescriptor, after: SecurityDescriptor): Promise<void> {
  const path = await resolveManagedPath(work)
  const clearsReadOnly = work.resource.has('mode') && isWritable(after)
  await (await AccessLists.ofRun(work)).write(path, before, after, clearsReadOnly)
  await readStatus(work)
  await readAccess(work)
}

/** Sets the access list of `mode`. */
export async function setWindowsMode(work: FileWork): Promise<void> {
  const before = await readAccess(work)
  if (!before) return
  const change = async () =>
    isLeftClosed(work) ? windowsPermissions.restore(work) : changeAccess(work, before, applyMode(work, before, before))
  await change().catch((error: unknown) => {
    const mode = formatOctalMode(getCurrentMode(work, before))
    failWithMessage(`failed to set mode ${mode} on ${work.resource.name}: ${formatError(error)}`)
  })
}

/** Security identifiers of the allowed owners or groups. Empty in a noop run if an account does not exist. */
async function resolveDesiredSids(work: FileWork, who: Who): Promise<readonly string[]> {
  const lists = await AccessLists.ofRun(work)
  const sids: string[] = []
  for (const wanted of work.resource.choices(who) as readonly (string | number)[]) {
    const sid = await lists.findSid(String(wanted))
    if (sid !== undefined) sids.push(sid)
    else if (work.noop) return []
    else throw new Error(`Could not find ${who === 'owner' ? 'user' : 'group'} ${wanted}`)
  }
  return sids
}

/** Replaces the names of desired accounts by their identifiers, which events contain. Unknown names are not replaced. */
async function resolveAccounts(work: FileWork, who: Who): Promise<void> {
  const { resource } = work
  if (!resource.has(who) || !work.state.stat) return
  const lists = await AccessLists.ofRun(work)
  const wanted: (string | number)[] = []
  for (const each of resource.choices(who) as readonly (string | number)[])
    wanted.push((await lists.findSid(String(each))) ?? each)
  resource.put(who, ...wanted)
}

/** Stores the names of present and desired accounts for messages. */
async function nameAccounts(work: FileWork, who: Who, present: string): Promise<void> {
  const lists = await AccessLists.ofRun(work)
  const sids = [present, ...work.resource.choices(who)].map(String)
  work.state.names[who] = new Map(
    sids.flatMap((sid) => {
      const name = lists.getName(sid)
      return name === undefined ? [] : [[sid, name]]
    }),
  )
}

/** True if the file has the desired owner or group. A list that was left closed is an event of mode, owner or group. */
export async function isAccountInSync(work: FileWork, who: Who): Promise<boolean> {
  const reporter = (['mode', 'owner', 'group'] as const).find((name) => work.resource.has(name))
  return !(reporter === who && isLeftClosed(work)) && isDesiredAccount(work, who)
}

async function isDesiredAccount(work: FileWork, who: Who): Promise<boolean> {
  const is = work.state.access?.[who]
  return is !== undefined && (await resolveDesiredSids(work, who)).includes(is)
}

/** Sets the owner or the group, and gives the rights of the old one to the new one. */
export async function setAccount(work: FileWork, who: Who): Promise<void> {
  const [sid] = await resolveDesiredSids(work, who)
  const before = await readAccess(work)
  if (sid === undefined || !before) return
  const change = async () =>
    isLeftClosed(work) ? windowsPermissions.restore(work) : changeAccess(work, before, replaceAccount(before, who, sid))
  await change().catch((error: unknown) => {
    failWithMessage(`Failed to set ${who} to '${sid}': ${formatError(error)}`)
  })
}
