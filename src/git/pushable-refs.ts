import { hiddenPrefix, isOid } from './names.ts'

/**
 * The reason why a ref must not be created or moved; `undefined` for an ordinary branch or tag. `refs/replace/` changes
 * the content of commits for every reader, `refs/notes/`, `refs/stash` and others change what git prints of them, and
 * names such as `HEAD` or the id of a commit make a revision ambiguous.
 */
export function refusalOfRef(ref: string): string | undefined {
  if (isHidden(ref)) return 'kept by the server for itself'
  const [, name] = /^refs\/(?:heads|tags)\/(.+)$/s.exec(ref) ?? []
  if (name === undefined) return 'only branches and tags can be pushed'
  if (/^(?:[A-Za-z]+_)?HEAD$/i.test(name) || name === '@') return `a branch or tag cannot be named ${name}`
  if (isOid(name.toLowerCase())) return 'the name of a branch or tag cannot be the id of a commit'
  const [start] = /^(?:-|refs\/)/.exec(name) ?? []
  if (start !== undefined) return `the name of a branch or tag cannot begin with ${start}`
  return undefined
}

/** True of a ref that the server keeps for itself. */
export function isHidden(ref: string): boolean {
  return ref === hiddenPrefix || ref.startsWith(`${hiddenPrefix}/`)
}
