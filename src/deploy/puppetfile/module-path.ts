import { budgets } from '../../base/budgets/budgets.ts'

/** Files and folders of a control repository that no module may replace. */
const ownFiles = ['environment.conf', 'hiera.yaml', 'Puppetfile', 'Puppetfile.lock', '.git']
/** Further folders that no module may replace, if the content of the control repository is unknown. */
const usualFolders = ['manifests', 'data', 'hieradata']

const { name: longestName, depth } = budgets.module

/** A folder in the environment, or the reason for rejecting it. */
export type NormalizedFolder = { readonly path: string } | { readonly why: string }

/**
 * Normalizes a folder of a Puppetfile relative to the environment's root, which is `''`. An
 * absolute path inside the environment is accepted, as in r10k.
 */
export function normalizeFolder(given: string, root: string): NormalizedFolder {
  if (given.length > budgets.module.words.bound) return { why: 'the path is too long' }
  const isInside = given === root || given.startsWith(`${root}/`)
  if (given.startsWith('/') && !isInside) return { why: 'the path is outside of the environment' }
  const parts = (isInside ? given.slice(root.length) : given).split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return { why: "the path contains '..'" }
  if (parts.length > depth.bound) return { why: `the path is more than ${depth.bound} directories deep` }
  const odd = parts.find((part) => !isFolderName(part))
  return odd === undefined ? { path: parts.join('/') } : { why: `'${odd}' is not a valid directory name` }
}

/**
 * Returns the reason why a module may not be at a normalized path; `undefined` if it may. `present`
 * are the names in the root folder of the control repository, if known.
 */
export function findPathProblem(path: string, present: ReadonlySet<string> | undefined): string | undefined {
  const [top = '', ...rest] = path.split('/')
  if (top === 'manifests' && (rest.length > 0 || present === undefined || present.has(top)))
    return 'manifests/ belongs to the control repository'
  const kept = [...ownFiles, ...(present ?? usualFolders)]
  if (rest.length === 0 && kept.includes(top)) return `the module would replace ${top} of the control repository`
  if (ownFiles.includes(top)) return `${top} belongs to the control repository`
  return undefined
}

/**
 * Returns true for a valid folder name of a module: letters, digits, `_ . + - @`, and inner blanks;
 * never `.git` in any case.
 */
function isFolderName(name: string): boolean {
  return name.length <= longestName.bound && /^[\w.+@-](?:[\w .+@-]*[\w+@-])?$/.test(name) && !/^\.git$/i.test(name)
}
