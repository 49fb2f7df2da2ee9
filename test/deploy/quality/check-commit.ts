import { createHash } from 'node:crypto'
import { checkManifests } from '../../../src/deploy/quality/manifest-checks.ts'
import type { QualityAnswer, QualityQuestion } from '../../../src/deploy/quality/quality-answer.ts'

/** Files of a commit: text, bytes, or the target of a link. */
export type CommitContent = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>

/** The result for a commit with these files, all of which are changed. */
export function checkCommitFiles(files: CommitContent, options: Partial<QualityQuestion> = {}): Promise<QualityAnswer> {
  const blobs = new Map<string, Uint8Array>()
  const entries = Object.entries(files).map(([path, content]) => {
    const isLink = typeof content === 'object' && 'link' in content
    const bytes = Buffer.from(isLink ? content.link : content)
    const oid = createHash('sha1').update(bytes).digest('hex')
    blobs.set(oid, bytes)
    return { path, oid, mode: isLink ? ('120000' as const) : ('100644' as const), size: bytes.length }
  })
  const manifests = entries.filter(({ path }) => path.endsWith('.pp'))
  return checkManifests(
    { name: 'control', entries, manifests, lint: true, format: true, timeMs: 60_000, ...options },
    (oid) => blobs.get(oid)!,
  )
}

/** The problems of a commit, as `plumb lint` prints them. */
export async function listProblems(
  files: CommitContent,
  options?: Partial<QualityQuestion>,
): Promise<readonly string[]> {
  const { problems } = await checkCommitFiles(files, options)
  return problems.map(({ path, tool, severity, message, line, check }) =>
    tool === 'format' ? `${path} is not formatted` : `${path}:${line} ${severity} ${message} (${check})`,
  )
}
