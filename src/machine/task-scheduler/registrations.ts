import { hasRegistryKey, readRegistryKey, readRegistryTree } from '../registry/registry.ts'
import type { RegistryKey } from '../registry/registry-file.ts'
import type { System } from '../system/system.ts'
import { accountSids } from '../windows/access-control.ts'
import { isIntactTask } from './task-tool.ts'

/** Registered tasks and their folders. Unlike the folder of their files, only the task scheduler writes to it. */
const registrations = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Schedule\\TaskCache\\Tree'

/** Accounts that can do everything on this machine anyway. */
const trustedOwners: readonly string[] = [accountSids.system, accountSids.administrators, accountSids.trustedInstaller]

/** Registration of a task. */
export interface TaskRegistration {
  /** False if an account without the rights of an administrator registered the task or created a folder above it. */
  readonly isTrusted: boolean
}

/** Finds the registration of a task; undefined for a file that some user wrote to the folder of the tasks. */
export async function findTaskRegistration(system: System, name: string): Promise<TaskRegistration | undefined> {
  const names = name.split('\\')
  const task = await readRegistryKey(system, `${registrations}\\${name}`)
  if (!task || !isTask(task)) {
    const isKept = !task && !(await hasRegistryKey(system, registrations, 64))
    return isKept ? { isTrusted: true } : undefined
  }
  let isTrusted = hasTrustedOwner(task)
  for (let length = names.length - 1; isTrusted && length > 0; length--) {
    const folder = await readRegistryKey(system, `${registrations}\\${names.slice(0, length).join('\\')}`)
    isTrusted = folder !== undefined && hasTrustedOwner(folder)
  }
  // A user who made the folder before its first task can replace files in it.
  if (isTrusted && names.length > 1) isTrusted = await isIntactTask(system.commands, name)
  return { isTrusted }
}

/** Names of all registered tasks, with their folders; undefined if this Windows keeps no registrations, as Wine. */
export async function listTaskRegistrations(system: System): Promise<readonly string[] | undefined> {
  const keys = await readRegistryTree(system, registrations)
  return keys.length === 0 ? undefined : keys.filter(isTask).map(({ path }) => path.slice(registrations.length + 1))
}

const findData = ({ values }: RegistryKey, name: string): Buffer | undefined =>
  values.find((each) => each.name.toLowerCase() === name)?.data

/** The key of a folder has no `Id`. */
const isTask = (key: RegistryKey): boolean => findData(key, 'id') !== undefined

/** A key without a security descriptor is that of a Windows before 10, or only SYSTEM has removed the descriptor. */
function hasTrustedOwner(key: RegistryKey): boolean {
  const descriptor = findData(key, 'sd')
  return descriptor === undefined || trustedOwners.includes(readOwnerSid(descriptor) ?? '')
}

const sidHead = 8

/** The SID of the owner in a self-relative security descriptor; undefined if it is damaged. */
export function readOwnerSid(descriptor: Buffer): string | undefined {
  if (descriptor.length < sidHead) return undefined
  const sid = descriptor.subarray(descriptor.readUInt32LE(4))
  const count = sid[1] ?? 0
  if (sid.length < sidHead + 4 * count || sid.length < sidHead) return undefined
  const parts = Array.from({ length: count }, (_, index) => sid.readUInt32LE(sidHead + 4 * index))
  return ['S', sid[0], sid.readUIntBE(2, 6), ...parts].join('-')
}
