import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import type { RubyMachine } from '../../ruby/ruby-machine.ts'
import { createRubySandbox } from '../../ruby/ruby-sandbox.ts'
import { normalizeDiskPath } from '../../ruby/wasi/disk.ts'
import { MemoryDisk } from '../../ruby/wasi/memory-disk.ts'
import type { RubyShare } from '../../ruby/worker-share.ts'
import type { ModuleFiles } from '../code/module-files.ts'
import { createExternalFiles, type ExternalReader } from './external-files.ts'
import { computeRubyDigest } from './ruby-digest.ts'
import { VisibleTree } from './ruby-file-tree.ts'
import { RubyInputs } from './ruby-inputs.ts'
import { createRubyView, listRubyTrees, type RubyView } from './ruby-view.ts'

/** Memory size in bytes above which a machine is not reused for another catalog. */
const enough = 320 * 1024 * 1024

/** A Ruby machine, and the environment that it currently uses. */
export interface EnvironmentMachine {
  readonly machine: RubyMachine
  environment: CompileEnvironment
  seen: RubyView
  readonly sights: RubyInputs
  /** The environment's trees in order, in the form that the machine sees. */
  readonly files: readonly VisibleTree[]
  readonly outside: ExternalReader
}

/** Properties that determine which machine is used. */
export interface RubyMachineRequest {
  readonly share: RubyShare
  readonly environment: CompileEnvironment
  readonly files: ModuleFiles
  /** Folders outside of the commit that Ruby may read. */
  readonly folders: readonly string[]
  /** A folder that Ruby can write, in memory. */
  readonly scratchFolder: string | undefined
}

/**
 * This thread's machines. Each state of an environment's Ruby code has its own machine, which is isolated from other
 * code.
 */
const homes = new LRUCache<string, EnvironmentMachine>({ max: 4 })

/**
 * Returns the machine of an environment. If a commit does not change Ruby code, the machine of the previous commit is
 * reused, unless Ruby may have cached other files, or the time, and these have changed since. `first` is true for the
 * first call in a catalog.
 */
export function getEnvironmentMachine(
  { share, environment, files, folders, scratchFolder }: RubyMachineRequest,
  first: boolean,
): EnvironmentMachine {
  const trees = listRubyTrees(environment)
  const roots = trees.map(({ root }) => root)
  const key = [environment.name, ...roots, computeRubyDigest(environment, files), '', ...folders].join('\0')
  const known = homes.get(key)
  // Ruby may have cached reads from outside the commit, which would then not be recorded for the next catalog.
  const isFresh = known && !(first && known.outside.wasUsed)
  if (isFresh && isReusable(known.machine, first) && switchEnvironment(known, environment)) return known
  const visible = trees.map((tree) => new VisibleTree(tree))
  const outside: ExternalReader = { read: () => undefined, wasUsed: false }
  const mounts = Object.fromEntries([
    ...folders.map((folder) => [normalizeDiskPath(folder), createExternalFiles(folder, outside)]),
    ...visible.map((each, index) => [normalizeDiskPath(roots[index]!), each]),
  ])
  const seen = createRubyView(environment)
  const sights = new RubyInputs()
  const scratch =
    scratchFolder === undefined
      ? {}
      : { [normalizeDiskPath(scratchFolder)]: new MemoryDisk(budgets.spec.scratch.bound) }
  const machine = createRubySandbox(share.image(), mounts, environment.tree.time, scratch)
  machine.onLook = (sight) => sights.add(sight, true, seen)
  const home = { machine, environment, seen, sights, files: visible, outside }
  homes.set(key, home)
  return home
}

function isReusable(machine: RubyMachine, first: boolean): boolean {
  return !machine.isDead && !(first && machine.memorySize > enough)
}

function isSameTree(tree: CodeTree, other: CodeTree): boolean {
  if (tree === other) return true
  return tree.codeId !== undefined && tree.codeId === other.codeId && tree.time === other.time
}

/**
 * Switches a machine to the current state of its environment. Returns false if Ruby may have cached an input that has
 * changed.
 */
function switchEnvironment(home: EnvironmentMachine, environment: CompileEnvironment): boolean {
  if (home.environment === environment) return true
  const { machine, sights, files } = home
  const seen = createRubyView(environment)
  const trees = listRubyTrees(environment)
  const before = listRubyTrees(home.environment)
  const isSame = trees.every((tree, index) => isSameTree(tree, before[index]!))
  if (!isSame && !sights.agreeWith(seen)) return false
  for (const [index, each] of files.entries()) each.moveTo(trees[index]!)
  machine.setClock(environment.tree.time)
  const changed = isSame ? [] : sights.takeChanged(seen)
  if (changed.length > 0) machine.callAlone('forget_files', [['l', ...changed]])
  home.environment = environment
  home.seen = seen
  return true
}
