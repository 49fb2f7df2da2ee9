import { PuppetError } from '../../../dist/base/issue.js'
import { verifyBundleSignature } from '../../../dist/deploy/bundle/bundle-signature.js'
import { formatBundleManifest, listBundleMembers, parseBundleManifest } from '../../../dist/deploy/bundle/manifest.js'
import { decodeTarHeader, encodeTarHeader } from '../../../dist/deploy/bundle/tar-blocks.js'
import { allowing, must, textOf } from '../target.js'

const trust = /** @type {const} */ ({ authorities: [], lists: [], revocation: 'chain' })
const [commit, sha256] = ['a'.repeat(40), '0'.repeat(64)]
const manifest = formatBundleManifest({
  created: '2026-11-23T10:00:00.000Z',
  objectFormat: 'sha1',
  since: [commit],
  environments: [{ name: 'production', ref: 'refs/heads/production', commit, codeId: commit }],
  code: { size: 1, sha256 },
  gems: [{ name: 'a-1.0.0.gem', size: 2, sha256 }],
  catalogs: [{ node: 'a.test', environment: 'production', size: 3, sha256 }],
})

/**
 * Manifests, tar headers and signatures of bundles. An accepted manifest is written as it was read, its paths stay inside, and
 * nothing is proven where nobody is trusted. @type {import('../target.js').Target}
 */
export default {
  name: 'bundle',
  seeds: [manifest, encodeTarHeader('code.bundle', 100).toString('latin1')],
  dictionary: ['"size": ', '"sha256": ', '"ref": "refs/heads/', '../', '[', ']', '{', '}', 'null', '1e400', '\n'],
  // A certificate may be read, and a signature verified.
  nsPerByte: 3000,
  run(bytes) {
    const text = textOf(bytes)
    const parsed = allowing([PuppetError], () => parseBundleManifest(text))
    if (parsed) {
      must(formatBundleManifest(parsed) === text, 'a manifest that is not written as it was read')
      for (const { path, size } of listBundleMembers(parsed)) {
        must(/^(?:code\.bundle|(?:gems|catalogs)\/[0-9a-f]{64}\.(?:gem|json))$/.test(path), `the path ${path}`)
        must(Number.isSafeInteger(size) && size >= 0, `the size ${size}`)
      }
    }
    const header = Buffer.from(bytes)
    const size = decodeTarHeader(header, 'code.bundle')
    must(size === undefined || encodeTarHeader('code.bundle', size).equals(header), 'a header of another file')
    const proven = allowing([PuppetError], () => verifyBundleSignature('{}', text, { trust, now: new Date() }))
    must(proven === undefined, 'proven by nobody')
  },
}
