import { findRefProblem } from '../../code/git/ref-names.ts'
import type { CodeSource } from './code-source.ts'

/** The environment of a branch or tag: its name, or the reason why there is none. */
export type NamedEnvironment =
  | { readonly name: string; readonly warning: string | undefined }
  | { readonly ignored: string | undefined }

type Naming = Pick<CodeSource, 'prefix' | 'ignoredPrefixes' | 'invalidBranches' | 'stripped' | 'filter'>

/**
 * Returns the environment for `heads/NAME` or `tags/NAME`, named as in r10k (environment/name.rb,
 * source/git.rb): invalid characters become `_`, or the branch is ignored.
 */
export function toEnvironment(ref: string, source: Naming): NamedEnvironment {
  const branch = ref.slice(ref.indexOf('/') + 1)
  const shown = `The ${ref.startsWith('tags/') ? 'tag' : 'branch'} ${branch}`
  const { ignoredPrefixes, filter, invalidBranches, prefix } = source
  if (ignoredPrefixes.some((each) => branch.startsWith(each))) return { ignored: undefined }
  if (filter && filter.find(branch) === undefined) return { ignored: undefined }
  const bare = stripComponent(branch, source)
  if (bare === '') return { ignored: `${shown} is skipped: strip_component removes its whole name` }
  const isValid = /^\w+$/.test(bare)
  if (!isValid && invalidBranches === 'error')
    return { ignored: `${shown} is skipped: its name contains characters that environment names cannot have` }
  const name = `${prefix}${replaceInvalidCharacters(bare)}`
  const refusal = findRefProblem(`refs/heads/${name}`)
  if (refusal !== undefined) return { ignored: `${shown} is skipped: ${refusal}` }
  const isSaid = !isValid && invalidBranches === 'correct_and_warn'
  return { name, warning: isSaid ? `${shown} is served as environment ${name}` : undefined }
}

/** Replaces each byte of an invalid character with `_`, since r10k reads branch names as bytes. */
export function replaceInvalidCharacters(name: string): string {
  return name.replace(/\W/gu, (character) => '_'.repeat(Buffer.byteLength(character)))
}

function stripComponent(branch: string, { stripped: part }: Naming): string {
  if (part === undefined) return branch
  if (typeof part !== 'string') return part.removeFrom(branch)
  return branch.startsWith(part) ? branch.slice(part.length) : branch
}
