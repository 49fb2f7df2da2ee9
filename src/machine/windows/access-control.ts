import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { ignoreMissingFile } from '../../base/system-error.ts'
import { runLimitedProgram } from './limited-program.ts'
import { getParentPath, toBackslashes } from './machine-path.ts'
import { getSystemProgram } from './system-programs.ts'

const issues = defineIssues({
  ACCESS_NOT_KEPT: {
    text: (a: { path: string; why: string }) => `Could not keep the access list of ${a.path}: ${a.why}`,
  },
  ACCESS_NOT_RESTRICTED: {
    text: (a: { path: string; why: string }) => `Could not restrict the access to ${a.path}: ${a.why}`,
  },
})

/** Security identifiers of the accounts of Windows that have the same identifier on every machine. */
export const accountSids = {
  nobody: 'S-1-0-0',
  everyone: 'S-1-1-0',
  creatorOwner: 'S-1-3-0',
  creatorGroup: 'S-1-3-1',
  /** Rights of the owner of each file, whoever it is. */
  ownerRights: 'S-1-3-4',
  system: 'S-1-5-18',
  administrators: 'S-1-5-32-544',
  allAppPackages: 'S-1-15-2-1',
  localService: 'S-1-5-19',
  networkService: 'S-1-5-20',
  /** The service that installs Windows and its updates, and owns parts of Windows. */
  trustedInstaller: 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
} as const

/** Exit status and output of `icacls.exe`. */
export interface AccessToolResult {
  readonly status: number
  readonly output: string
}

/** Runs `icacls.exe` with arguments. */
export type AccessTool = (args: readonly string[]) => Promise<AccessToolResult>

/** The access list of a path in SDDL, such as `D:PAI(A;OICI;FA;;;SY)`, with the result of the tool. */
interface ReadAccessList extends AccessToolResult {
  /** Undefined if the tool failed, or wrote no list: Wine has no access lists. */
  readonly list: string | undefined
}

/** Reads the access list of a path. */
export function readAccessList(path: string, runTool: AccessTool = runAccessTool): Promise<ReadAccessList> {
  return withListFile(async (saved) => {
    const result = await runTool([toBackslashes(path), '/save', toBackslashes(saved), '/L', '/Q'])
    const lines = (await ignoreMissingFile(readFile(saved, 'utf16le')))?.split(/\r?\n/)
    return { ...result, list: result.status === 0 ? lines?.find((line) => line.startsWith('D:')) : undefined }
  })
}

/** The access list of a file, if it has entries of its own; undefined if the file inherits the whole list from its folder. */
export async function readOwnAccessList(path: string, runTool: AccessTool): Promise<string | undefined> {
  const { list } = await readAccessList(path, runTool)
  return list === undefined || hasInheritedEntriesOnly(list) ? undefined : list
}

/** Gives a file the access list that `readOwnAccessList` returned for another file. Throws ACCESS_NOT_KEPT. */
export async function restoreAccessList(
  path: string,
  { list, from }: { readonly list: string; readonly from: string },
  runTool: AccessTool,
): Promise<void> {
  const { status, output } = await writeAccessList(path, list, runTool)
  if (status !== 0) throwIssue(issues.ACCESS_NOT_KEPT, { path: from, why: output.trim() })
}

/** Sets the access list of a path. The list is in SDDL, as `readAccessList` returns it. A link is not followed. */
export function writeAccessList(path: string, list: string, runTool: AccessTool): Promise<AccessToolResult> {
  return withListFile(async (saved) => {
    // The format of `icacls /save`: the name, and the list, in UTF-16.
    const lines = `${path.slice(path.lastIndexOf('/') + 1)}\r\n${list}\r\n`
    await writeFile(saved, lines, { encoding: 'utf16le', flag: 'wx' })
    return runTool([toBackslashes(getParentPath(path, true)), '/restore', toBackslashes(saved), '/L', '/Q'])
  })
}

/** Lets only SYSTEM, Administrators and the owner access a file. Throws ACCESS_NOT_RESTRICTED. */
export async function restrictAccess(path: string, runTool: AccessTool): Promise<void> {
  const { system, administrators, ownerRights } = accountSids
  const grants = [system, administrators, ownerRights].map((sid) => `*${sid}:F`)
  const { status, output } = await runTool([toBackslashes(path), '/inheritance:r', '/grant:r', ...grants, '/L', '/Q'])
  if (status !== 0) throwIssue(issues.ACCESS_NOT_RESTRICTED, { path, why: output.trim() })
}

/**
 * Calls `work` with the path of a file for a list, which `icacls` reads or writes. The file is in a folder of its own below
 * the folder of temporary files, so that no user who can write to the folder of the list can change it.
 */
async function withListFile<Result>(work: (file: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'plumb-acl-'))
  try {
    return await work(join(folder, 'list'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Flags and entries of a list in SDDL. */
const accessList = /^D:([A-Z]*)((?:\([^()]*\))*)/

/** The flags and entries of a list in SDDL. Entries with conditions, which contain parentheses, become `(unread)`. */
export function splitAccessList(list: string): { readonly flags: string; readonly entries: readonly string[] } {
  const [read = '', flags = '', entries = ''] = accessList.exec(list) ?? []
  const rest = list.slice(read.length).trim()
  return {
    flags,
    entries: [...(entries.match(/\([^()]*\)/g) ?? []), ...(rest === '' || rest.startsWith('S:') ? [] : ['(unread)'])],
  }
}

function hasInheritedEntriesOnly(list: string): boolean {
  const { flags, entries } = splitAccessList(list)
  return !flags.startsWith('P') && entries.every((entry) => /^\([A-Z]*;[A-Z]*ID/.test(entry))
}

/** Runs `icacls.exe`, within the budget of time. */
export function runAccessTool(args: readonly string[]): Promise<AccessToolResult> {
  return runLimitedProgram(getSystemProgram('icacls.exe'), args)
}
