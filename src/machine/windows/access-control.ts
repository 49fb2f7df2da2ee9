import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { startChildProcess } from '../../base/program/child-process.ts'
import { ignoreMissingFile } from '../../base/system-error.ts'
import { getParentPath, isWindows, toBackslashes } from './machine-path.ts'
import { isPrivileged } from './privilege.ts'
import { getSystemProgram } from './system-programs.ts'

const issues = defineIssues({
  FOLDER_NOT_PROTECTED: {
    text: (a: { path: string; why: string }) => `Could not protect ${a.path}: ${a.why}`,
    hint: (a) => `Run \`icacls ${toBackslashes(a.path)}\` to see who has access.`,
  },
  ACCESS_NOT_KEPT: {
    text: (a: { path: string; why: string }) => `Could not keep the access list of ${a.path}: ${a.why}`,
  },
})

/** Security identifiers of the accounts of Windows that have the same identifier on every machine. */
export const accountSids = {
  nobody: 'S-1-0-0',
  everyone: 'S-1-1-0',
  creatorOwner: 'S-1-3-0',
  creatorGroup: 'S-1-3-1',
  system: 'S-1-5-18',
  administrators: 'S-1-5-32-544',
  allAppPackages: 'S-1-15-2-1',
} as const

/** Exit status and output of `icacls.exe`. */
export interface AccessToolResult {
  readonly status: number
  readonly output: string
}

/** Runs `icacls.exe` with arguments. */
export type AccessTool = (args: readonly string[]) => Promise<AccessToolResult>

/** The account of the process, and the tool that changes access lists. */
interface ProtectionOptions {
  readonly runTool?: AccessTool
  readonly isNeeded?: boolean
}

/**
 * Gives a folder and everything in it to the Administrators, with access for SYSTEM and Administrators only, as mode 0700
 * of root. Creates the folder if it is missing. An unchanged folder costs two processes. Does nothing on other systems than
 * Windows, and for a user without the rights of an administrator, whose folders are in the user's profile.
 *
 * @returns false if the access list could not be read back (Wine has no access lists): the caller logs a warning
 * @throws FOLDER_NOT_PROTECTED, also for a link in place of the folder: another user may have put it there
 */
export async function protectFolder(
  path: string,
  { runTool = runAccessTool, isNeeded = isWindows && isPrivileged() }: ProtectionOptions = {},
): Promise<boolean> {
  if (!isNeeded) return true
  await mkdir(path, { recursive: true })
  if (!(await lstat(path)).isDirectory())
    throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: 'it is a link or a file' })
  const run = async (name: string, ...args: readonly string[]) => {
    const { status, output } = await runTool([toBackslashes(name), ...args, '/L', '/Q'])
    if (status !== 0) throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: output.trim() })
  }
  // An owner can always change the access list; users may create folders in C:/ProgramData.
  await run(path, '/setowner', `*${accountSids.administrators}`)
  const before = await readAccessList(path, runTool, path)
  if (before === undefined) return false
  if (isProtectedList(before)) return true
  await run(path, '/reset')
  await run(path, '/inheritance:r', '/grant:r', ...grants)
  // The content may be older than the protection.
  if ((await readdir(path)).length > 0) {
    await run(`${path}/*`, '/setowner', `*${accountSids.administrators}`, '/T')
    await run(`${path}/*`, '/reset', '/T')
  }
  const after = await readAccessList(path, runTool, path)
  if (after !== undefined && !isProtectedList(after))
    throwIssue(issues.FOLDER_NOT_PROTECTED, { path, why: `its access list is still ${after}` })
  return after !== undefined
}

/**
 * Gives a new file the access list of the file that it will replace, if that list has entries of its own. A list that is
 * inherited from the folder needs no copy. Throws ACCESS_NOT_KEPT.
 */
export async function copyAccessList(from: string, to: string, runTool: AccessTool = runAccessTool): Promise<void> {
  const list = await readAccessList(from, runTool, getParentPath(to))
  if (list === undefined || hasInheritedEntriesOnly(list)) return
  const saved = createListPath(getParentPath(to))
  try {
    // The format of `icacls /save`: the name, and the list, in UTF-16.
    await writeFile(saved, `${to.slice(to.lastIndexOf('/') + 1)}\r\n${list}\r\n`, { encoding: 'utf16le', flag: 'wx' })
    const { status, output } = await runTool([toBackslashes(getParentPath(to)), '/restore', toBackslashes(saved), '/Q'])
    if (status !== 0) throwIssue(issues.ACCESS_NOT_KEPT, { path: from, why: output.trim() })
  } finally {
    await rm(saved, { force: true })
  }
}

function hasInheritedEntriesOnly(list: string): boolean {
  const [, flags = '', entries = ''] = accessList.exec(list) ?? []
  return (
    !flags.startsWith('P') && (entries.match(/\([^()]*\)/g) ?? []).every((entry) => /^\([A-Z]*;[A-Z]*ID/.test(entry))
  )
}

/** Flags and entries of a list in SDDL. */
const accessList = /^D:([A-Z]*)((?:\([^()]*\))*)/

/** Full access, inherited by files and folders. */
const grants = [accountSids.system, accountSids.administrators].map((sid) => `*${sid}:(OI)(CI)F`)

/** A path for a list that `icacls` reads or writes, with the name of a temporary file. */
const createListPath = (folder: string): string => `${folder}/.access.${randomBytes(6).toString('hex')}.tmp`

/** The access list of a path in SDDL, such as `D:PAI(A;OICI;FA;;;SY)`; undefined if `icacls` did not write it. */
async function readAccessList(path: string, runTool: AccessTool, folder: string): Promise<string | undefined> {
  const saved = createListPath(folder)
  try {
    await runTool([toBackslashes(path), '/save', toBackslashes(saved), '/L', '/Q'])
    const lines = (await ignoreMissingFile(readFile(saved, 'utf16le')))?.split(/\r?\n/)
    return lines?.find((line) => line.startsWith('D:'))
  } finally {
    await rm(saved, { force: true })
  }
}

/** True if nothing is inherited, and only SYSTEM and Administrators have access. */
function isProtectedList(list: string): boolean {
  const [, flags = '', entries = ''] = accessList.exec(list) ?? []
  return (
    flags.startsWith('P') &&
    entries
      .match(/\([^()]*\)/g)
      ?.sort()
      .join('') === protectedEntries
  )
}

const protectedEntries = '(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)'

function runAccessTool(args: readonly string[]): Promise<AccessToolResult> {
  return new Promise((done) => {
    startChildProcess(() =>
      execFile(getSystemProgram('icacls.exe'), [...args], { windowsHide: true }, (error, stdout, stderr) =>
        done({ status: error === null ? 0 : 1, output: `${stdout}${stderr}` || String(error ?? '') }),
      ),
    )
  })
}

/**
 * True if only SYSTEM and Administrators have access to a folder, as after `protectFolder`; undefined if its access list
 * cannot be read. Changes nothing.
 */
export async function isFolderProtected(
  path: string,
  { runTool = runAccessTool }: Pick<ProtectionOptions, 'runTool'> = {},
): Promise<boolean | undefined> {
  const list = await readAccessList(path, runTool, path)
  return list === undefined ? undefined : isProtectedList(list)
}
