import { posix } from 'node:path'
import { budgets } from '../../../../base/budgets/budgets.ts'
import { PuppetError, throwIssue } from '../../../../base/issue.ts'
import { encodeLosslessUtf8 } from '../../../../base/text/byte-text.ts'
import type { CommandResult, System } from '../../../../machine/system/system.ts'
import { appendPath, getParentPath, isWindows, toSlashes } from '../../../../machine/windows/machine-path.ts'
import { computeChecksum, computeFileChecksum, digestStream, isContentChecksum } from '../../checksum.ts'
import { isChecksumContent } from '../../checksum-content.ts'
import { planCommandLine } from '../../command-line.ts'
import { failWithMessage, issues } from '../../issues.ts'
import { runProviderProgram } from '../../provider.ts'
import { redacted } from '../../secrets.ts'
import { backUp } from './backup.ts'
import { readFromBucket } from './bucket-content.ts'
import { formatUnifiedDiff } from './diff.ts'
import { type FileWork, getChecksumType, readStatus, resolveManagedPath } from './file-state.ts'
import { findSource } from './source.ts'

const largestShown = budgets.machine.shownDiff

/** Replaces declared content with its checksum, for comparison and display, and stores the bytes in the state. */
export function digestContent(work: FileWork): void {
  const { resource, state } = work
  const given = resource.get('content')
  if (given === undefined || state.bytes || state.bucketed !== undefined || resource.has('source')) return
  if (isChecksumContent(given)) {
    state.bucketed = given
    return
  }
  state.bytes = typeof given === 'string' ? encodeLosslessUtf8(given) : given
  resource.put('content', computeChecksum(getChecksumType(work), state.bytes))
}

/** The checksum of the present content; undefined if there is no regular file. */
export async function computeCurrentChecksum(work: FileWork): Promise<string | undefined> {
  const { stat } = work.state
  if (!stat) return 'absent'
  if (stat.kind !== 'file') return undefined
  return computeFileChecksum(work.system.files, await resolveManagedPath(work), getChecksumType(work), stat)
}

/** True if the path is, or is to be, a regular file, so that its content can be managed. */
function managesRegularFile({ resource, state }: FileWork): boolean {
  const wanted = resource.get('ensure')
  if (wanted === 'file') return true
  if (wanted !== undefined && wanted !== 'present') return false
  if (wanted === 'present') return !state.stat || state.stat.kind === 'file'
  return resource.has('content') || state.stat?.kind === 'file'
}

/** True if the content on disk equals `content` or `source`, or is not managed. */
export async function isContentInSync(
  work: FileWork,
  is: unknown,
  property: 'content' | 'checksum_value' = 'content',
): Promise<boolean> {
  const { resource, state } = work
  if (!managesRegularFile(work)) {
    if (resource.get('ensure') === 'present' && resource.has('content') && state.stat)
      work.log('warning', `Ensure set to :present but file type is ${state.stat.kind} so no content will be synced`)
    return true
  }
  if (is === 'absent') return false
  if (!resource.get('replace')) return true
  const given = property === 'content' ? is : `{${getChecksumType(work)}}${String(is)}`
  const inSync = isSameContent(work, given)
  if (!inSync && work.settings.show_diff && resource.get('show_diff')) await logDiff(work, property)
  return inSync
}

function isSameContent(work: FileWork, is: unknown): boolean {
  const type = getChecksumType(work)
  const wanted = getDesiredChecksum(work)
  if (type === 'mtime' || type === 'ctime')
    return Date.parse(String(is).replace(/^\{\w+\}/, '')) >= Date.parse(String(wanted).replace(/^\{\w+\}/, ''))
  return is === wanted
}

function getDesiredChecksum(work: FileWork): string | undefined {
  const { resource } = work
  const value = resource.get('checksum_value')
  return value === undefined ? (resource.get('content') as string | undefined) : `{${getChecksumType(work)}}${value}`
}

async function logDiff(work: FileWork, property: string): Promise<void> {
  const { resource, system } = work
  const level = resource.meta('loglevel') ?? 'notice'
  if (resource.hides('content')) return work.log(level, '[diff redacted]', property)
  const path = await resolveManagedPath(work)
  const isSmall = (work.state.stat?.size ?? 0) <= largestShown.bound
  const after = isSmall ? await readDiffContent(work) : undefined
  if (!after) return work.log(level, `Not showing a diff: the content exceeds ${largestShown.bound} bytes`, property)
  const before = (await system.files.read(path)) ?? new Uint8Array()
  work.log(level, `\n${formatUnifiedDiff(resource.name, before, after)}`, property)
}

