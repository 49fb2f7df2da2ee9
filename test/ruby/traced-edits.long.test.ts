import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ExactJson } from '../../src/base/exact-json.ts'
import { begin } from '../../src/compiler/begin/begin.ts'
import { compile } from '../../src/compiler/compile.ts'
import type { CodeTree } from '../../src/environments/code-tree.ts'
import type { CompileEnvironment } from '../../src/environments/compile-environment.ts'
import { LegacyRubyFunction, RubyFunction } from '../../src/ruby/functions.ts'
import { ownRuby, type RubyShare } from '../../src/ruby/ruby-share.ts'
import { recalledCalls } from '../../src/ruby/traced/calls.ts'
import { type Chance, chanceOf, chosen } from '../support/chance.js'
import { debianModules } from '../support/debian-modules.ts'
import { type Edits, editedTree } from '../support/edited-tree.ts'
import { treeOf } from '../support/map-tree.ts'
import { without } from '../support/needs.ts'
import { plainRequest } from '../support/plain-request.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { facts as debianFacts, filesOf, requestOf } from './beside-puppet.ts'
import { copyRuby, left } from './debian-ruby.ts'
import { functionProbes } from './function-probes.ts'
import { editedOnce } from './random-edits.ts'
import { manifests, root, site } from './reading-site.ts'
import { templateProbes } from './template-probes.ts'

const isNightly = process.env['CI_NIGHTLY'] === '1'
const seed = Number(process.env['RANDOM_SEED'] ?? 1)

const recalling: RubyShare = { ...ownRuby, checkCallsEvery: 0 }
/** Every call that is recalled is made again, and compared. */
const checked: RubyShare = { ...ownRuby, checkCallsEvery: 1 }
const unremembering: RubyShare = { ...ownRuby, checkCallsEvery: undefined }

type Facts = Readonly<Record<string, ExactJson>>

/** Files as they are edited, and what is known of a node. */
interface World {
  readonly edits: Edits
  readonly facts: Facts
}

