// Commits that an attacker makes object by object, with no working tree that his own machine would choke on.

export const branchOf = (environment) => `refs/heads/${environment}`

/** A commit of a tree: text of files and object ids of trees by name, folders as objects. */
export function commitOf(git, tree) {
  return git(['commit-tree', treeOf(git, tree), '-m', 'Harmless'])
}

const isOid = (text) => /^[0-9a-f]{40}$/.test(text)

function treeOf(git, tree) {
  const lines = Object.entries(tree).map(([name, content]) => {
    if (typeof content !== 'string') return `040000 tree ${treeOf(git, content)}\t${name}`
    if (isOid(content)) return `040000 tree ${content}\t${name}`
    return `100644 blob ${git(['hash-object', '-w', '--stdin'], content)}\t${name}`
  })
  return git(['mktree'], `${lines.join('\n')}\n`)
}

/** Moves a branch to a commit, leaves it there for so long, and takes it away. */
export async function pushedFor(ms, { git, pause }, environment, commit) {
  git(['update-ref', branchOf(environment), commit])
  try {
    await pause(ms)
  } finally {
    git(['update-ref', '-d', branchOf(environment)])
  }
}
