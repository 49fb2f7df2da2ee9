import { budgets } from '../../base/budgets/budgets.ts'

/** Files and folders of a control repository that no module takes the place of. */
const ownFiles = ['environment.conf', 'hiera.yaml', 'Puppetfile', 'Puppetfile.lock', '.git']
/** The same, where it is not known what the control repository has. */
const usualFolders = ['manifests', 'data', 'hieradata']

const { name: longestName, depth } = budgets.module

/** A folder within the environment, or the reason for which it may not be one. */
export type PlacedFolder = { readonly path: string } | { readonly why: string }

/**
 * A folder that a Puppetfile names, from the environment's own on; `''` is that. An absolute one may be of this environment:
 * r10k takes it, too.
 */
export function placedFolder(given: string, root: string): PlacedFolder {
  if (given.length > budgets.module.words.bound) return { why: 'it is too long' }
  const isInside = given === root || given.startsWith(`${root}/`)
  if (given.startsWith('/') && !isInside) return { why: 'it is outside of the environment' }
  const parts = (isInside ? given.slice(root.length) : given).split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return { why: "it leads out, or could, with '..'" }
  if (parts.length > depth.bound) return { why: `it is more than ${depth.bound} folders deep` }
  const odd = parts.find((part) => !isPlainName(part))
  return odd === undefined ? { path: parts.join('/') } : { why: `'${odd}' is no name of a folder that is taken` }
}

/**
 * The reason for which a module may not be at a path, which is plain; `undefined` where it may. `present` are the names in the
 * topmost folder of the control repository, where they are known.
 */
export function reasonAgainst(path: string, present: ReadonlySet<string> | undefined): string | undefined {
  const [top = '', ...rest] = path.split('/')
  if (top === 'manifests' && (rest.length > 0 || present === undefined || present.has(top)))
    return 'manifests/ is of the control repository'
  const kept = [...ownFiles, ...(present ?? usualFolders)]
  if (rest.length === 0 && kept.includes(top)) return `it would cover ${top} of the control repository`
  if (ownFiles.includes(top)) return `${top} is of the control repository`
  return undefined
}

/** Letters, digits, `_ . + - @` and blanks within, as folders of modules are called; never `.git`, however it is written. */
function isPlainName(name: string): boolean {
  return name.length <= longestName.bound && /^[\w.+@-](?:[\w .+@-]*[\w+@-])?$/.test(name) && !/^\.git$/i.test(name)
}
