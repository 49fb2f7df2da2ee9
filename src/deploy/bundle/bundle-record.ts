import { join } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { toJsonRecord } from '../../base/json/json-checks.ts'
import type { Files } from '../../machine/system/system.ts'
import { bundleIssues } from './issues.ts'
import type { VerifiedBundle } from './unpacked-bundle.ts'

/** The last bundle of an environment on this machine. */
interface RecordedBundle {
  /** The served commit. */
  readonly codeId: string
  readonly created: string
  /** Time of the signature; empty for an unsigned bundle. */
  readonly signed: string
}

/** The use of a bundle: imported into the code repository, or applied to this machine. */
export type BundleUse = 'imported' | 'applied'

/**
 * Throws BUNDLE_OLDER if a newer bundle of one of the environments was used before: with a newer commit, or with the same
 * commit and a later signature.
 */
export async function checkBundleAge(
  bundle: VerifiedBundle,
  environments: readonly string[],
  { folder, files, use }: { readonly folder: string; readonly files: Files; readonly use: BundleUse },
): Promise<void> {
  const known = parseRecord(await files.readText(getRecordPath(folder, use)))
  for (const { name, codeId } of bundle.manifest.environments) {
    const last = environments.includes(name) ? known.get(name) : undefined
    if (last && formatAge(last) > formatAge(toRecorded(bundle, codeId)))
      throwIssue(bundleIssues.BUNDLE_OLDER, { environment: name, given: codeId, current: last.codeId })
  }
}

/** Records the use of a bundle for these environments. */
export async function recordBundle(
  bundle: VerifiedBundle,
  environments: readonly string[],
  { folder, files, use }: { readonly folder: string; readonly files: Files; readonly use: BundleUse },
): Promise<void> {
  const path = getRecordPath(folder, use)
  const known = parseRecord(await files.readText(path))
  for (const { name, codeId } of bundle.manifest.environments)
    if (environments.includes(name)) known.set(name, toRecorded(bundle, codeId))
  await files.makeDirectory(folder, 0o700)
  await files.write(path, `${JSON.stringify(Object.fromEntries(known), undefined, 1)}\n`, 0o600)
}

function getRecordPath(folder: string, use: BundleUse): string {
  return join(folder, `${use}.json`)
}

function toRecorded({ manifest, signature }: VerifiedBundle, codeId: string): RecordedBundle {
  return { codeId, created: manifest.created, signed: signature?.time ?? '' }
}

/** Times in ISO 8601 are compared as text. */
function formatAge({ created, signed }: RecordedBundle): string {
  return `${created} ${signed}`
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
