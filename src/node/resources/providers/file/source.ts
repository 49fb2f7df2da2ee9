import { formatErrorReason } from '../../../../language/ruby-semantics/errno.ts'
import type { FileMetadata } from '../../../../model/file-metadata.ts'
import { failWithMessage } from '../../issues.ts'
import { formatOctalMode } from '../../mode.ts'
import type { FileWork } from './file-state.ts'

const permissions = ['owner', 'group', 'mode'] as const

/** Finds the source and copies the values that the manifest does not set: content, type, permissions. */
export async function copySourceValues(work: FileWork): Promise<void> {
  const { resource, state } = work
  const sources = resource.get('source')
  if (sources) state.permissions.checkSource?.(work)
  if (!sources || resource.has('checksum_value')) return
  const metadata = await findSource(work)
  if (metadata.type === 'file' && !resource.has('content')) resource.put('content', metadata.checksum.value)
  if (state.stat === undefined || resource.get('source_permissions') !== 'use_when_creating')
    copyPermissions(work, metadata)
  if (resource.get('ensure') === 'absent') return
  if (metadata.type !== 'link') resource.put('ensure', metadata.type)
  else if (resource.get('links') === 'follow') resource.put('ensure', 'present')
  else {
    resource.put('ensure', 'link')
    resource.put('target', metadata.destination ?? '')
  }
}

function copyPermissions({ resource, state }: FileWork, { owner, group, mode }: FileMetadata): void {
  if (resource.get('source_permissions') === 'ignore') return
  // A web server does not report permissions.
  const unknown = /^https?:/i.test(state.source ?? '') && permissions.find((name) => !resource.has(name))
  if (unknown) failWithMessage(`Got nil value for ${unknown}`)
  if (process.getuid?.() === 0 && !resource.has('owner')) resource.put('owner', owner)
  if (process.getuid?.() === 0 && !resource.has('group')) resource.put('group', group)
  if (!resource.has('mode')) resource.put('mode', formatOctalMode(mode))
}

/** Finds the first source that exists, and stores it in the state. */
export async function findSource(work: FileWork): Promise<FileMetadata> {
  const { resource, state, catalog } = work
  const sources = resource.get('source') ?? []
  const known = state.metadata ?? (resource.origin as FileMetadata | undefined) ?? catalog.metadata.get(resource.title)
  if (known) {
    state.metadata = known
    state.source ??= known.source ?? sources[0]
    return known
  }
  const options = {
    links: resource.get('links') ?? 'manage',
    checksumType: resource.get('checksum') ?? work.settings.digest_algorithm,
    sourcePermissions: resource.get('source_permissions') ?? 'ignore',
  } as const
  for (const source of sources) {
    const found = await work.sources.metadata(source, options).catch((error: unknown) => {
      const why = formatErrorReason(error)
      return failWithMessage(`Could not retrieve file metadata for ${source}: ${why}`)
    })
    if (!found) continue
    state.metadata = found
    state.source = source
    return found
  }
  return failWithMessage(
    `Could not retrieve information from environment ${catalog.environment} source(s) ${sources.join(', ')}`,
  )
}
