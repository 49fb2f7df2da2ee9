import { LRUCache } from 'lru-cache'
import type { CodeTree } from '../../environments/code-tree.ts'
import type { CompileEnvironment } from '../../environments/compile-environment.ts'
import { RubyMachine } from '../../ruby/machine.ts'
import type { RubyShare } from '../../ruby/ruby-share.ts'
import type { ModuleFiles } from '../code/module-files.ts'
import { rubyDigest } from './ruby-digest.ts'
import { SeenFiles } from './seen-files.ts'

/** A machine that holds more than this, in bytes, is not used for another catalog. */
const enough = 320 * 1024 * 1024

/** A machine, and the environment that it works for now. */
export interface RubyHome {
  readonly machine: RubyMachine
  environment: CompileEnvironment
  /** The machine's views of the environment's trees, in order. */
  readonly files: readonly SeenFiles[]
}

/** This thread's machines: one for each environment's Ruby code as it is, which no other code ever ran in. */
const homes = new LRUCache<string, RubyHome>({ max: 4 })

/**
 * The machine of an environment. A commit that changed no Ruby has that of the commit before, unless what Ruby saw of
 * other files, or of the clock, is another thing now. `first` is said once for a catalog.
 */
export function rubyHome(
  share: RubyShare,
  environment: CompileEnvironment,
  files: ModuleFiles,
  first: boolean,
): RubyHome {
  const trees = treesOf(environment)
  const key = [environment.name, ...trees.map(({ root }) => root), rubyDigest(environment, files)].join('\0')
  const known = homes.get(key)
  if (known && isGood(known.machine, first) && follow(known, environment)) return known
  const seen = trees.map((tree) => new SeenFiles(tree))
  const mounts = Object.fromEntries(seen.map((each, index) => [trees[index]!.root.slice(1), each]))
  const machine = new RubyMachine(share.image(), mounts, environment.tree.time)
  const home = { machine, environment, files: seen }
  homes.set(key, home)
  return home
}

function treesOf({ tree, modulepath }: CompileEnvironment): readonly CodeTree[] {
  return [tree, ...modulepath.map((directory) => directory.tree)]
}

function isGood(machine: RubyMachine, first: boolean): boolean {
  return !machine.isDead && !(first && machine.memorySize > enough)
}

/** Moves a machine on to the environment as it is now; false where the machine saw something that has changed. */
function follow(home: RubyHome, environment: CompileEnvironment): boolean {
  const { machine, files } = home
  const trees = treesOf(environment)
  if (!files.every((each, index) => each.agreesWith(trees[index]!))) return false
  if (!machine.setClock(trees[0]!.time)) return false
  for (const [index, each] of files.entries()) each.moveTo(trees[index]!)
  home.environment = environment
  return true
}
