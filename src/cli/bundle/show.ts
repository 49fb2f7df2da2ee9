import { isIssue, PuppetError } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { readBundleHead } from '../../deploy/bundle/bundle-archive.ts'
import { bundleIssues } from '../../deploy/bundle/issues.ts'
import { type BundleManifest, listBundleMembers } from '../../deploy/bundle/manifest.ts'
import { checkBundleHead, verifyBundle } from '../../deploy/bundle/unpacked-bundle.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { formatBytes } from '../../node/facts/fact.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { printError } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import {
  createBundleProgress,
  openBundleFile,
  readBundleTrust,
  requireBundleFile,
  trustOptions,
} from './bundle-options.ts'

/** The command `plumb bundle show`. */
export const bundleShow = defineCommand({
  name: 'show',
  summary: 'Print the content of a bundle.',
  description: `Prints the environments with their commits, the gems, the catalogs and the signer of a bundle. Reads only the beginning of
the file: use 'plumb bundle verify' to verify all of it. Exits with 0, or with 1 if the file is not a bundle.

  plumb bundle show site.bundle
  plumb bundle show site.bundle --render-as json`,
  usage: '<file>',
  options: [...trustOptions, renderAs],
  async run(invocation) {
    const { options, settings: given, io } = invocation
    const file = await requireBundleFile(invocation)
    const head = await readBundleHead(openBundleFile(file))
    const trust = await readBundleTrust(options, loadSettings({ given, runMode: 'server' }))
    const signature = describeSignature(() => checkBundleHead(head, { ...trust, allowsUnsigned: false }))
    if (options.renderAs === 'json') io.out(`${JSON.stringify(toJson(head.manifest, signature), undefined, 2)}\n`)
    else printManifest(head.manifest, signature, io)
    return 0
  },
})

/** The command `plumb bundle verify`. */
export const bundleVerify = defineCommand({
  name: 'verify',
  summary: 'Verify the signature and all files of a bundle.',
  description: `Verifies the signature, and compares every byte of the bundle with its signed manifest. The certificate of the signer must
be a catalog signer of a trusted CA, valid at the time of the signature, and not revoked. Exits with 0, or with 1 if the
bundle is rejected.

  plumb bundle verify site.bundle --trusted-ca ca.pem`,
  usage: '<file>',
  options: trustOptions,
  async run(invocation) {
    const { options, settings: given, io } = invocation
    const file = await requireBundleFile(invocation)
    const trust = await readBundleTrust(options, loadSettings({ given, runMode: 'server' }))
    try {
      const { signature } = await verifyBundle(file, trust, createBundleProgress(io))
      const by = signature ? `signed ${signature.time} by ${toPrintable(signature.signer)}` : 'not signed'
      io.out(`${toPrintable(file)}: all files are intact, ${by}\n`)
      return 0
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      printError(error, io)
      return 1
    }
  },
})

/** The state of a signature, as text. */
interface ShownSignature {
  readonly isValid: boolean
  readonly signer: string | null
  readonly time: string | null
  readonly reason: string | null
}

function describeSignature(
  check: () => { readonly signer: string; readonly time: string } | undefined,
): ShownSignature {
  try {
    const { signer, time } = check()!
    return { isValid: true, signer, time, reason: null }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const reason = isIssue(error, bundleIssues.BUNDLE_UNSIGNED) ? 'none' : error.message
    return { isValid: false, signer: null, time: null, reason }
  }
}

function toJson(manifest: BundleManifest, { isValid, ...signature }: ShownSignature): Json {
  const { created, since, environments, gems, catalogs } = manifest
  return {
    created,
    signature: { valid: isValid, ...signature },
    since,
    environments: environments.map(({ name, ref, commit, codeId }) => ({ name, ref, commit, code_id: codeId })),
    gems: gems.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
    catalogs: catalogs.map(({ node, environment, size, sha256 }) => ({ node, environment, size, sha256 })),
    bytes: countBytes(manifest),
  }
}

function printManifest(manifest: BundleManifest, { isValid, signer, time, reason }: ShownSignature, io: Io): void {
  const { created, since, environments, gems, catalogs } = manifest
  const lines = [
    `created      ${created}, ${formatBytes(countBytes(manifest))}`,
    `signature    ${isValid ? `${time} by ${toPrintable(signer!)}` : reason === 'none' ? 'none' : `not verified: ${toPrintable(reason!)}`}`,
    ...since.map((commit) => `requires     ${commit}`),
    ...environments.map(({ name, commit, codeId }) =>
      commit === codeId ? `environment  ${name}  ${commit}` : `environment  ${name}  ${commit}, with modules ${codeId}`,
    ),
    ...gems.map(({ name }) => `gem          ${name}`),
    ...catalogs.map(({ node, environment }) => `catalog      ${toPrintable(node)}, environment ${environment}`),
  ]
  io.out(`${lines.join('\n')}\n`)
}

function countBytes(manifest: BundleManifest): number {
  return listBundleMembers(manifest).reduce((total, { size }) => total + size, 0)
}
