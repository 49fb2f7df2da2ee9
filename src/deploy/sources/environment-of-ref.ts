import { refusalOfRef } from '../../code/git/names.ts'
import type { CodeSource } from './code-source.ts'

/** The environment of a branch or a tag: its name, or the reason why there is none. */
export type NamedEnvironment =
  | { readonly name: string; readonly warning: string | undefined }
  | { readonly ignored: string | undefined }

type Naming = Pick<CodeSource, 'prefix' | 'ignoredPrefixes' | 'invalidBranches' | 'stripped' | 'filter'>

/**
 * The environment that `heads/NAME` or `tags/NAME` becomes, as r10k names it (r10k: environment/name.rb, source/git.rb): what no name
 * of an environment has becomes `_`, or the branch is left out.
 */
export function environmentOfRef(ref: string, source: Naming): NamedEnvironment {
  const branch = ref.slice(ref.indexOf('/') + 1)
  const shown = `The ${ref.startsWith('tags/') ? 'tag' : 'branch'} ${branch}`
  const { ignoredPrefixes, filter, invalidBranches, prefix } = source
  if (ignoredPrefixes.some((each) => branch.startsWith(each))) return { ignored: undefined }
  if (filter && filter.find(branch) === undefined) return { ignored: undefined }
  const bare = stripped(branch, source)
  if (bare === '') return { ignored: `${shown} is left out: strip_component leaves nothing of its name` }
  const isValid = /^\w+$/.test(bare)
  if (!isValid && invalidBranches === 'error')
    return { ignored: `${shown} is left out: its name has characters that no environment has` }
  const name = `${prefix}${corrected(bare)}`
  const refusal = refusalOfRef(`refs/heads/${name}`)
  if (refusal !== undefined) return { ignored: `${shown} is left out: ${refusal}` }
  const isSaid = !isValid && invalidBranches === 'correct_and_warn'
  return { name, warning: isSaid ? `${shown} is served as environment ${name}` : undefined }
}

/** A name in word characters: for each byte of another one there is a `_`, since r10k reads names of branches as bytes. */
export function corrected(name: string): string {
  return name.replace(/\W/gu, (character) => '_'.repeat(Buffer.byteLength(character)))
}

function stripped(branch: string, { stripped: part }: Naming): string {
  if (part === undefined) return branch
  if (typeof part !== 'string') return part.removeFrom(branch)
  return branch.startsWith(part) ? branch.slice(part.length) : branch
}
