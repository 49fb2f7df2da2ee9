import { defineIssues, throwIssue } from '../../../../base/issue.ts'
import { formatError } from '../../../../language/ruby-semantics/errno.ts'
import type { FileStat } from '../../../../machine/system/system.ts'
import { type AccessEntry, aceFlags, replaceAccount } from '../../../../machine/windows/file-mode.ts'
import { requireFileName } from '../../../../machine/windows/file-names.ts'
import { getParentPath, isAbsolutePath, normalizePath } from '../../../../machine/windows/machine-path.ts'
import { failWithMessage, issues } from '../../issues.ts'
import { defineProvider, type ProviderWork } from '../../provider.ts'
import { type AclAttributes, acl, getAclTarget, listAccounts } from '../../types/windows/acl.ts'
import {
  type AclPermission,
  describePermission,
  inspectPermissions,
  reconcileInheritance,
} from '../../types/windows/acl-permission.ts'
import { AccessLists, type ExactList } from '../windows/access-lists.ts'
import { listRights, toEntry, toPermission } from './entries.ts'

const targetIssues = defineIssues({
  ACL_TARGET_UNUSABLE: {
    text: (a: { target: string; why: string }) => `Could not manage the access list of ${a.target}: ${a.why}`,
    hint: () => 'Name a folder or file by its drive, or a folder or file in a share.',
  },
})

interface State {
  path: string
  stat: FileStat | undefined
  /** Owner, group and list when the resource was read. */
  list: ExactList
  /** Security identifiers of the accounts in the declaration, by their names there. */
  sids: ReadonlyMap<string, string>
  /** Attributes that `flush` changes. */
  readonly changes: Set<string>
}

type AclWork = ProviderWork<AclAttributes, State>

/** An entry with the permission that it stands for. */
interface Rule {
  readonly entry: AccessEntry
  readonly permission: AclPermission
}

/** The provider of `acl`. */
export const aclWindows = defineProvider<AclAttributes, State>(acl, 'windows', {
  doc: 'Manages access lists with icacls.exe and PowerShell.',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  features: ['ace_order_required', 'can_inherit_parent_permissions'],
  begin: () => ({
    path: '',
    stat: undefined,
    list: { owner: '', group: '', entries: [], isProtected: false, names: new Map(), others: 0 },
    sids: new Map(),
    changes: new Set(),
  }),
  async read(work) {
    const { state } = work
    state.path = toTargetPath(work)
    await readList(work)
    state.sids = await (await AccessLists.ofRun(work)).findSids(listAccounts(work.resource))
    const { owner, group, isProtected } = state.list
    return { permissions: describe(work, listRules(work)), owner, group, inherit_parent_permissions: !isProtected }
  },
  inSync: {
    permissions: isListInSync,
    owner: (work, is) => isSameAccount(work, 'owner', is),
    group: (work, is) => isSameAccount(work, 'group', is),
  },
  set: {
    async permissions(work) {
      if (work.resource.get('purge') !== 'listed_permissions') requireAccounts(work)
      work.state.changes.add('permissions')
    },
    owner: async (work) => prepareAccount(work, 'owner', 'User'),
    group: async (work) => prepareAccount(work, 'group', 'Group'),
    inherit_parent_permissions: async ({ state }) => void state.changes.add('inherit_parent_permissions'),
  },
  flush,
  show: {
    permissions: (work, _, isWanted) =>
      inspectPermissions(describe(work, isWanted ? computeRules(work) : listRules(work)).filter(isExplicit)),
    owner: (work, value) => nameAccount(work, value),
    group: (work, value) => nameAccount(work, value),
  },
  desiredValues: {
    permissions: (work) => (work.resource.get('permissions') ?? []).map((each) => describePermission(each)),
  },
  list: async () => [],
})

const isExplicit = ({ is_inherited }: { readonly is_inherited?: unknown }): boolean => is_inherited !== true

/** The target as an absolute path. Relative paths, devices, streams, and paths that `icacls /restore` cannot name are rejected. */
function toTargetPath({ resource }: AclWork): string {
  const target = getAclTarget(resource)
  if (!isAbsolutePath(target, true)) throwIssue(issues.NOT_ABSOLUTE, { path: target })
  requireFileName(target, true)
  const path = normalizePath(target, true)
  const fail = (why: string) => throwIssue(targetIssues.ACL_TARGET_UNUSABLE, { target, why })
  if (path.startsWith('//?/')) fail('it has the prefix //?/')
  if (path.startsWith('//') && getParentPath(path, true) === path) fail('it is the root of a share')
  return path
}

/** Reads the descriptor again. A link is never followed, so that its owner cannot choose another file. */
async function readList(work: AclWork): Promise<void> {
  const { state, system, resource } = work
  const target = getAclTarget(resource)
  state.stat = await system.files.stat(state.path)
  if (state.stat?.kind === 'link')
    failWithMessage(
      `Puppet cannot manage ACLs of symbolic links (symlinks) on Windows. Resource target '${target}' is a symlink.`,
    )
  const prefix = `Failed to get security descriptor for path '${target}':`
  const missing = `Failed to open handle to '${target}':  The system cannot find the file specified.`
  if (!state.stat) return failWithMessage(`${prefix} ${missing}`)
  try {
    state.list = await (await AccessLists.ofRun(work)).readExact(state.path, state.stat)
  } catch (error) {
    failWithMessage(`${prefix} ${formatError(error)}`)
  }
}

const listRules = ({ state }: AclWork): readonly Rule[] =>
  state.list.entries.map((entry) => ({ entry, permission: toPermission(entry, state.list.names.get(entry.sid)) }))

