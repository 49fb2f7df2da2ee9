// Trees of a million files and more, made of a handful of objects; and a very deep one.
import { pushedFor, pusherTo } from './pushed.js'

const shapes = [
  { width: 10, depth: 6 },
  { width: 12, depth: 6 },
  { width: 1, depth: 2000 },
]
let count = 0

export const treeBombs = {
  every: 60,
  withinMs: 50_000,
  prepare: ({ repository }) => shapes.map((shape) => bombOf(pusherTo(repository), shape)),
  async act(attack) {
    await pushedFor(40_000, attack, { bomb: attack.prepared[count++ % shapes.length] })
    return 'pushed'
  },
}

function bombOf(pusher, { width, depth }) {
  const times = (name, entry) => Object.fromEntries(Array.from({ length: width }, (_, number) => [name(number), entry]))
  let tree = pusher.tree(times((number) => `t${number}.pp`, 'class bomb { }\n'))
  for (let level = 1; level < depth; level++) tree = pusher.tree(times((number) => `t${number}`, tree))
  return pusher.commit({ modules: { bomb: { manifests: tree } } })
}
