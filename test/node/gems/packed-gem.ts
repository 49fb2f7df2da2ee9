import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type ArchiveEntries, tarOf, tgzOf } from '../../support/archive.ts'
import type { ServedGem } from './gem-index.ts'

/** A gem to pack: its files, and lines of its metadata besides those that all gems have. */
export interface GemToPack {
  readonly name: string
  readonly version: string
  readonly files?: ArchiveEntries
  /** Dependencies by name: `~> 1.0, >= 1.0.1`. */
  readonly dependencies?: Readonly<Record<string, string>>
  readonly metadata?: string
  /** Properties of the line in the index. */
  readonly properties?: readonly string[]
  /** Replaces parts of the archive; undefined leaves the part out. */
  readonly parts?: Readonly<Record<string, Uint8Array | undefined>>
}

/** Packs a gem as `gem build` does, and what a gem server says of it. */
export async function packGem(gem: GemToPack): Promise<ServedGem> {
  const { name, version, files = { [`lib/${name}.rb`]: '' }, dependencies = {}, properties = [], parts = {} } = gem
  const own: Readonly<Record<string, Uint8Array>> = {
    'metadata.gz': gzipSync(metadataOf(gem)),
    'data.tar.gz': await tgzOf(files),
  }
  const sums = Object.entries({ ...own, ...parts }).flatMap(([part, bytes]) =>
    bytes === undefined
      ? []
      : [
          `  ${part}: ${createHash('sha256')
            .update(own[part] ?? bytes)
            .digest('hex')}`,
        ],
  )
  const all: Readonly<Record<string, Uint8Array | undefined>> = {
    ...own,
    'checksums.yaml.gz': gzipSync(`---\nSHA256:\n${sums.join('\n')}\n`),
    ...parts,
  }
  const present = Object.entries(all).filter((entry): entry is [string, Uint8Array] => entry[1] !== undefined)
  const indexed = Object.entries(dependencies).map(([each, bounds]) => `${each}:${bounds.replaceAll(', ', '&')}`)
  return { name, version, dependencies: indexed.join(','), properties, file: await tarOf(present) }
}

function metadataOf({ name, version, dependencies = {}, metadata = '' }: GemToPack): string {
  const needs = Object.entries(dependencies).map(([each, bounds]) => {
    const list = bounds.split(', ').map((bound) => {
      const [operator, wanted] = bound.split(' ')
      return `    - - "${operator}"\n      - !ruby/object:Gem::Version\n        version: '${wanted}'\n`
    })
    return `- !ruby/object:Gem::Dependency
  name: ${each}
  requirement: !ruby/object:Gem::Requirement
    requirements:
${list.join('')}  type: :runtime
  prerelease: false
`
  })
  return `--- !ruby/object:Gem::Specification
name: ${name}
version: !ruby/object:Gem::Version
  version: ${version}
dependencies:${needs.length === 0 ? ' []' : `\n${needs.join('').trimEnd()}`}
summary: A gem
require_paths:
- lib
rubygems_version: 3.3.15
${metadata}`
}