/**
 * The declared permissions, each once: `bob` and `VM\bob` can be the same account. Only the file itself has those of a file.
 * Unknown accounts keep their name as identifier.
 */
function listDeclared({ resource, state }: AclWork): readonly Rule[] {
  const rules = new Map<string, Rule>()
  for (const each of resource.get('permissions') ?? []) {
    const isOfFile = state.stat?.kind !== 'directory' && each.affects === 'all'
    const permission = isOfFile ? reconcileInheritance({ ...each, affects: 'self_only' }) : each
    const rule = { entry: toEntry(permission, state.sids.get(each.identity) ?? each.identity), permission }
    const key = toKey(rule)
    if (!rules.has(key)) rules.set(key, rule)
  }
  return [...rules.values()]
}

/** A key that is equal for permissions of the same account, kind and inheritance, whatever their rights are. */
const toPlace = ({ entry, permission: { perm_type, child_types, affects, is_inherited } }: Rule): string =>
  [entry.sid, perm_type, child_types, affects, is_inherited].join(' ')

/** A key that is equal for permissions that have the same effect. */
function toKey(rule: Rule): string {
  const { mask } = rule.entry
  const rights = listRights(mask)
  return `${toPlace(rule)} ${rights.includes('mask_specific') ? mask >>> 0 : rights.join(' ')}`
}

function isListInSync(work: AclWork): boolean {
  const present = listRules(work)
    .filter(({ permission }) => !permission.is_inherited)
    .map(toKey)
  const wanted = listDeclared(work).map(toKey)
  const isEqual = (some: readonly string[]) =>
    some.length === wanted.length && some.every((key, at) => key === wanted[at])
  switch (work.resource.get('purge')) {
    case 'true':
      return isEqual(present)
    case 'listed_permissions':
      return !wanted.some((key) => present.includes(key))
    default:
      return isEqual([...new Set(present)].filter((key) => wanted.includes(key)))
  }
}

/** The explicit entries that the list should have: denied rights of others come before the first allowed ones. */
function computeRules(work: AclWork): readonly Rule[] {
  const purge = work.resource.get('purge')
  const rules = [...listDeclared(work)]
  if (purge === 'true') return rules
  const places = new Set(rules.map(toPlace))
  const others = listRules(work).filter((rule) => !rule.permission.is_inherited && !places.has(toPlace(rule)))
  if (purge === 'listed_permissions') return others
  for (const rule of others) {
    const firstAllowed = rules.findIndex(({ permission }) => permission.perm_type === 'allow')
    if (rule.permission.perm_type === 'deny' && firstAllowed >= 0) rules.splice(firstAllowed, 0, rule)
    else rules.push(rule)
  }
  return rules
}

const describe = (work: AclWork, rules: readonly Rule[]): readonly ReturnType<typeof describePermission>[] =>
  rules.map(({ entry, permission }) =>
    describePermission(permission, work.state.list.names.get(entry.sid) ?? nameAccount(work, permission.identity)),
  )

/** The name of an account with its domain, if Windows knows it. */
function nameAccount({ state }: AclWork, account: unknown): string {
  const sid = state.sids.get(String(account)) ?? String(account)
  return state.list.names.get(sid) ?? String(account)
}

const isSameAccount = ({ state, resource }: AclWork, who: 'owner' | 'group', is: unknown): boolean =>
  is === state.sids.get(resource.get(who) ?? '')

/** Fails if an account of the permissions does not exist. */
function requireAccounts({ resource, state }: AclWork): void {
  const unknown = (resource.get('permissions') ?? [])
    .map(({ identity }) => identity)
    .filter((name) => !state.sids.has(name))
  if (unknown.length > 0)
    failWithMessage(`Failed to set permissions for '${unknown.join(', ')}': User or users do not exist.`)
}

function prepareAccount({ resource, state }: AclWork, who: 'owner' | 'group', kind: string): void {
  const wanted = resource.get(who) ?? ''
  if (!state.sids.has(wanted)) failWithMessage(`Failed to set ${who} to '${wanted}': ${kind} does not exist.`)
  state.changes.add(who)
}

/** Changes owner, group and inheritance, and then the entries, which depend on them. */
async function flush(work: AclWork): Promise<void> {
  const { state, resource } = work
  const changes = new Set(state.changes)
  state.changes.clear()
  const isDescriptorChanged = ['owner', 'group', 'inherit_parent_permissions'].some((name) => changes.has(name))
  if (isDescriptorChanged) {
    let after: ExactList = state.list
    for (const who of ['owner', 'group'] as const)
      if (changes.has(who))
        after = { ...after, ...replaceAccount(after, who, state.sids.get(resource.get(who) ?? '')!) }
    if (changes.has('inherit_parent_permissions'))
      after = { ...after, isProtected: resource.get('inherit_parent_permissions') === 'false' }
    await write(work, after)
  }
  if (!changes.has('permissions') && !(isDescriptorChanged && resource.has('permissions'))) return
  if (resource.get('purge') !== 'listed_permissions') requireAccounts(work)
  const inherited = state.list.entries.filter(({ flags }) => flags & aceFlags.inherited)
  await write(work, { ...state.list, entries: [...computeRules(work).map(({ entry }) => entry), ...inherited] })
}

async function write(work: AclWork, after: ExactList): Promise<void> {
  const { state, resource } = work
  try {
    if (state.list.others > 0) failWithMessage('the list has entries that neither allow nor deny rights to an account')
    await (await AccessLists.ofRun(work)).writeExact(state.path, state.list, after)
  } catch (error) {
    failWithMessage(`Failed to set security descriptor for path '${getAclTarget(resource)}': ${formatError(error)}`)
  }
  await readList(work)
}
