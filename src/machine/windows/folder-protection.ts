import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode, ignoreMissingFile } from '../../base/system-error.ts'
import { type AccessTool, accountSids, readAccessList, runAccessTool, splitAccessList } from './access-control.ts'
import { readOwner } from './folder-owner.ts'
import { isWindows, listParentPaths, toBackslashes } from './machine-path.ts'
import { isPrivileged } from './privilege.ts'

const issues = defineIssues({
  FOLDER_NOT_PROTECTED: {
    text: (a: { path: string; why: string }) => `Could not protect ${a.path}: ${a.why}`,
    hint: (a) =>
      `Run \`icacls ${toBackslashes(a.path)}\` to see who has access. Another user may have created the folder.`,
  },
})

/** The account of the process, and the tools that read and change access lists. */
interface ProtectionOptions {
  readonly runTool?: AccessTool
  readonly findOwner?: (path: string) => Promise<string | undefined>
  readonly isNeeded?: boolean
}

/** The result of the protection of a folder. */
export interface FolderProtection {
  /** False if access lists cannot be read (Wine has none): the caller prints a warning. */
  readonly isKnown: boolean
  /** The new name of a folder that another user may have created or changed. */
  readonly setAside?: string
}

/** Full access, inherited by files and folders. */
const grants = [accountSids.system, accountSids.administrators].map((sid) => `*${sid}:(OI)(CI)F`)

/** Owners in SDDL that are not users: Administrators, SYSTEM. */
const trustedOwners: readonly (string | undefined)[] = ['BA', 'SY', accountSids.administrators, accountSids.system]

/** Maximum number of folders that are created while another user recreates the folder or adds to it. */
const attempts = 3

/**
 * Makes a folder that belongs to the Administrators and that only SYSTEM and Administrators can access, as mode 0700 of root.
 * An existing folder is kept only if it has this owner, and other users cannot write to it. The content of any other folder
 * may come from another user, who may also have files of it open: an empty folder is replaced, another one gets a new name.
 * Does nothing on other systems than Windows, and for a user without the rights of an administrator, whose folders are in the
 * user's profile.
 *
 * @throws FOLDER_NOT_PROTECTED, also for a link in place of the folder or directly in it
 */
export async function protectFolder(
  path: string,
  { runTool = runAccessTool, findOwner = readOwner, isNeeded = isWindows && isPrivileged() }: ProtectionOptions = {},
): Promise<FolderProtection> {
  if (!isNeeded) return { isKnown: true }
  const found = await inspectFolder(path, runTool, findOwner)
  if (found === 'protected' || found === 'unknown') return { isKnown: found === 'protected' }
  if (found === 'readable') return { isKnown: await closeFolder(path, runTool, true) }
  let setAside: string | undefined
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0 || found === 'open') setAside = (await removeFolder(path)) ?? setAside
    if (!(await createFolder(path))) continue
    if (!(await closeFolder(path, runTool))) return { isKnown: false }
    if ((await readdir(path)).length === 0) return { isKnown: true, ...(setAside !== undefined && { setAside }) }
  }
  return throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: 'another user changes it at the same time' })
}

/**
 * The state of a folder. `open`: another user may have changed the content. `readable`: other users can only read.
 * `unknown`: there are no access lists. Throws FOLDER_NOT_PROTECTED for a link or a file.
 */
async function inspectFolder(
  path: string,
  runTool: AccessTool,
  findOwner: (path: string) => Promise<string | undefined>,
): Promise<'missing' | 'open' | 'unknown' | 'readable' | 'protected'> {
  await requireFolder(path)
  if ((await ignoreMissingFile(lstat(path))) === undefined) return 'missing'
  const { status, list } = await readAccessList(path, runTool)
  if (status === 0 && list === undefined) return 'unknown'
  if (list === undefined || splitAccessList(list).entries.some((entry) => isHarmful(entry, false))) return 'open'
  // A user who created the folder can give it the same list, and can change the list later.
  const owner = await findOwner(path)
  if (owner === undefined) throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: 'PowerShell cannot read its owner' })
  if (!trustedOwners.includes(owner)) return 'open'
  await requireFolder(path)
  const link = (await readdir(path, { withFileTypes: true })).find((entry) => entry.isSymbolicLink())
  if (link) throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: `${link.name} in it is a link` })
  return isProtectedList(list) ? 'protected' : 'readable'
}

async function requireFolder(path: string): Promise<void> {
  const stat = await ignoreMissingFile(lstat(path))
  if (stat && !stat.isDirectory()) throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: 'it is a link or a file' })
}

