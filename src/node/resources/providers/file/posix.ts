import { posix as paths } from 'node:path'
import { rubyTime } from '../../checksum.ts'
import { statOf } from '../../file-tree.ts'
import { complain, complainAboutForm } from '../../issues.ts'
import { modeBits, octalMode } from '../../mode.ts'
import { defineProvider, type Seen } from '../../provider.ts'
import { propertiesOf, type TypeDefinition } from '../../type.ts'
import { file } from '../../types/file.ts'
import { childrenOf } from './children.ts'
import { contentInSync, currentChecksum, digestContent, removeExisting, writeContent } from './content.ts'
import { contextFunctions, readContext } from './context-properties.ts'
import { begin, type FileAttributes, type FileState, type FileWork, look } from './file-work.ts'
import {
  desiredMode,
  fixPermissions,
  modeChangeText,
  modeInSync,
  ownerInSync,
  resolveOwner,
  setMode,
  setOwner,
  showMode,
  showOwner,
} from './ownership.ts'
import { copySourceValues } from './source.ts'

/** Manages files with POSIX functions. */
export const posix = defineProvider<FileAttributes, FileState>(file, 'posix', {
  doc: 'Uses POSIX functionality to manage file ownership and permissions.',
  features: ['manages_symlinks'],
  begin,
  read,
  children: childrenOf,
  inSync: {
    ensure: ({ resource }, is, [should]) =>
      (is !== 'absent' && !resource.get('replace')) || (should === 'present' ? is !== 'absent' : is === should),
    content: (work, is) => contentInSync(work, is),
    checksum_value: (work, is) => !work.resource.has('source') || contentInSync(work, is, 'checksum_value'),
    mode: (work) => modeInSync(work, work.state.seen),
    owner: (work) => ownerInSync(work, 'owner', work.state.seen),
    group: (work) => ownerInSync(work, 'group', work.state.seen),
    ...contextFunctions.inSync,
    target: targetInSync,
  },
  set: {
    ensure: (work, should: string) => setEnsure(work, should),
    content: writeContent,
    checksum_value: writeContent,
    mode: setMode,
    owner: (work) => setOwner(work, 'owner'),
    group: (work) => setOwner(work, 'group'),
    target: makeLink,
    ...contextFunctions.set,
  },
  changeText: {
    ensure({ resource }, is) {
      const should = resource.get('ensure')
      if ((should === 'file' || should === 'present') && resource.has('content'))
        return contentText(resource.get('content'), 'absent')
      if (is === 'absent') return 'created'
      return should === 'absent' ? 'removed' : undefined
    },
    content: ({ resource }, is) => contentText(resource.get('content'), is),
    mode: modeChangeText,
  },
  show: {
    mode: showMode,
    owner: (work, value) => showOwner(work, 'owner', value),
    group: (work, value) => showOwner(work, 'group', value),
  },
  desiredValues: { content: desiredContent, mode: desiredMode },
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
function desiredContent({ resource }: FileWork): unknown {
  const checksum = resource.value('content')
  return typeof checksum !== 'string' || resource.wasSet('content')
    ? checksum
    : Buffer.from(checksum).toString('base64')
}

/** A dangling link is replaced even with `replace => false`: Puppet's `exist?` follows the link. */
async function targetInSync(
  { resource, system }: FileWork,
  is: unknown,
  [should]: readonly unknown[],
): Promise<boolean> {
  const recurses = resource.get('recurse') === 'true' || resource.get('recurse') === 'remote'
  if (recurses || resource.get('ensure') !== 'link' || is === should) return true
  return !resource.get('replace') && (await statOf(system.files, resource.name, 'follow')) !== undefined
}

function contentText(should: unknown, is: unknown): string {
  if (is === 'absent') return `defined content as '${String(should)}'`
  return `content changed '${String(is)}' to '${String(should)}'`
}

async function read(work: FileWork): Promise<Seen> {
  const { resource, system } = work
  work.state.seen = await look(work)
  await copySourceValues(work)
  digestContent(work)
  const { stat } = work.state
  const context = await readContext(work)
  for (const who of ['owner', 'group'] as const) if (resource.has(who)) await resolveOwner(work, who)
  if (!stat) return absentBut(resource)
  const seen: Record<string, unknown> = {
    ensure: stat.kind,
    type: stat.kind,
    owner: stat.uid,
    group: stat.gid,
    mode: octalMode(stat.mode),
    mtime: rubyTime(stat.modified),
    ctime: rubyTime(stat.changed),
    target: stat.kind === 'link' ? await system.files.readLink(resource.name) : 'notlink',
    ...context,
  }
  if (resource.reads('content')) seen['content'] = await currentChecksum(work)
  if (resource.has('checksum_value') && resource.has('source'))
    seen['checksum_value'] = (await currentChecksum(work))?.replace(/^\{\w+\}/, '')
  return seen
}

/** The state of a missing file, including audited properties. */
function absentBut(resource: FileWork['resource']): Seen {
  const watched = resource.meta('audit') === undefined ? [] : propertiesOf(resource.type as TypeDefinition)
  const all = watched.filter((name) => resource.reads(name)).map((name) => [name, 'absent'])
  return { ...Object.fromEntries(all), ensure: 'absent' }
}

async function setEnsure(work: FileWork, should: string): Promise<void> {
  await removeExisting(work, should)
  if (should === 'absent') return
  if (should === 'directory') return makeDirectory(work)
  if (should === 'link') return makeLink(work)
  return writeContent(work)
}

async function makeDirectory(work: FileWork): Promise<void> {
  const { resource, system } = work
  const { name } = resource
  const parent = paths.dirname(name)
  if ((await system.files.stat(parent)) === undefined)
    complain(`Cannot create ${name}; parent directory ${parent} does not exist`)
  const mode = resource.get('mode')
  await system.files.makeDirectory(name, mode === undefined ? undefined : modeBits(mode, 0o755, true))
  await fixPermissions(work)
}

async function makeLink(work: FileWork): Promise<void> {
  const { resource, system } = work
  const target = resource.get('target')
  if (target === undefined) complainAboutForm('Cannot create a symlink without a target')
  await removeExisting(work, 'link')
  if (await system.files.stat(resource.name)) complainAboutForm('Could not remove existing file')
  await system.files.link(target, resource.name)
  await fixPermissions(work)
}
