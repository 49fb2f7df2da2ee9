import { errorText } from '../../../../language/ruby-semantics/errno.ts'
import { accountGroups, accounts, gidOf, uidOf } from '../../../../machine/system/accounts.ts'
import type { FileStat } from '../../../../machine/system/system.ts'
import { display } from '../../display.ts'
import { complain } from '../../issues.ts'
import { directoryMode, modeBits, octalMode } from '../../mode.ts'
import { fixContext } from './context-properties.ts'
import { effectivePath, type FileWork, look } from './file-work.ts'

/** The desired permission bits, relative to the present ones. */
export function wantedBits({ resource, state }: FileWork, fallback: number): number | undefined {
  const mode = resource.get('mode')
  if (mode === undefined) return undefined
  const isDirectory = state.stat?.kind === 'directory'
  return modeBits(isDirectory ? directoryMode(mode) : mode, state.stat?.mode ?? fallback, isDirectory)
}

/** False for a link, as a link's own mode cannot be managed. */
function managesMode({ resource, state }: FileWork): boolean {
  return state.stat?.kind !== 'link' || resource.get('links') === 'follow'
}

/** True if the permission bits equal `mode`, or are not managed. */
export function modeInSync(work: FileWork, stat: FileStat | undefined): boolean {
  if (!managesMode(work)) {
    work.log('debug', 'Not managing symlink mode', 'mode')
    return true
  }
  return stat?.mode === wantedBits(work, 0o644)
}

/** Sets the permission bits of a file. */
export async function setMode(work: FileWork): Promise<void> {
  const bits = wantedBits(work, 0o644)
  if (bits !== undefined) await chmodTo(work, bits)
}

async function chmodTo(work: FileWork, bits: number): Promise<void> {
  const { name } = work.resource
  await work.system.files.chmod(await effectivePath(work), bits).catch((error: unknown) => {
    complain(`failed to set mode ${bits.toString(8)} on ${name}: ${errorText(error)}`)
  })
  await look(work)
}

/** The mode for messages: `'0644'`. A symbolic mode is shown as the resulting bits. */
export function showMode(work: FileWork, value: unknown): string {
  if (value === 'absent' || value === undefined) return "'absent'"
  const text = String(value)
  return `'${work.state.stat?.kind === 'directory' ? directoryMode(text) : text}'`
}

/** The desired mode for events. For a directory, each `r` includes `x`. */
export function desiredMode({ resource, state }: FileWork): string | undefined {
  const mode = resource.get('mode')
  return mode !== undefined && state.stat?.kind === 'directory' ? directoryMode(mode) : mode
}

/** The message for a symbolic mode: both modes in octal, and the declared mode. */
export function modeChangeText(work: FileWork, is: unknown): string | undefined {
  const wanted = work.resource.get('mode') ?? ''
  if (/^\d+$/.test(wanted)) return undefined
  const before = Number.parseInt(String(is), 8)
  const after = modeBits(wanted, Number.isNaN(before) ? 0o644 : before, work.state.stat?.kind === 'directory')
  return `mode changed '${octalMode(before)}' to '${octalMode(after)}' (${wanted})`
}

type Who = 'owner' | 'group'

/**
 * IDs of the allowed users or groups; the file must have one of them. Empty in a noop run if a name
 * does not exist.
 */
async function wantedIds({ resource, system, noop }: FileWork, who: Who): Promise<readonly number[]> {
  const ids: number[] = []
  for (const wanted of resource.choices(who) as readonly (string | number)[]) {
    const id = await (who === 'owner' ? uidOf : gidOf)(system.files, wanted)
    if (id !== undefined) ids.push(id)
    else if (noop) return []
    else throw new Error(`Could not find ${who === 'owner' ? 'user' : 'group'} ${wanted}`)
  }
  return ids
}

/**
 * User and group ID for creating the file; undefined if not managed. If a managed owner does not
 * exist, the file gets this process's user, and `fixPermissions` reports the error.
 */
export async function wantedOwners(work: FileWork): Promise<{ uid: number | undefined; gid: number | undefined }> {
  const { resource, system } = work
  const [owner, group] = [resource.get('owner'), resource.get('group')]
  return {
    uid: owner === undefined ? undefined : ((await uidOf(system.files, owner)) ?? process.getuid?.()),
    gid: group === undefined ? undefined : ((await gidOf(system.files, group)) ?? process.getgid?.()),
  }
}

/** True if the file has the desired `owner` or `group`. */
export async function ownerInSync(work: FileWork, who: Who, stat: FileStat | undefined): Promise<boolean> {
  const is = who === 'owner' ? stat?.uid : stat?.gid
  return (await wantedIds(work, who)).some((id) => id === is)
}

/** Sets the `owner` or the `group` of a file. */
export async function setOwner(work: FileWork, who: Who): Promise<void> {
  const [id] = await wantedIds(work, who)
  const stat = work.state.stat
  if (id === undefined || !stat) return
  const hasWantedMode = work.resource.has('mode') && modeInSync(work, stat)
  const path = await effectivePath(work)
  const [uid, gid] = who === 'owner' ? [id, stat.gid] : [stat.uid, id]
  await work.system.files.chown(path, uid, gid).catch((error: unknown) => {
    complain(`Failed to set ${who} to '${id}': ${errorText(error)}`)
  })
  const after = await look(work)
  // chown(2) clears the setuid and setgid bits.
  if (hasWantedMode && after?.mode !== stat.mode) await chmodTo(work, stat.mode)
}

/**
 * Replaces the name of the desired owner or group by the ID, which events contain. An unknown name
 * is not replaced. Stores the names for messages.
 */
export async function resolveOwner({ resource, state, system: { files } }: FileWork, who: Who): Promise<void> {
  const { stat } = state
  const known =
    who === 'owner'
      ? (await accounts(files)).map(({ name, uid }) => [uid, name] as const)
      : (await accountGroups(files)).map(({ name, gid }) => [gid, name] as const)
  const choices = resource.choices(who) as readonly (string | number)[]
  const wanted = choices.map((each) => known.find(([, name]) => name === each)?.[0] ?? each)
  if (wanted.length > 0) resource.put(who, ...wanted)
  const ids = [who === 'owner' ? stat?.uid : stat?.gid, ...wanted]
  state.names[who] = new Map(known.filter(([id]) => ids.includes(id)))
}

/** The name of an owner or group; the ID if it has no name. */
export function showOwner({ state }: FileWork, who: Who, value: unknown): string {
  return display(state.names[who].get(value as number) ?? value)
}

/** Restores the desired mode and owners after a file was created. */
export async function fixPermissions(work: FileWork): Promise<void> {
  const { resource } = work
  const stat = await look(work)
  if (resource.has('owner') && !(await ownerInSync(work, 'owner', stat))) await setOwner(work, 'owner')
  if (resource.has('group') && !(await ownerInSync(work, 'group', stat))) await setOwner(work, 'group')
  if (resource.has('mode') && !modeInSync(work, work.state.stat)) await setMode(work)
  await fixContext(work)
}
