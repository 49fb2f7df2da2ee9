import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import type { ChainTrust } from '../../ca/x509/chain.ts'
import { formatGitBundleHeader, type GitBundleHeader } from '../../code/git/packs/git-bundle.ts'
import { formatDeployedRef } from '../../code/git/ref-names.ts'
import { FileLock } from '../../machine/system/file-lock.ts'
import { type BundleHead, readBundle } from './bundle-archive.ts'
import { type BundleSignature, verifyBundleSignature } from './bundle-signature.ts'
import { bundleIssues } from './issues.ts'
import { type BundleManifest, type BundleMember, codePath, toGemMember } from './manifest.ts'

/** Conditions for accepting a bundle. */
export interface BundleTrust {
  readonly trust: ChainTrust
  readonly now: Date
  readonly allowsUnsigned: boolean
}

/** A bundle whose signature and files were verified. */
export interface VerifiedBundle {
  readonly manifest: BundleManifest
  /** `undefined` for an accepted bundle without a signature. */
  readonly signature: BundleSignature | undefined
}

/** A verified bundle with its files on disk. */
export interface UnpackedBundle extends VerifiedBundle {
  /** Path of an unpacked file. */
  place(member: BundleMember): string
}

/** Called with the number of bytes read so far, and of the whole bundle. */
export type BundleProgress = (done: number, of: number) => void

/** Prefix of the temporary folders. */
const staging = 'staging-'

/** The folder of bundles in vardir: temporary folders, and the records of earlier bundles. */
export function getBundlesFolder({ vardir }: { readonly vardir: string }): string {
  return join(vardir, 'bundles')
}

/**
 * Runs `work` with an empty folder that is removed afterwards, alone on this machine. Folders of killed processes are removed
 * first.
 */
export async function withBundleStaging<Result>(
  folder: string,
  work: (scratch: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return new FileLock(join(folder, '.lock')).run(async () => {
    for (const name of await readdir(folder))
      if (name.startsWith(staging)) await rm(join(folder, name), { recursive: true, force: true })
    const scratch = await mkdtemp(join(folder, staging))
    try {
      return await work(scratch)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  })
}

/** Verifies the signature and all files of a bundle. Throws BUNDLE_…. */
export async function verifyBundle(
  path: string,
  trust: BundleTrust,
  progress: BundleProgress = () => {},
): Promise<VerifiedBundle> {
  return readVerified(path, trust, progress, async (_, bytes) => {
    for await (const _ of bytes);
  })
}

/**
 * Verifies a bundle and writes the files that `wants` selects to a folder. The result must be used only after the function
 * returns: then all files are verified. Throws BUNDLE_….
 */
export async function unpackBundle(
  path: string,
  folder: string,
  {
    trust,
    wants,
    progress = () => {},
  }: {
    readonly trust: BundleTrust
    readonly wants: (member: BundleMember, manifest: BundleManifest) => boolean
    readonly progress?: BundleProgress
  },
): Promise<UnpackedBundle> {
  const place = (member: BundleMember) => join(folder, basename(member.path))
  const verified = await readVerified(path, trust, progress, async (member, bytes, manifest) => {
    if (wants(member, manifest)) await writeFile(place(member), bytes, { flag: 'wx', mode: 0o600 })
    else for await (const _ of bytes);
  })
  await checkGitBundle(verified.manifest, join(folder, codePath))
  return { ...verified, place }
}

/** Lists the gems of an unpacked bundle, for `GemInstaller.installFiles`. */
export function listGemFiles({
  manifest,
  place,
}: UnpackedBundle): readonly { readonly path: string; readonly name: string }[] {
  return manifest.gems.map((gem) => ({ path: place(toGemMember(gem)), name: gem.name }))
}

/** Opens the pack in the Git bundle of an unpacked bundle. */
export function openBundledPack({ manifest, place }: UnpackedBundle): AsyncIterable<Uint8Array> {
  const { length: start } = formatGitBundleHeader(toGitBundleHeader(manifest))
  return createReadStream(place({ ...manifest.code, path: codePath }), { start })
}

/** Returns the header of the Git bundle that belongs to a manifest. */
export function toGitBundleHeader({
  objectFormat,
  since,
  environments,
}: Pick<BundleManifest, 'objectFormat' | 'since' | 'environments'>): GitBundleHeader {
  const branches = environments.map(({ ref, commit }) => [ref, commit] as const)
  const deployed = environments
    .filter(({ commit, codeId }) => commit !== codeId)
    .map(({ name, codeId }) => [formatDeployedRef(name), codeId] as const)
  return { objectFormat, since, refs: new Map([...branches, ...deployed]) }
}

/** Checks the signature of a bundle; `undefined` for an accepted bundle without a signature. Throws BUNDLE_…. */
export function checkBundleHead(
  { text, signature }: BundleHead,
  { allowsUnsigned, ...trust }: BundleTrust,
): BundleSignature | undefined {
  return signature === '' && allowsUnsigned ? undefined : verifyBundleSignature(text, signature, trust)
}

async function readVerified(
  path: string,
  trust: BundleTrust,
  progress: BundleProgress,
  member: (member: BundleMember, bytes: AsyncIterable<Uint8Array>, manifest: BundleManifest) => Promise<void>,
): Promise<VerifiedBundle> {
  const { size } = await stat(path)
  const found: { manifest?: BundleManifest; signature?: BundleSignature | undefined } = {}
  async function* readCounted() {
    let done = 0
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
      done += chunk.length
      progress(done, size)
      yield chunk
    }
  }
  const { manifest } = await readBundle(readCounted(), {
    head(head) {
      found.signature = checkBundleHead(head, trust)
      found.manifest = head.manifest
    },
    member: (each, bytes) => member(each, bytes, found.manifest!),
  })
  return { manifest, signature: found.signature }
}

/** Checks that a Git bundle contains the commits of the manifest. Throws BUNDLE_MALFORMED. */
async function checkGitBundle(manifest: BundleManifest, path: string): Promise<void> {
  const expected = formatGitBundleHeader(toGitBundleHeader(manifest))
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(expected.length), 0, expected.length, 0)
    if (bytesRead < expected.length || !buffer.equals(expected))
      throwIssue(bundleIssues.BUNDLE_MALFORMED, { why: `${codePath} contains other commits than the manifest` })
  } finally {
    await file.close()
  }
}
