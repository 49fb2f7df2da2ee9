// Trees of a million files and more, made of a handful of objects; and a very deep one.
import { commitOf, pushedFor } from './pushed.js'

const shapes = [
  { width: 10, depth: 6 },
  { width: 12, depth: 6 },
  { width: 1, depth: 400 },
]
let count = 0

export const treeBombs = {
  every: 40,
  prepare: ({ git }) => shapes.map((shape) => bombOf(git, shape)),
  async act(attack) {
    const commit = attack.prepared[count++ % shapes.length]
    await pushedFor(10_000, attack, 'bomb', commit)
    return 'pushed'
  },
}

function bombOf(git, { width, depth }) {
  const file = git(['hash-object', '-w', '--stdin'], 'class bomb { }\n')
  const lines = (kind, oid) =>
    Array.from({ length: width }, (_, number) => `${kind} ${oid}\tt${number}${kind.startsWith('1') ? '.pp' : ''}\n`)
  let tree = git(['mktree'], lines('100644 blob', file).join(''))
  for (let level = 1; level < depth; level++) tree = git(['mktree'], lines('040000 tree', tree).join(''))
  return commitOf(git, { modules: { bomb: { manifests: tree } } })
}
