import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { BundleProgress, BundleTrust } from '../../deploy/bundle/unpacked-bundle.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { createCaContext, noTrust } from '../../node/agent/ssl/ssl-context.ts'
import type { CommandInvocation, Io } from '../command/command.ts'
import type { MayHave, Option } from '../command/options.ts'

const issues = defineIssues({
  TRUSTED_CA_MISSING: {
    text: (a: { file: string }) => `Could not find the CA certificates: ${a.file} does not exist`,
    hint: () => 'Give the CA certificates of the machine that created the bundle as --trusted-ca FILE.',
  },
  BUNDLE_FILE_MISSING: { text: (a: { file: string }) => `Could not find the bundle: ${a.file} is not a file` },
})

/** Options of commands that verify a bundle. */
export const trustOptions = [
  {
    flags: '--trusted-ca <file>',
    doc: 'File with the CA certificates whose catalog signers are trusted, and their revocation lists. Default: localcacert and hostcrl.',
  },
  { flags: '--allow-unsigned', doc: 'Accept a bundle without a signature.' },
] as const satisfies readonly Option[]

/** Option that permits an older bundle. */
export const forceOption = {
  flags: '--force',
  doc: 'Accept a bundle that is older than the last one, and branches that lose commits.',
} as const satisfies Option

/**
 * Reads the CA certificates and revocation lists for bundles. Without lists, no signer is trusted: an agent would download
 * them. Throws TRUSTED_CA_MISSING.
 */
export async function readBundleTrust(
  { trustedCa: file, allowUnsigned }: MayHave<typeof trustOptions>,
  settings: Pick<Settings, 'localcacert' | 'hostcrl' | 'certificate_revocation'>,
): Promise<BundleTrust> {
  const { files } = localSystem
  const others = { now: new Date(localSystem.now()), allowsUnsigned: allowUnsigned === true }
  const text = await files.readText(file ?? settings.localcacert)
  if (text === undefined) {
    // An unsigned bundle needs no CA.
    if (file === undefined && others.allowsUnsigned) return { trust: noTrust.trust, ...others }
    return throwIssue(issues.TRUSTED_CA_MISSING, { file: file ?? settings.localcacert })
  }
  const lists = file === undefined ? await files.readText(settings.hostcrl) : text
  const areGiven = lists?.includes('BEGIN X509 CRL') === true
  const { trust } = createCaContext(text, areGiven ? lists : undefined, settings.certificate_revocation)
  const isUnknown = !areGiven && settings.certificate_revocation !== 'false'
  return { trust: isUnknown ? { ...trust, revocation: 'chain' } : trust, ...others }
}

/** Returns the path of the bundle that the command names. Throws BUNDLE_FILE_MISSING. */
export async function requireBundleFile({ args: [file = ''] }: Pick<CommandInvocation, 'args'>): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() ? file : throwIssue(issues.BUNDLE_FILE_MISSING, { file })
}

/** Opens a bundle for reading. */
export function openBundleFile(file: string): AsyncIterable<Uint8Array> {
  return createReadStream(file)
}

/** Progress in percent, on a terminal only. The last call removes the line. */
export function createBundleProgress({ err, errTerminal }: Io): BundleProgress {
  let shown = -1
  return (done, of) => {
    const percent = Math.floor((100 * done) / of)
    if (errTerminal !== true || percent === shown) return
    shown = percent
    err(done === of ? '\r\u001b[K' : `\rVerifying the bundle: ${percent} %`)
  }
}
