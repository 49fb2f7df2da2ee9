import { type AccessEntry, aceFlags } from '../../../../machine/windows/file-mode.ts'
import type { AclPermission, AclRight } from '../../types/windows/acl-permission.ts'

// Access masks, with the names of the Windows SDK.
const genericAll = 0x1000_0000
const genericWrite = 0x4000_0000
const genericRead = 0x8000_0000
const genericExecute = 0x2000_0000
const deleteFile = 0x1_0000
const fileAllAccess = 0x1f_01ff
const fileGenericRead = 0x12_0089
const fileGenericWrite = 0x12_0116
const fileGenericExecute = 0x12_00a0

/** Rights below `modify`: for files, and the generic rights of any object. */
const simpleRights: readonly (readonly [right: AclRight, file: number, generic: number])[] = [
  ['write', fileGenericWrite, genericWrite],
  ['read', fileGenericRead, genericRead],
  ['execute', fileGenericExecute, genericExecute],
]

const modifyMask = deleteFile | fileGenericWrite | fileGenericRead | fileGenericExecute

const contains = (mask: number, rights: number): boolean => (mask & rights) >>> 0 === rights

/** The rights of a mask; `mask_specific` if they do not describe it completely. */
export function listRights(mask: number): readonly AclRight[] {
  if (contains(mask, genericAll) || contains(mask, fileAllAccess)) return ['full']
  const rights: AclRight[] = []
  let rest = mask
  for (const [right, file, generic] of simpleRights) {
    for (const bits of [file, generic]) {
      if (!contains(mask, bits)) continue
      rights.push(right)
      rest &= ~bits
    }
  }
  const isModify = rights.length === simpleRights.length && contains(mask, deleteFile)
  if (isModify) rest &= ~deleteFile
  if (rights.length === 0 || rest !== 0) return ['mask_specific']
  return isModify ? ['modify'] : rights
}

function toMask({ rights, mask }: AclPermission): number {
  if (rights.includes('mask_specific')) return Number(mask)
  if (rights.includes('full')) return fileAllAccess
  if (rights.includes('modify')) return modifyMask
  return simpleRights.reduce((bits, [right, file]) => (rights.includes(right) ? bits | file : bits), 0)
}

/** An entry of a list as a permission of the account with this name. */
export function toPermission({ kind, sid, mask, flags }: AccessEntry, name: string | undefined): AclPermission {
  return {
    identity: name ?? sid,
    rights: listRights(mask),
    mask: String(mask >>> 0),
    perm_type: kind,
    child_types: toChildTypes(flags),
    affects: toAffects(flags),
    is_inherited: (flags & aceFlags.inherited) !== 0,
    warnings: [],
  }
}

function toChildTypes(flags: number): AclPermission['child_types'] {
  const objects = (flags & aceFlags.objectInherit) !== 0
  if (flags & aceFlags.containerInherit) return objects ? 'all' : 'containers'
  return objects ? 'objects' : 'none'
}

function toAffects(flags: number): AclPermission['affects'] {
  const isOnce = (flags & aceFlags.noPropagate) !== 0
  if (flags & aceFlags.inheritOnly) return isOnce ? 'direct_children_only' : 'children_only'
  if (toChildTypes(flags) === 'none') return 'self_only'
  return isOnce ? 'self_and_direct_children_only' : 'all'
}

const childFlags: Readonly<Record<AclPermission['child_types'], number>> = {
  all: aceFlags.objectInherit | aceFlags.containerInherit,
  objects: aceFlags.objectInherit,
  containers: aceFlags.containerInherit,
  none: 0,
}

const affectFlags: Readonly<Record<AclPermission['affects'], number>> = {
  all: 0,
  self_only: 0,
  children_only: aceFlags.inheritOnly,
  self_and_direct_children_only: aceFlags.noPropagate,
  direct_children_only: aceFlags.noPropagate | aceFlags.inheritOnly,
}

/** The entry of a list for a permission of an account. */
export function toEntry(permission: AclPermission, sid: string): AccessEntry {
  const { perm_type, child_types, affects } = permission
  const flags = affects === 'self_only' || child_types === 'none' ? 0 : childFlags[child_types] | affectFlags[affects]
  return { kind: perm_type, sid, mask: toMask(permission), flags }
}
