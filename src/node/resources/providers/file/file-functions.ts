import { getParentPath, isWindows, toPathKey } from '../../../../machine/windows/machine-path.ts'
import { formatRubyTime } from '../../checksum.ts'
import { statManagedFile } from '../../file-tree.ts'
import { failWithFormError, failWithMessage } from '../../issues.ts'
import { computeModeBits } from '../../mode.ts'
import { type AnyProvider, defineProvider, type PropertyValues, type ProviderDefinition } from '../../provider.ts'
import { listProperties, type NativeTypeDefinition } from '../../type.ts'
import { fileType } from '../../types/file.ts'
import { generateChildren } from './children.ts'
import { computeCurrentChecksum, digestContent, isContentInSync, removeExistingFile, writeContent } from './content.ts'
import { contextFunctions, readContext } from './context-properties.ts'
import {
  createFileState,
  type FileAttributes,
  type FileState,
  type FileWork,
  type Permissions,
  readStatus,
} from './file-state.ts'
import { formatModeChange, getDesiredMode } from './ownership.ts'
import { copySourceValues } from './source.ts'

type FileDefinition = Omit<ProviderDefinition<FileAttributes, FileState>, 'name' | 'type'>

/** A provider's documentation, requirements and functions for owner, group and mode. */
interface FileProviderParts extends Pick<FileDefinition, 'doc' | 'suitable' | 'defaultFor'> {
  readonly permissions: Permissions
  readonly inSync: FileDefinition['inSync']
  readonly set: FileDefinition['set']
  readonly show: FileDefinition['show']
}

/** Defines a provider of `file`. Providers differ in owner, group and mode only. */
export function defineFileProvider(name: string, parts: FileProviderParts): AnyProvider {
  const { permissions, inSync, set, ...rest } = parts
  return defineProvider<FileAttributes, FileState>(fileType, name, {
    ...rest,
    features: ['manages_symlinks'],
    begin: () => createFileState(permissions),
    read: readProperties,
    children: generateChildren,
    inSync: {
      ensure: ({ resource }, is, [should]) =>
        (is !== 'absent' && !resource.get('replace')) || (should === 'present' ? is !== 'absent' : is === should),
      content: (work, is) => isContentInSync(work, is),
      checksum_value: (work, is) => !work.resource.has('source') || isContentInSync(work, is, 'checksum_value'),
      ...contextFunctions.inSync,
      target: isTargetInSync,
      ...inSync,
    },
    set: {
      ensure: (work, should: string) => setEnsure(work, should),
      content: writeContent,
      checksum_value: writeContent,
      target: createLink,
      ...contextFunctions.set,
      ...set,
    },
    changeText: { ensure: formatEnsureChange, content: formatChangedContent, mode: formatModeChange },
    desiredValues: { content: getDesiredContent, mode: getDesiredMode },
    eventNames: {
      ensure: (should) =>
        ({ file: 'file_created', present: 'file_created', directory: 'directory_created', link: 'link_created' })[
          String(should)
        ],
    },
  })
}

function formatEnsureChange({ resource }: FileWork, is: unknown): string | undefined {
  const should = resource.get('ensure')
  if ((should === 'file' || should === 'present') && resource.has('content'))
    return formatContentChange(resource.get('content'), 'absent')
  if (is === 'absent') return 'created'
  return should === 'absent' ? 'removed' : undefined
}

const formatChangedContent = ({ resource }: FileWork, is: unknown) => formatContentChange(resource.get('content'), is)

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

/** True for the same path; the case of letters does not count on Windows. */
const isSamePath = (a: unknown, b: unknown): boolean =>
  a === b || (isWindows && toPathKey(String(a)) === toPathKey(String(b)))

/** A dangling link is replaced even with `replace => false`: Puppet's `exist?` follows the link. */
async function isTargetInSync(
  { resource, system }: FileWork,
  is: unknown,
  [should]: readonly unknown[],
): Promise<boolean> {
  const recurses = resource.get('recurse') === 'true' || resource.get('recurse') === 'remote'
  if (recurses || resource.get('ensure') !== 'link' || isSamePath(is, should)) return true
  return !resource.get('replace') && (await statManagedFile(system.files, resource.name, 'follow')) !== undefined
}

function formatContentChange(should: unknown, is: unknown): string {
  if (is === 'absent') return `defined content as '${String(should)}'`
  return `content changed '${String(is)}' to '${String(should)}'`
}

async function readProperties(work: FileWork): Promise<PropertyValues> {
  const { resource, state, system } = work
  state.seen = await readStatus(work)
  await copySourceValues(work)
  digestContent(work)
  const { stat } = state
  const context = await readContext(work)
  const permissions = await state.permissions.read(work)
  if (!stat) return createAbsentState(resource)
  const seen: Record<string, unknown> = {
    ensure: stat.kind,
    type: stat.kind,
    ...permissions,
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
  const parent = getParentPath(name)
  if ((await system.files.stat(parent)) === undefined)
    failWithMessage(`Cannot create ${name}; parent directory ${parent} does not exist`)
  const mode = resource.get('mode')
  await system.files.makeDirectory(name, mode === undefined ? undefined : computeModeBits(mode, 0o755, true))
  await work.state.permissions.restore(work)
}

async function createLink(work: FileWork): Promise<void> {
  const { resource, system } = work
  const target = resource.get('target')
  if (target === undefined) failWithFormError('Cannot create a symlink without a target')
  await removeExistingFile(work, 'link')
  if (await system.files.stat(resource.name)) failWithFormError('Could not remove existing file')
  await system.files.link(target, resource.name)
  await work.state.permissions.restore(work)
}