/** The new content; undefined if it is too large for a diff. */
async function readDiffContent(work: FileWork): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of await openContent(work)) {
    size += chunk.length
    if (size > largestShown.bound) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function openContent(work: FileWork): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
  const { state, sources } = work
  if (state.bytes) return [state.bytes]
  if (state.bucketed !== undefined) return [await readFromBucket(work, state.bucketed)]
  // If the catalog contains the checksum, the source was not looked up before.
  if (work.resource.has('checksum_value')) await findSource(work)
  if (!state.metadata || state.source === undefined) return []
  const content = await sources.content(state.metadata, state.source)
  return content instanceof Uint8Array ? [content] : content
}

/** Removes an existing object of another type. Returns true if an object was removed. */
export async function removeExistingFile(work: FileWork, wanted: string): Promise<boolean> {
  const { resource, state, system } = work
  await readStatus(work)
  if (!state.stat) return false
  await backUp(work)
  const { kind } = state.stat
  if (wanted !== 'link' && kind === wanted) return false
  if (kind === 'device') failWithMessage(`Could not remove files of type ${kind}`)
  if (kind === 'directory' && !resource.get('force')) {
    work.log('notice', "Not removing directory; use 'force' to override")
    return false
  }
  work.log('debug', `Removing existing ${kind} for replacement with ${wanted}`)
  await system.files.remove(resource.name)
  state.stat = undefined
  return true
}

/** Replaces the whole file and sets its permissions. */
export async function writeContent(work: FileWork): Promise<void> {
  await removeExistingFile(work, 'file')
  const { state, system } = work
  const path = await resolveManagedPath(work)
  const stagingDirectory = work.resource.get('staging_location')
  if (stagingDirectory !== undefined) await requireParent(work, appendPath(stagingDirectory, posix.basename(path)))
  await requireParent(work, path)
  if (state.stat?.kind === 'directory')
    throw new Error(`Is a directory ${managesContent(work) ? '- Is a directory:' : '@ rb_sysopen -'} ${path}`)
  const content = verifyChecksum(work, await openContent(work))
  await system.files.replace(path, content, {
    ...(await state.permissions.getReplacement(work)),
    stagingDirectory,
    check: hasValidateCommand(work) ? (staged) => validateContent(work, staged) : undefined,
  })
  await state.permissions.restore(work)
}

async function requireParent(work: FileWork, path: string): Promise<void> {
  if ((await work.system.files.stat(getParentPath(path))) !== undefined) return
  throw new Error(
    managesContent(work)
      ? `No such file or directory - A directory component in ${path} does not exist or is a dangling symbolic link`
      : `No such file or directory @ rb_sysopen - ${path}`,
  )
}

/** True if `validate_cmd` applies. As in Puppet, a file without managed content is not checked. */
function hasValidateCommand({ resource }: FileWork): boolean {
  return resource.has('validate_cmd') && (resource.has('content') || resource.has('source'))
}

/** True if the resource manages the content. */
function managesContent({ resource }: FileWork): boolean {
  return resource.has('content') || resource.has('checksum_value')
}

/** Passes the bytes through. Throws at the end if their checksum is wrong. */
function verifyChecksum(
  work: FileWork,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const type = getChecksumType(work)
  return digestStream(isContentChecksum(type) ? type : 'sha256', chunks, (sum) => {
    const wanted = getDesiredChecksum(work)
    if (!isContentChecksum(type) || wanted === undefined || sum === wanted) return
    if (work.state.bucketed !== undefined && !wanted.startsWith(`{${type}}`)) return
    failWithMessage(`File written to disk did not match desired checksum; discarding changes (${sum} vs ${wanted})`)
  })
}

/** The result of a validation command. A missing program fails with the message of Puppet's child process. */
async function runValidateCommand(system: System, command: string): Promise<Pick<CommandResult, 'status' | 'output'>> {
  try {
    const { words, ...options } = await planCommandLine(system, command)
    return await runProviderProgram(system, words, { ...options, merged: true })
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { status: 1, output: `Error: ${error.diagnostic.message}` }
  }
}

/** Runs `validate_cmd` on the complete new file before it replaces the old file. Throws COMMAND_FAILED. */
async function validateContent({ resource, system, log }: FileWork, staged: string): Promise<void> {
  const path = isWindows ? toSlashes(staged) : staged
  const command = resource.get('validate_cmd')!.replaceAll(resource.get('validate_replacement') ?? '%', () => path)
  const { status, output } = await runValidateCommand(system, command)
  // The output of the command could contain the file's content.
  const said = resource.hasSecrets ? '[output redacted]' : output
  const shown = resource.hides('validate_cmd') ? redacted : command
  if (status !== 0) throwIssue(issues.COMMAND_FAILED, { command: shown, status, output: said.trim() })
  for (const line of said.split('\n').filter(Boolean)) log('debug', line)
}
