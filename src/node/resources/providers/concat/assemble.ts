import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { encodeLosslessUtf8 } from '../../../../base/text/byte-text.ts'
import { Binary } from '../../../../language/values/binary.ts'
import { Sensitive } from '../../../../language/values/sensitive.ts'
import type { Value } from '../../../../language/values/value.ts'
import { toFileUrl } from '../../../../machine/windows/source-path.ts'
import { ManagedResource } from '../../managed-resource.ts'
import { metaparameterAttributes } from '../../metaparameters.ts'
import { defineProvider, type ProviderWork } from '../../provider.ts'
import {
  belongsToFile,
  type ConcatFile,
  type ConcatFileAttributes,
  type ConcatFragment,
  concatFile,
} from '../../types/concat.ts'
import { fileType } from '../../types/file.ts'
import { mergeTexts } from './formats.ts'
import { sortFragments } from './order.ts'

type ConcatWork = ProviderWork<ConcatFileAttributes, undefined>

/** Attributes of the concat_file that the generated file inherits. */
const handedOn = [
  ...(['path', 'owner', 'group', 'mode', 'replace', 'backup', 'selinux_ignore_defaults', 'selrange'] as const),
  ...(['selrole', 'seltype', 'seluser', 'validate_cmd', 'show_diff'] as const),
]

/** Relationship metaparameters and tags, which are not copied to the generated file. */
const ownOnly = ['before', 'notify', 'require', 'subscribe', 'tag']

/** Generates a file from the fragments in the catalog. */
export const assemble = defineProvider<ConcatFileAttributes>(concatFile, 'assemble', {
  doc: 'Generates a file resource whose content is assembled from the fragments.',
  read: async ({ resource }) => ({ ensure: resource.get('ensure') }),
  async generate({ resource }) {
    const values = new Map<string, Value>([['ensure', resource.get('ensure') === 'absent' ? 'absent' : 'file']])
    for (const name of [
      ...handedOn,
      ...Object.keys(metaparameterAttributes).filter((each) => !ownOnly.includes(each)),
    ]) {
      const value = resource.value(name)
      if (value !== undefined) values.set(name, value as Value)
    }
    const made = new ManagedResource(fileType, { title: resource.name, tags: ['file'], values })
    made.parse()
    return [made]
  },
  async children(work) {
    const made = work.catalog.find('file', work.resource.name)
    if (!made) return []
    made.set('content', await buildContent(work))
    return [made]
  },
})

/** The content of all fragments; Sensitive if one of them is. */
async function buildContent(work: ConcatWork): Promise<Value> {
  const { resource, catalog } = work
  const all = catalog.ofType('concat_fragment') as readonly ConcatFragment[]
  const own = all.filter((fragment) => belongsToFile(fragment, resource as ConcatFile))
  const parts = new Map<ConcatFragment, Buffer>()
  for (const fragment of own) parts.set(fragment, await readFragment(work, fragment))
  const sorted = sortFragments(own, resource.get('order') ?? 'numeric').map((fragment) => parts.get(fragment)!)
  const format = resource.get('format') ?? 'plain'
  const bytes =
    format === 'plain'
      ? Buffer.concat(sorted)
      : Buffer.from(
          mergeTexts(
            sorted.map((part) => part.toString()),
            format,
            resource.get('force') ? (message) => work.log('debug', message, '') : undefined,
          ),
        )
  const content = isUtf8(bytes) ? bytes.toString() : new Binary(bytes)
  return own.some((fragment) => fragment.hides('content')) ? new Sensitive(content) : content
}

async function readFragment(work: ConcatWork, fragment: ConcatFragment): Promise<Buffer> {
  const content = fragment.get('content')
  const bytes =
    content === undefined ? await readSource(work, fragment.get('source') ?? []) : encodeLosslessUtf8(content)
  const needsEnd = work.resource.get('ensure_newline') === true && bytes.at(-1) !== 10
  return needsEnd ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes
}

async function readSource({ sources, settings }: ConcatWork, from: readonly string[]): Promise<Buffer> {
  const options = { links: 'manage', checksumType: settings.digest_algorithm, sourcePermissions: 'ignore' } as const
  for (const given of from) {
    const source = toFileUrl(given) ?? given
    const metadata = await sources.metadata(source, options)
    if (!metadata) continue
    const content = await sources.content(metadata, source)
    return content instanceof Uint8Array ? Buffer.from(content) : buffer(content)
  }
  throw new Error(`Could not retrieve source(s) ${from.join(', ')}`)
}
