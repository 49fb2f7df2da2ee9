import { formatError } from '../../../../language/ruby-semantics/errno.ts'
import { findGid, findUid, listAccountGroups, listAccounts } from '../../../../machine/system/accounts.ts'
import type { FileStat } from '../../../../machine/system/system.ts'
import { failWithMessage } from '../../issues.ts'
import { computeModeBits, formatOctalMode, toDirectoryMode } from '../../mode.ts'
import { formatLogValue } from '../../value-format.ts'
import { restoreContext } from './context-properties.ts'
import { type FileWork, type Permissions, readStatus, resolveManagedPath } from './file-state.ts'

/** The desired permission bits, relative to the present ones. */
function getDesiredBits({ resource, state }: FileWork, fallback: number): number | undefined {
  const mode = resource.get('mode')
  if (mode === undefined) return undefined
  const isDirectory = state.stat?.kind === 'directory'
  return computeModeBits(isDirectory ? toDirectoryMode(mode) : mode, state.stat?.mode ?? fallback, isDirectory)
}

/** False for a link, as a link's own mode cannot be managed. */
function managesMode({ resource, state }: FileWork): boolean {
  return state.stat?.kind !== 'link' || resource.get('links') === 'follow'
}

/** True if the permission bits equal `mode`, or are not managed. */
export function isModeInSync(work: FileWork, stat: FileStat | undefined): boolean {
  if (!managesMode(work)) {
    work.log('debug', 'Not managing symlink mode', 'mode')
    return true
  }
  return stat?.mode === getDesiredBits(work, 0o644)
}

/** Sets the permission bits of a file. */
export async function setMode(work: FileWork): Promise<void> {
  const bits = getDesiredBits(work, 0o644)
  if (bits !== undefined) await changeMode(work, bits)
}

async function changeMode(work: FileWork, bits: number): Promise<void> {
  const { name } = work.resource
  await work.system.files.chmod(await resolveManagedPath(work), bits).catch((error: unknown) => {
    failWithMessage(`failed to set mode ${bits.toString(8)} on ${name}: ${formatError(error)}`)
  })
  await readStatus(work)
}

/** The mode for messages: `'0644'`. A symbolic mode is shown as the resulting bits. */
export function formatMode(work: FileWork, value: unknown): string {
  if (value === 'absent' || value === undefined) return "'absent'"
  const text = String(value)
  return `'${work.state.stat?.kind === 'directory' ? toDirectoryMode(text) : text}'`
}

/** The desired mode for events. For a directory, each `r` includes `x`. */
export function getDesiredMode({ resource, state }: FileWork): string | undefined {
  const mode = resource.get('mode')
  return mode !== undefined && state.stat?.kind === 'directory' ? toDirectoryMode(mode) : mode
}

/** The message for a symbolic mode: both modes in octal, and the declared mode. */
export function formatModeChange(work: FileWork, is: unknown): string | undefined {
  const wanted = work.resource.get('mode') ?? ''
  if (/^\d+$/.test(wanted)) return undefined
  const before = Number.parseInt(String(is), 8)
  const after = computeModeBits(wanted, Number.isNaN(before) ? 0o644 : before, work.state.stat?.kind === 'directory')
  return `mode changed '${formatOctalMode(before)}' to '${formatOctalMode(after)}' (${wanted})`
}

type Who = 'owner' | 'group'

/**
 * IDs of the allowed users or groups; the file must have one of them. Empty in a noop run if a name
 * does not exist.
 */
async function resolveDesiredIds({ resource, system, noop }: FileWork, who: Who): Promise<readonly number[]> {
  const ids: number[] = []
  for (const wanted of resource.choices(who) as readonly (string | number)[]) {
    const id = await (who === 'owner' ? findUid : findGid)(system.files, wanted)
    if (id !== undefined) ids.push(id)
    else if (noop) return []
    else throw new Error(`Could not find ${who === 'owner' ? 'user' : 'group'} ${wanted}`)
  }
  return ids
}

