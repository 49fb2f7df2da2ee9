import { describe, expect, it } from 'vitest'
import { formatBundleManifest, listBundleMembers, parseBundleManifest } from '../../../src/deploy/bundle/manifest.ts'
import { fileOf, manifest } from './packed-bundle.ts'

const text = formatBundleManifest(manifest)

/** The manifest with one value replaced, in the form that is written. The path is `environments.0.name`. */
function changed(path: string, value: unknown): string {
  const document: unknown = JSON.parse(text)
  const names = path.split('.')
  const last = names.pop()!
  let parent = document as Record<string, unknown>
  for (const name of names) parent = parent[name] as Record<string, unknown>
  parent[last] = value
  return `${JSON.stringify(document, undefined, 1)}\n`
}

describe('a manifest', () => {
  it('is read as it was written', () => {
    expect(parseBundleManifest(text)).toEqual(manifest)
    expect(formatBundleManifest(parseBundleManifest(text))).toBe(text)
  })

  it('lists the code first, then gems and catalogs by their digests', () => {
    expect(listBundleMembers(manifest).map(({ path }) => path)).toEqual([
      'code.bundle',
      `gems/${manifest.gems[0]!.sha256}.gem`,
      `catalogs/${manifest.catalogs[0]!.sha256}.json`,
    ])
  })

  it.each<[string, string, string]>([
    ['is no JSON', 'a', 'is not valid JSON'],
    ['is no object', '[]\n', 'the manifest must be an object'],
    ['is of another format', changed('format', 'x'), 'the manifest is not one of a bundle'],
    ['has a further member', changed('x', 1), 'not in its only form'],
    ['is written otherwise', JSON.stringify(JSON.parse(text)), 'not in its only form'],
    ['is deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'the manifest must be an object'],
    ['has no environment', changed('environments', []), 'it contains no environment'],
    ['has a path as environment', changed('environments.0.name', '../x'), 'name of an environment'],
    ['has a tag', changed('environments.0.ref', 'refs/tags/x'), 'it is not a branch'],
    ['has an internal ref', changed('environments.0.ref', 'refs/plumb/x'), 'it is not a branch'],
    ['has an option as ref', changed('environments.0.ref', 'refs/heads/-x'), 'begin with -'],
    ['has HEAD', changed('environments.0.ref', 'refs/heads/HEAD'), 'cannot be named HEAD'],
    ['has a short commit', changed('environments.0.commit', 'abc'), 'a commit ID is invalid'],
    ['mixes formats', changed('object_format', 'sha256'), 'a commit ID is invalid'],
    ['requires an option', changed('since', ['--all']), 'a commit ID is invalid'],
    ['has no time', changed('created', 'today'), 'its time is invalid'],
    ['has a negative size', changed('code.size', -1), 'a file has -1 bytes'],
    ['has half a byte', changed('code.size', 0.5), 'a file has 0.5 bytes'],
    ['has a huge file', changed('code.size', 2 ** 40), 'a file has 1099511627776 bytes'],
    ['has another digest', changed('code.sha256', '../../x'), 'a digest is not SHA-256'],
    ['has a path as gem', changed('gems.0.name', '../x.gem'), "'../x.gem' is not the name of a gem"],
    ['has a path as node', changed('catalogs.0.node', '../x'), 'Invalid key'],
    ['has code of no catalog', changed('catalogs.0.environment', 'x'), 'a catalog belongs to'],
    ['names a node twice', changed('catalogs', [manifest.catalogs[0], manifest.catalogs[0]]), 'a node twice'],
    ['has too many commits', changed('since', Array(2001).fill('1'.repeat(40))), 'since contains more than 2000 items'],
  ])('is rejected if it %s', (_, given, why) => {
    expect(() => parseBundleManifest(given)).toThrow(why)
  })

  it('names the version that is not supported', () => {
    expect(() => parseBundleManifest(changed('version', 2))).toThrow(
      'The bundle has version 2 of the format, which is not supported',
    )
  })

  it('has files with size and digest', () => {
    expect(fileOf('')).toEqual({
      size: 0,
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    })
  })
})
