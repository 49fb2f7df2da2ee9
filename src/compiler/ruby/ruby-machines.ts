import { LRUCache } from 'lru-cache'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { RubyMachine } from '../../ruby/machine.ts'
import type { RubyShare } from '../../ruby/ruby-share.ts'
import type { ModuleFiles } from '../code/module-files.ts'
import { type OutsideReader, outsideFiles } from './outside-files.ts'
import { rubyDigest } from './ruby-digest.ts'
import { type SeenByRuby, seenByRuby, treesOf } from './seen-by-ruby.ts'
import { Sights } from './sights.ts'
import { VisibleTree } from './visible-tree.ts'

/** Bytes; a larger machine is not reused for another catalog. */
const enough = 320 * 1024 * 1024

/** A Ruby machine, and its current environment. */
export interface RubyHome {
  readonly machine: RubyMachine
  environment: CompileEnvironment
  seen: SeenByRuby
  readonly sights: Sights
  /** The environment's trees as the machine sees them, in order. */
  readonly files: readonly VisibleTree[]
  readonly outside: OutsideReader
}

/** Properties by which a machine is selected. */
export interface RubyWish {
  readonly share: RubyShare
  readonly environment: CompileEnvironment
  readonly files: ModuleFiles
  /** Folders outside of the commit that Ruby may read. */
  readonly folders: readonly string[]
}

/** This thread's machines, one for each state of an environment's Ruby code, isolated from other code. */
const homes = new LRUCache<string, RubyHome>({ max: 4 })

/**
 * Returns the machine of an environment. A commit that does not change Ruby code reuses the machine
 * of the previous commit, unless Ruby may have cached other files, or the time, that have changed
 * since. `first` is true for the first use in a catalog.
 */
export function rubyHome({ share, environment, files, folders }: RubyWish, first: boolean): RubyHome {
  const trees = treesOf(environment)
  const roots = trees.map(({ root }) => root)
  const key = [environment.name, ...roots, rubyDigest(environment, files), '', ...folders].join('\0')
  const known = homes.get(key)
  // Ruby may have cached reads outside the commit; the next catalog would not record them.
  const isFresh = known && !(first && known.outside.wasUsed)
  if (isFresh && isGood(known.machine, first) && follow(known, environment)) return known
  const visible = trees.map((tree) => new VisibleTree(tree))
  const outside: OutsideReader = { read: () => undefined, wasUsed: false }
  const mounts = Object.fromEntries([
    ...folders.map((folder) => [folder.slice(1), outsideFiles(folder, outside)]),
    ...visible.map((each, index) => [roots[index]!.slice(1), each]),
  ])
  const seen = seenByRuby(environment)
  const sights = new Sights()
  const machine = new RubyMachine(share.image(), mounts, environment.tree.time)
  machine.onLook = (sight) => sights.add(sight, true, seen)
  const home = { machine, environment, seen, sights, files: visible, outside }
  homes.set(key, home)
  return home
}

function isGood(machine: RubyMachine, first: boolean): boolean {
  return !machine.isDead && !(first && machine.memorySize > enough)
}

/**
 * Switches a machine to the current state of its environment; returns false if Ruby may have cached
 * a changed input.
 */
function follow(home: RubyHome, environment: CompileEnvironment): boolean {
  if (home.environment === environment) return true
  const { machine, sights, files } = home
  const seen = seenByRuby(environment)
  const trees = treesOf(environment)
  const before = treesOf(home.environment)
  const isSame = trees.every(({ id, time }, index) => id === before[index]!.id && time === before[index]!.time)
  if (!isSame && !sights.agreeWith(seen)) return false
  for (const [index, each] of files.entries()) each.moveTo(trees[index]!)
  machine.setClock(environment.tree.time)
  const changed = isSame ? [] : sights.takeChanged(seen)
  if (changed.length > 0) machine.callAlone('forget_files', [['l', ...changed]])
  home.environment = environment
  home.seen = seen
  return true
}