/**
 * User and group ID for creating the file; undefined if not managed. If a managed owner does not
 * exist, the file gets this process's user, and `restorePermissions` reports the error.
 */
async function resolveDesiredOwners(work: FileWork): Promise<{ uid: number | undefined; gid: number | undefined }> {
  const { resource, system } = work
  const [owner, group] = [resource.get('owner'), resource.get('group')]
  return {
    uid: owner === undefined ? undefined : ((await findUid(system.files, owner)) ?? process.getuid?.()),
    gid: group === undefined ? undefined : ((await findGid(system.files, group)) ?? process.getgid?.()),
  }
}

/** True if the file has the desired `owner` or `group`. */
export async function isOwnerInSync(work: FileWork, who: Who, stat: FileStat | undefined): Promise<boolean> {
  const is = who === 'owner' ? stat?.uid : stat?.gid
  return (await resolveDesiredIds(work, who)).some((id) => id === is)
}

/** Sets the `owner` or the `group` of a file. */
export async function setOwner(work: FileWork, who: Who): Promise<void> {
  const [id] = await resolveDesiredIds(work, who)
  const stat = work.state.stat
  if (id === undefined || !stat) return
  const hasWantedMode = work.resource.has('mode') && isModeInSync(work, stat)
  const path = await resolveManagedPath(work)
  const [uid, gid] = who === 'owner' ? [id, stat.gid] : [stat.uid, id]
  await work.system.files.chown(path, uid, gid).catch((error: unknown) => {
    failWithMessage(`Failed to set ${who} to '${id}': ${formatError(error)}`)
  })
  const after = await readStatus(work)
  // chown(2) clears the setuid and setgid bits.
  if (hasWantedMode && after?.mode !== stat.mode) await changeMode(work, stat.mode)
}

/**
 * Replaces the name of the desired owner or group by the ID, which events contain. An unknown name
 * is not replaced. Stores the names for messages.
 */
async function resolveOwner({ resource, state, system: { files } }: FileWork, who: Who): Promise<void> {
  const { stat } = state
  const known =
    who === 'owner'
      ? (await listAccounts(files)).map(({ name, uid }) => [uid, name] as const)
      : (await listAccountGroups(files)).map(({ name, gid }) => [gid, name] as const)
  const choices = resource.choices(who) as readonly (string | number)[]
  const wanted = choices.map((each) => known.find(([, name]) => name === each)?.[0] ?? each)
  if (wanted.length > 0) resource.put(who, ...wanted)
  const ids = [who === 'owner' ? stat?.uid : stat?.gid, ...wanted]
  state.names[who] = new Map(known.filter(([id]) => ids.includes(id)))
}

/** The name of an owner or group; the ID if it has no name. */
export function formatOwner({ state }: FileWork, who: Who, value: unknown): string {
  return formatLogValue(state.names[who].get(value as number | string) ?? value)
}

/** Owner, group and permission bits of a POSIX system. */
export const posixPermissions: Permissions = {
  async read(work) {
    const { resource, state } = work
    for (const who of ['owner', 'group'] as const) if (resource.has(who)) await resolveOwner(work, who)
    const { stat } = state
    return stat ? { owner: stat.uid, group: stat.gid, mode: formatOctalMode(stat.mode) } : {}
  },
  async getReplacement(work) {
    const mode = getDesiredBits(work, 0o644) ?? (work.state.stat ? undefined : 0o644)
    return { mode, ...(await resolveDesiredOwners(work)) }
  },
  restore: restorePermissions,
}

/** Restores the desired mode and owners after a file was created. */
async function restorePermissions(work: FileWork): Promise<void> {
  const { resource } = work
  const stat = await readStatus(work)
  if (resource.has('owner') && !(await isOwnerInSync(work, 'owner', stat))) await setOwner(work, 'owner')
  if (resource.has('group') && !(await isOwnerInSync(work, 'group', stat))) await setOwner(work, 'group')
  if (resource.has('mode') && !isModeInSync(work, work.state.stat)) await setMode(work)
  await restoreContext(work)
}