/** Code whose files are edited. */
interface Site {
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

const saltFile = 'lib/salt.rb'

/** What each manifest says, or why it fails; they are one manifest, which does what the node's fact says. */
function said({ manifests }: Site, opened: Omit<CompileEnvironment, 'manifest'>, facts: Facts, share: RubyShare) {
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

/** Where manifests say something else with calls recalled than on a fresh machine without, as files change to and fro. */
function wrong(site: Site, rounds: number, chance: Chance) {
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

describe('what is recalled of code that reads files and data', () => {
  it(`is what that gives when it runs, as files and data change (RANDOM_SEED=${seed})`, () => {
    const reading: Site = {
      files: treeOf(site, root),
      nodes: [
        { os: { family: 'Debian' }, roles: ['web', 'db'] },
        { os: { family: 'RedHat' }, roles: ['db'] },
      ],
      manifests: manifests.filter((_, index) => isNightly || index % 4 === seed % 4),
      // With another function nothing is recalled.
      paths: Object.keys(site).filter((path) => !/functions\/.*\.rb$/.test(path)),
      isToBeEdited: (path) => /^(?:data|modules\/reads\/(?:files|lib\/reads))\/./.test(path),
      open(treeOf, edits, salt) {
        const tree = treeOf(new Map([...edits, [saltFile, `# ${salt}\n`]]))
        return { name: 'traces', tree, modulepath: [{ tree, path: 'modules' }], version: 1, globalHiera: undefined }
      },
    }
    const before = recalledCalls()
    const { found, different } = wrong(reading, isNightly ? 200 : 9, chanceOf(seed))
    expect(found).toEqual([])
    expect(recalledCalls() - before).toBeGreaterThan(reading.manifests.length)
    expect(different).toBeGreaterThan(reading.manifests.length / 4)
  }, 3_600_000)
})

const lacking = without("Debian's modules")
const modules = scratchFolder('modules')

/** A module folder of Debian's, whose files are edited. */
function debianSite(folder: string, probes: readonly string[]): Site {
  const [place] = requestOf(folder, '').environment.modulepath
  const { tree } = place!
  const open: Site['open'] = (treeOfEdits, edits, salt) => ({
    name: 'debian',
    tree: treeOf({ [saltFile]: `# ${salt}\n` }, '/code/debian'),
    modulepath: [{ tree: treeOfEdits(edits), path: '' }],
    version: 1,
    globalHiera: undefined,
  })
  // What any manifest makes us look at is no matter of these.
  const always = new Set<string>()
  const plain: Site = {
    files: tree,
    nodes: [debianFacts],
    manifests: ["notice(inline_template('plain'))"],
    paths: [],
    isToBeEdited: () => true,
    open,
  }
  const opened = open((edits) => editedTree(tree, edits, (path) => void always.add(path)), new Map(), 'plain')
  said(plain, opened, debianFacts, unremembering)
  return { ...plain, manifests: probes, isToBeEdited: (path) => /\/.*(?<!\.rb)$/.test(path) && !always.has(path) }
}

/** Calls of functions of Debian's modules that read files. */
const readers = (folder: string): string[] => [
  ...["'stdlib'", "'apache'", "'none', true"].map((args) => `notice(load_module_metadata(${args}))`),
  ...['metadata.json', 'none.json'].flatMap((name) => [
    `notice(loadjson('${folder}/stdlib/${name}', 'none'))`,
    `notice(loadyaml('${folder}/stdlib/${name}', 'none'))`,
  ]),
  `notice(loadyaml('${folder}/stdlib/some.yaml', 'none'))`,
  `notice(glob(['${folder}/stdlib/*.*', '${folder}/ap*/metadata.json']))`,
  ...['stdlib', 'none'].map((name) => `notice(get_module_path('${name}'))`),
  `notice(convert_cert_to_string('${folder}/neutron/metadata.json'))`,
]

describe.skipIf(lacking)(`What is recalled of Debian's modules${lacking}`, () => {
  it(`is what templates give when they run, as files change (RANDOM_SEED=${seed})`, () => {
    const chance = chanceOf(seed)
    const step = isNightly ? 10 : 250
    const templates = filesOf(debianModules, 'templates', '.erb').filter(
      ([, path], index) => index % step === seed % step || /status\.conf/.test(path),
    )
    for (const [module, path] of templates) {
      const text = readFileSync(join(debianModules, module, 'templates', path), 'utf8')
      const probes = templateProbes(`${module}/${path}`, text).slice(0, isNightly ? undefined : 2)
      expect(wrong(debianSite(debianModules, probes), 3, chance).found).toEqual([])
    }
  }, 7_200_000)

  it(`is what functions give when they run, as files change (RANDOM_SEED=${seed})`, () => {
    copyRuby(modules)
    const chance = chanceOf(seed)
    const before = recalledCalls()
    const { found, different } = wrong(debianSite(modules, readers(modules)), isNightly ? 60 : 6, chance)
    expect(found).toEqual([])
    expect(recalledCalls() - before).toBeGreaterThan(10)
    expect(different).toBeGreaterThan(0)
    if (!isNightly) return
    const { host, top } = begin(requestOf(modules, ''), [])
    const files = ['lib/puppet/functions', 'lib/puppet/parser/functions'].flatMap((each) =>
      filesOf(modules, each, '.rb'),
    )
    const names = new Set(files.map(([, path]) => path.slice(0, -'.rb'.length).replaceAll('/', '::')))
    for (const [index, name] of [...names].entries()) {
      const callable = index % 10 !== seed % 10 || name in left ? undefined : host.findFunction(name, top)
      if (!(callable instanceof RubyFunction || callable instanceof LegacyRubyFunction)) continue
      expect(wrong(debianSite(modules, functionProbes(name, callable)), 3, chance).found).toEqual([])
    }
  }, 7_200_000)
})