/** Removes an empty folder; renames another one and returns its new name. */
async function removeFolder(path: string): Promise<string | undefined> {
  const aside = `${path}.untrusted.${randomBytes(6).toString('hex')}`
  try {
    await rmdir(path)
    return undefined
  } catch {
    return rename(path, aside).then(
      () => aside,
      (error: unknown) => {
        const code = getSystemErrorCode(error)
        if (code === 'ENOENT') return undefined
        return throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: `it could not be renamed (${code})` })
      },
    )
  }
}

/** Creates a folder; false if another process has created it. */
async function createFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (getSystemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Gives a folder to the Administrators, with its access list. Returns false if there are no access lists. */
async function closeFolder(path: string, runTool: AccessTool, hasContent = false): Promise<boolean> {
  const run = async (name: string, ...args: readonly string[]) => {
    const { status, output } = await runTool([toBackslashes(name), ...args, '/L', '/Q'])
    if (status !== 0) throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: output.trim() })
  }
  await run(path, '/setowner', `*${accountSids.administrators}`)
  if (hasContent) await run(path, '/reset')
  await run(path, '/inheritance:r', '/grant:r', ...grants)
  if (hasContent && (await readdir(path)).length > 0) await run(`${path}/*`, '/reset', '/T')
  const { status, output, list } = await readAccessList(path, runTool)
  if (status !== 0) throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: output.trim() })
  if (list !== undefined && !isProtectedList(list))
    throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: `its access list is still ${list}` })
  return list !== undefined
}

const protectedEntries = '(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)'

/** True if nothing is inherited, and only SYSTEM and Administrators have access. */
function isProtectedList(list: string): boolean {
  const { flags, entries } = splitAccessList(list)
  return flags.startsWith('P') && entries.toSorted().join('') === protectedEntries
}

/**
 * True if only SYSTEM and Administrators have access to a folder, as after `protectFolder`; undefined if its access list
 * cannot be read. Changes nothing.
 */
export async function isFolderProtected(
  path: string,
  { runTool = runAccessTool }: Pick<ProtectionOptions, 'runTool'> = {},
): Promise<boolean | undefined> {
  const { list } = await readAccessList(path, runTool)
  return list === undefined ? undefined : isProtectedList(list)
}

const administrators = new Set([...trustedOwners, accountSids.trustedInstaller])

/** Rights in SDDL that change nothing: those of reading and running, and single bits of the number. */
const readingRights = new Set(['FR', 'FX', 'GR', 'GX', 'RC', 'CC', 'SW', 'WP', 'LO'])
const readingBits = 0xa01200a9
/** Rights to replace a folder or its content: DELETE, FILE_DELETE_CHILD and greater ones. */
const replacingRights = new Set(['FA', 'GA', 'SD', 'DT', 'WD', 'WO'])
const replacingBits = 0x100d0040

/** True if an entry of a list in SDDL lets another account than administrators change a folder, or replace a parent folder. */
function isHarmful(entry: string, isParent: boolean): boolean {
  const [kind = '', flags = '', rights = '', , , account = ''] = entry.slice(1, -1).split(';')
  if (kind !== 'A') return kind !== 'D'
  if (administrators.has(account)) return false
  // Windows replaces CREATOR OWNER by the account that creates a file; the other entries name these accounts.
  if (/^(?:..)*IO/.test(flags) && (isParent || account === 'CO')) return false
  const names = rights.match(/../g) ?? []
  if (isParent)
    return rights.startsWith('0x')
      ? (Number(rights) & replacingBits) !== 0
      : names.some((name) => replacingRights.has(name))
  return rights.startsWith('0x')
    ? (Number(rights) & ~readingBits) !== 0
    : !names.every((name) => readingRights.has(name))
}

/**
 * True if only SYSTEM, Administrators and TrustedInstaller can change a folder, or replace it by a change of the folders
 * above; other users may read it. Undefined if the access lists cannot be read.
 */
export async function isFolderReadOnly(
  path: string,
  { runTool = runAccessTool, findOwner = readOwner }: Omit<ProtectionOptions, 'isNeeded'> = {},
): Promise<boolean | undefined> {
  for (const [at, folder] of [path, ...listParentPaths(path, true)].entries()) {
    const { status, list } = await readAccessList(folder, runTool)
    if (list === undefined) return status === 0 ? undefined : false
    if (splitAccessList(list).entries.some((entry) => isHarmful(entry, at > 0))) return false
  }
  const owner = await findOwner(path)
  return owner === undefined ? undefined : administrators.has(owner)
}
