import { posix as paths } from 'node:path'
import { formatRubyTime } from '../../checksum.ts'
import { statManagedFile } from '../../file-tree.ts'
import { failWithFormError, failWithMessage } from '../../issues.ts'
import { computeModeBits, formatOctalMode } from '../../mode.ts'
import { defineProvider, type PropertyValues } from '../../provider.ts'
import { listProperties, type NativeTypeDefinition } from '../../type.ts'
import { fileType } from '../../types/file.ts'
import { generateChildren } from './children.ts'
import { computeCurrentChecksum, digestContent, isContentInSync, removeExistingFile, writeContent } from './content.ts'
import { contextFunctions, readContext } from './context-properties.ts'
import { createFileState, type FileAttributes, type FileState, type FileWork, readStatus } from './file-state.ts'
import {
  formatMode,
  formatModeChange,
  formatOwner,
  getDesiredMode,
  isModeInSync,
  isOwnerInSync,
  resolveOwner,
  restorePermissions,
  setMode,
  setOwner,
} from './ownership.ts'
import { copySourceValues } from './source.ts'

/** The provider of `file` for POSIX systems. */
export const filePosix = defineProvider<FileAttributes, FileState>(fileType, 'posix', {
  doc: 'Uses POSIX functionality to manage file ownership and permissions.',
  features: ['manages_symlinks'],
  begin: createFileState,
  read: readProperties,
  children: generateChildren,
  inSync: {
    ensure: ({ resource }, is, [should]) =>
      (is !== 'absent' && !resource.get('replace')) || (should === 'present' ? is !== 'absent' : is === should),
    content: (work, is) => isContentInSync(work, is),
    checksum_value: (work, is) => !work.resource.has('source') || isContentInSync(work, is, 'checksum_value'),
    mode: (work) => isModeInSync(work, work.state.seen),
    owner: (work) => isOwnerInSync(work, 'owner', work.state.seen),
    group: (work) => isOwnerInSync(work, 'group', work.state.seen),
    ...contextFunctions.inSync,
    target: isTargetInSync,
  },
  set: {
    ensure: (work, should: string) => setEnsure(work, should),
    content: writeContent,
    checksum_value: writeContent,
    mode: setMode,
    owner: (work) => setOwner(work, 'owner'),
    group: (work) => setOwner(work, 'group'),
    target: createLink,
    ...contextFunctions.set,
  },
  changeText: {
    ensure({ resource }, is) {
      const should = resource.get('ensure')
      if ((should === 'file' || should === 'present') && resource.has('content'))
        return formatContentChange(resource.get('content'), 'absent')
      if (is === 'absent') return 'created'
      return should === 'absent' ? 'removed' : undefined
    },
    content: ({ resource }, is) => formatContentChange(resource.get('content'), is),
    mode: formatModeChange,
  },
  show: {
    mode: formatMode,
    owner: (work, value) => formatOwner(work, 'owner', value),
    group: (work, value) => formatOwner(work, 'group', value),
  },
  desiredValues: { content: getDesiredContent, mode: getDesiredMode },
  eventNames: {
    ensure: (should) =>
      ({ file: 'file_created', present: 'file_created', directory: 'directory_created', link: 'link_created' })[
        String(should)
      ],
  },
})

/**
 * Returns the desired content for reports. Puppet stores `content`, or its checksum, as bytes,
 * which a report contains as base64. A value that another resource set later is text (Puppet:
 * file/content.rb, `should=`; ToStringifiedConverter).
 */
function getDesiredContent({ resource }: FileWork): unknown {
  const checksum = resource.value('content')
  return typeof checksum !== 'string' || resource.wasSet('content')
    ? checksum
    : Buffer.from(checksum).toString('base64')
}

/** A dangling link is replaced even with `replace => false`: Puppet's `exist?` follows the link. */
async function isTargetInSync(
  { resource, system }: FileWork,
  is: unknown,
  [should]: readonly unknown[],
): Promise<boolean> {
  const recurses = resource.get('recurse') === 'true' || resource.get('recurse') === 'remote'
  if (recurses || resource.get('ensure') !== 'link' || is === should) return true
  return !resource.get('replace') && (await statManagedFile(system.files, resource.name, 'follow')) !== undefined
}

function formatContentChange(should: unknown, is: unknown): string {
  if (is === 'absent') return `defined content as '${String(should)}'`
  return `content changed '${String(is)}' to '${String(should)}'`
}

async function readProperties(work: FileWork): Promise<PropertyValues> {
  const { resource, system } = work
  work.state.seen = await readStatus(work)
  await copySourceValues(work)
  digestContent(work)
  const { stat } = work.state
  const context = await readContext(work)
  for (const who of ['owner', 'group'] as const) if (resource.has(who)) await resolveOwner(work, who)
  if (!stat) return createAbsentState(resource)
  const seen: Record<string, unknown> = {
    ensure: stat.kind,
    type: stat.kind,
    owner: stat.uid,
    group: stat.gid,
    mode: formatOctalMode(stat.mode),
    mtime: formatRubyTime(stat.modified),
    ctime: formatRubyTime(stat.changed),
    target: stat.kind === 'link' ? await system.files.readLink(resource.name) : 'notlink',
    ...context,
  }
  if (resource.reads('content')) seen['content'] = await computeCurrentChecksum(work)
  if (resource.has('checksum_value') && resource.has('source'))
    seen['checksum_value'] = (await computeCurrentChecksum(work))?.replace(/^\{\w+\}/, '')
  return seen
}

/** The state of a missing file, including audited properties. */
function createAbsentState(resource: FileWork['resource']): PropertyValues {
  const watched = resource.meta('audit') === undefined ? [] : listProperties(resource.type as NativeTypeDefinition)
  const all = watched.filter((name) => resource.reads(name)).map((name) => [name, 'absent'])
  return { ...Object.fromEntries(all), ensure: 'absent' }
}

async function setEnsure(work: FileWork, should: string): Promise<void> {
  await removeExistingFile(work, should)
  if (should === 'absent') return
  if (should === 'directory') return createDirectory(work)
  if (should === 'link') return createLink(work)
  return writeContent(work)
}

async function createDirectory(work: FileWork): Promise<void> {
  const { resource, system } = work
  const { name } = resource
  const parent = paths.dirname(name)
  if ((await system.files.stat(parent)) === undefined)
    failWithMessage(`Cannot create ${name}; parent directory ${parent} does not exist`)
  const mode = resource.get('mode')
  await system.files.makeDirectory(name, mode === undefined ? undefined : computeModeBits(mode, 0o755, true))
  await restorePermissions(work)
}

async function createLink(work: FileWork): Promise<void> {
  const { resource, system } = work
  const target = resource.get('target')
  if (target === undefined) failWithFormError('Cannot create a symlink without a target')
  await removeExistingFile(work, 'link')
  if (await system.files.stat(resource.name)) failWithFormError('Could not remove existing file')
  await system.files.link(target, resource.name)
  await restorePermissions(work)
}
