import { Readable } from 'node:stream'
import { throwIssue } from '../../../base/issue.ts'
import { buildGitEnvironment, createLimitedCommand, type GitPlace, openGitOutput } from '../git-command.ts'
import { gitIssues } from '../issues.ts'
import { checkOid } from '../ref-names.ts'

/** The commits of a Git bundle. gitformat-bundle(5). */
export interface GitBundleHeader {
  readonly objectFormat: 'sha1' | 'sha256'
  /** Commit by ref. */
  readonly refs: ReadonlyMap<string, string>
  /** Commits that the reader of the bundle must have. */
  readonly since: readonly string[]
}

/** Formats the header of a Git bundle, which precedes the pack. */
export function formatGitBundleHeader({ objectFormat, refs, since }: GitBundleHeader): Buffer {
  const lines = [
    ...(objectFormat === 'sha1' ? ['# v2 git bundle'] : ['# v3 git bundle', `@object-format=${objectFormat}`]),
    ...since.map((commit) => `-${checkOid(commit)} `),
    ...Array.from(refs, ([ref, commit]) => `${checkOid(commit)} ${ref}`),
  ]
  return Buffer.from(`${lines.join('\n')}\n\n`)
}

/**
 * Yields a Git bundle. The same commits and the same git give the same bytes, whatever packs the repository has: one thread
 * compresses all objects again. Throws GIT_FAILED.
 */
export async function* writeGitBundle(place: GitPlace, header: GitBundleHeader): AsyncGenerator<Uint8Array> {
  const { refs, since } = header
  yield formatGitBundleHeader(header)
  const words = ['--revs', '--stdout', '--quiet', '--delta-base-offset', '--threads=1']
  const anew = ['--no-reuse-delta', '--no-reuse-object', '--no-use-bitmap-index']
  const thin = since.length > 0 ? ['--thin'] : []
  const input = [...new Set(refs.values()), ...since.map((commit) => `^${checkOid(commit)}`)]
  yield* await openGitOutput(place, ['pack-objects', ...words, ...anew, ...thin], { input: `${input.join('\n')}\n` })
}

/** Adds the objects of a pack to a repository, after checking each of them. Throws GIT_FAILED. */
export async function indexPack(place: GitPlace, pack: AsyncIterable<Uint8Array>): Promise<void> {
  const { program, words, env } = createLimitedCommand([
    `--git-dir=${place.gitDir}`,
    ...['index-pack', '--stdin', '--fix-thin', '--strict'],
  ])
  const { execa } = await import('execa') // loaded on demand (0.1 s)
  const { exitCode, stderr } = await execa(program, words, {
    env: { ...buildGitEnvironment(place), ...env },
    extendEnv: false,
    cwd: '/',
    input: Readable.from(pack, { objectMode: false }),
    stdout: 'ignore',
    reject: false,
  })
  if (exitCode !== 0)
    throwIssue(gitIssues.GIT_FAILED, { command: 'index-pack', why: String(stderr).trim().split('\n').at(-1) ?? '' })
}
