import { type DigestRecipe, digestFile, digestParts } from '../../../base/bytes/digest.ts'
import { type PackedError, packError } from '../../../base/threads/packed-error.ts'
import { answerQuestions } from '../../../base/threads/worker-thread.ts'
import { catFile } from '../cat-file.ts'
import { type GitPlace, openGitOutput } from '../git-command.ts'

/** Source of the bytes: a blob of a repository, or a file. */
export type DigestSource =
  | { readonly kind: 'blob'; readonly place: GitPlace; readonly oid: string }
  | { readonly kind: 'file'; readonly path: string }

/** A request for the hex digest of a source. */
export interface DigestQuestion {
  readonly source: DigestSource
  readonly recipe: DigestRecipe
}

/** The digest, or an error. */
export type DigestAnswer = { readonly digest: string } | { readonly error: PackedError }

answerQuestions(async ({ source, recipe }: DigestQuestion): Promise<DigestAnswer> => {
  try {
    return { digest: await computeDigest(source, recipe) }
  } catch (error) {
    return { error: packError(error) }
  }
})

async function computeDigest(source: DigestSource, recipe: DigestRecipe): Promise<string> {
  if (source.kind === 'file') return digestFile(source.path, recipe)
  return digestParts(await openGitOutput(source.place, [...catFile, 'blob', source.oid]), recipe)
}
