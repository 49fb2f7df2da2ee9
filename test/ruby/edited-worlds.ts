import type { ExactJson } from '../../src/base/json/exact-json.ts'
import type { CodeTree } from '../../src/code/environments/code-tree.ts'
import type { CompileEnvironment } from '../../src/code/environments/compile-environment.ts'
import { compile } from '../../src/compiler/compile.ts'
import { ownRuby, type RubyShare } from '../../src/ruby/worker-share.ts'
import { type Chance, chosen } from '../support/chance.js'
import { type Edits, editedTree } from '../support/edited-tree.ts'
import { seed } from '../support/nightly.ts'
import { plainRequest } from '../support/plain-request.js'
import { editedOnce } from './random-edits.ts'

const recalling: RubyShare = { ...ownRuby, checkCallsEvery: 0 }
/** Every call that is recalled is made again, and compared. */
const checked: RubyShare = { ...ownRuby, checkCallsEvery: 1 }
export const unremembering: RubyShare = { ...ownRuby, checkCallsEvery: undefined }

type Facts = Readonly<Record<string, ExactJson>>

/** Files as they are edited, and what is known of a node. */
interface World {
  readonly edits: Edits
  readonly facts: Facts
}

/** Code whose files are edited. */
export interface Site {
  readonly files: CodeTree
  /** Nodes, the first that of the first world. */
  readonly nodes: readonly Facts[]
  /** Each runs some of the site's Ruby. */
  readonly manifests: readonly string[]
  /** Files that may be edited from the beginning; others are what Ruby looks at. */
  readonly paths: readonly string[]
  isToBeEdited(path: string): boolean
  /** `salt` is code that nobody runs: with another one, no machine is the one that ran before. */
  open(tree: (edits: Edits) => CodeTree, edits: Edits, salt: string): Omit<CompileEnvironment, 'manifest'>
}

export const saltFile = 'lib/salt.rb'

/** What each manifest says, or why it fails; they are one manifest, which does what the node's fact says. */
export function said(
  { manifests }: Site,
  opened: Omit<CompileEnvironment, 'manifest'>,
  facts: Facts,
  share: RubyShare,
): string[] {
  const text = `case $facts['probe'] {\n${manifests.map((each, index) => `${index}: {\n${each}\n}\n`).join('')}}`
  const environment = { ...opened, manifest: { text } }
  return manifests.map((_, probe) => {
    try {
      const request = plainRequest(environment, { facts: { ...facts, probe }, trusted: { certname: 'n1' } })
      const { catalog, logs } = compile(request, share)
      const resources = catalog.resources.map(({ type, title, parameters }) => [type, title, [...parameters]])
      return JSON.stringify([logs.map(({ level, message }) => [level, message]), resources])
    } catch (error) {
      return `! ${(error as Error).message}`.replaceAll(/0x[0-9a-f]{6,}/g, '0x…')
    }
  })
}

/** Another world than all before, or one of those. */
function nextWorld({ files, nodes }: Site, worlds: readonly World[], paths: readonly string[], chance: Chance): World {
  const from = chosen([worlds.at(-1)!, ...worlds.slice(0, 1), ...worlds], chance)
  if (paths.length === 0 || (worlds.length > 2 && chance(4) === 0)) return from
  let { edits } = from
  for (let count = 1 + chance(4); count > 0; count--)
    edits = editedOnce(edits, paths, (path) => files.readText(path), chance)
  return { edits, facts: chance(3) === 0 ? chosen(nodes, chance) : from.facts }
}

/** What differs. */
interface Changes {
  /** Manifests that say something else with calls recalled. */
  readonly found: readonly unknown[]
  /** How many say something else than in the first world. */
  readonly different: number
}

/** Where manifests say something else with calls recalled than on a fresh machine without, as files change to and fro. */
export function wrong(site: Site, rounds: number, chance: Chance): Changes {
  const worlds: World[] = [{ edits: new Map(), facts: site.nodes[0]! }]
  const wanted = new Map<World, readonly string[]>()
  const paths = new Set(site.paths)
  const found: unknown[] = []
  let different = 0
  for (let round = 0; round < rounds && found.length === 0; round++) {
    const world = round === 0 ? worlds[0]! : nextWorld(site, worlds, [...paths], chance)
    const { edits, facts } = world
    if (!wanted.has(world)) {
      if (round > 0) worlds.push(world)
      // All that is looked at and is not there may be there in another world.
      const asked = (path: string) => void (site.isToBeEdited(path) && paths.add(path))
      const opened = site.open((each) => editedTree(site.files, each, asked), edits, `world ${worlds.length}`)
      wanted.set(world, said(site, opened, facts, unremembering))
    }
    const share = chance(4) === 0 ? checked : recalling
    const opened = site.open((each) => editedTree(site.files, each), edits, 'all')
    const now = said(site, opened, facts, share)
    wanted.get(world)!.forEach((each, index) => {
      if (each !== wanted.get(worlds[0]!)![index]) different++
      if (each !== now[index])
        found.push({ seed, round, manifest: site.manifests[index], wanted: each, found: now[index], edits: [...edits] })
    })
  }
  return { found, different }
}
