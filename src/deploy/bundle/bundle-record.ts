import { join } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { toJsonRecord } from '../../base/json/json-checks.ts'
import type { Files } from '../../machine/system/system.ts'
import { bundleIssues } from './issues.ts'
import type { BundledEnvironment } from './manifest.ts'
import type { VerifiedBundle } from './unpacked-bundle.ts'

/** The last bundle that was used for an environment or a node. */
interface RecordedBundle {
  /** The served commit. */
  readonly codeId: string
  readonly created: string
  /** Time of the signature; empty for an unsigned bundle. */
  readonly signed: string
}

/** The use of a bundle on this machine. */
export interface BundleUse {
  /** Imported into the code repository, or applied to nodes. */
  readonly use: 'imported' | 'applied'
  /**
   * The used environments: by name if imported, by certname if applied, so that a bundle with another environment of the node
   * cannot replace a newer one.
   */
  readonly environments: ReadonlyMap<string, BundledEnvironment>
  readonly folder: string
  readonly files: Files
}

/**
 * Throws BUNDLE_OLDER if a newer bundle was used before: with a later signature, or with a newer commit if one of the two
 * bundles is unsigned. The time of a commit alone does not order bundles: each pusher sets it.
 */
export async function checkBundleAge(
  bundle: VerifiedBundle,
  { folder, files, use, environments }: BundleUse,
): Promise<void> {
  const known = parseRecord(await files.readText(getRecordPath(folder, use)))
  for (const [key, { name, codeId }] of environments) {
    const last = known.get(key)
    if (last && isNewer(last, toRecorded(bundle, codeId)))
      throwIssue(bundleIssues.BUNDLE_OLDER, { environment: name, given: codeId, current: last.codeId })
  }
}

/** Records the use of a bundle. */
export async function recordBundle(
  bundle: VerifiedBundle,
  { folder, files, use, environments }: BundleUse,
): Promise<void> {
  const path = getRecordPath(folder, use)
  const known = parseRecord(await files.readText(path))
  for (const [key, { codeId }] of environments) known.set(key, toRecorded(bundle, codeId))
  await files.makeDirectory(folder, 0o700)
  await files.write(path, `${JSON.stringify(Object.fromEntries(known), undefined, 1)}\n`, 0o600)
}

function getRecordPath(folder: string, use: BundleUse['use']): string {
  return join(folder, `${use}.json`)
}

function toRecorded({ manifest, signature }: VerifiedBundle, codeId: string): RecordedBundle {
  return { codeId, created: manifest.created, signed: signature?.time ?? '' }
}

/** Times in ISO 8601 are compared as text. */
function isNewer(one: RecordedBundle, other: RecordedBundle): boolean {
  return one.signed !== '' && other.signed !== '' ? one.signed > other.signed : one.created > other.created
}

/** Reads a record that this program wrote; a damaged record is empty. */
function parseRecord(text: string | undefined): Map<string, RecordedBundle> {
  let document: unknown
  try {
    document = JSON.parse(text ?? '{}')
  } catch {
    document = {}
  }
  return new Map(
    Object.entries(toJsonRecord(document)).map(([name, value]) => {
      const { codeId, created, signed } = toJsonRecord(value)
      return [name, { codeId: String(codeId), created: String(created), signed: String(signed) }] as const
    }),
  )
}
