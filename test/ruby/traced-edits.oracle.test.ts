import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { beginCompilation } from '../../src/compiler/begin/compilation-setup.ts'
import { LegacyRubyFunction, RubyFunction } from '../../src/ruby/session/ruby-functions.ts'
import { countRecalledCalls } from '../../src/ruby/session/traced/call-memory.ts'
import { chanceOf } from '../support/chance.js'
import { debianModules } from '../support/debian-modules.ts'
import { editedTree } from '../support/edited-tree.ts'
import { treeOf } from '../support/map-tree.ts'
import { without } from '../support/needs.ts'
import { isNight, seed } from '../support/nightly.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { facts as debianFacts, filesOf, requestOf } from './beside-puppet.ts'
import { copyRuby, left } from './debian-ruby.ts'
import { type Site, said, saltFile, unremembering, wrong } from './edited-worlds.ts'
import { functionProbes } from './function-probes.ts'
import { templateProbes } from './template-probes.ts'

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
    const step = isNight ? 10 : 250
    const templates = filesOf(debianModules, 'templates', '.erb').filter(
      ([, path], index) => index % step === seed % step || /status\.conf/.test(path),
    )
    for (const [module, path] of templates) {
      const text = readFileSync(join(debianModules, module, 'templates', path), 'utf8')
      const probes = templateProbes(`${module}/${path}`, text).slice(0, isNight ? undefined : 2)
      expect(wrong(debianSite(debianModules, probes), 3, chance).found).toEqual([])
    }
  }, 7_200_000)

  it(`is what functions give when they run, as files change (RANDOM_SEED=${seed})`, () => {
    copyRuby(modules)
    const chance = chanceOf(seed)
    const before = countRecalledCalls()
    const { found, different } = wrong(debianSite(modules, readers(modules)), isNight ? 60 : 6, chance)
    expect(found).toEqual([])
    expect(countRecalledCalls() - before).toBeGreaterThan(10)
    expect(different).toBeGreaterThan(0)
    if (!isNight) return
    const { host, top } = beginCompilation(requestOf(modules, ''), [])
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
