import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { formatPublicSettings } from '#built/machine/settings/public-settings.js'
import { loadSettings } from '#built/machine/settings/settings.js'
import { buildTrustedFacts } from '#built/node/facts/trusted.js'
import { sample } from '../support/chance.js'
import { Beside } from './beside.js'
import { Code } from './code.js'
import { editOnce } from './edits.js'
import { Exported } from './exported.js'
import { Figures } from './figures.js'

const settings = loadSettings({ given: { confdir: '/nonexistent', basemodulepath: '' } })

/** The kinds of questions whose second argument is a path in a tree. */
const aboutPaths = new Set(['syntax', 'bytes', 'kind', 'data', 'all-data', 'folder', 'link'])

/** In the place of a path, for who asks what others export. */
const whatIsExported = 'exported resources'

/** A site that is edited, at random, and its nodes' catalogs: recalled ones beside compiled ones. */
export class World {
  code
  nodes
  nodeData
  store
  figures = new Figures()
  /** Paths of files, each with the nodes whose last compilation asked about it. */
  readers = new Map()
  /** Paths of facts that some node read. */
  factsRead = new Set()
  #folder
  #exports
  #beside
  #environment
  #keys
  #trouble

  /** @param {(text: string) => void} trouble Told of each difference. */
  constructor(folder, name, { nodes, exports, nodeData }, trouble) {
    mkdirSync(join(folder, name), { recursive: true })
    this.code = new Code(join(folder, name), name)
    this.nodes = nodes()
    this.nodeData = nodeData
    this.#folder = folder
    this.#exports = exports === true
    this.#keys = join(folder, 'keys')
    this.#beside = new Beside(join(folder, 'traces'))
    this.#trouble = trouble
  }

  /** Compiles all nodes; those that have no catalog are left out from then on. */
  async begin() {
    await this.code.begin(settings)
    if (this.#exports) this.store = await new Exported().open(join(this.#folder, 'var'), this.code.name)
    this.#environment = await this.code.commit('The site')
    // Twice where nodes collect what others export.
    for (let turn = 0; turn < (this.store ? 2 : 1); turn++) {
      const all = this.nodes.map((node) => [node, this.#compare(node, 'first')])
      this.nodes = all.filter(([, { made }]) => made).map(([node]) => node)
      for (const [node, { made, why }] of all) if (!made) this.figures.withoutCatalog.push(`${node.name}: ${why}`)
    }
  }

  /** One edit, and so many catalogs after it: half of them of nodes that the edit is near to. One that breaks nodes is undone. */
  async round(draws, chance) {
    const edit = editOnce(this, chance)
    const mark = `${edit.kind} ${edit.about}`
    this.#environment = await this.code.commit(mark)
    const near = this.#near(edit)
    const first = sample(
      this.nodes.filter(({ name }) => near.has(name)),
      Math.ceil(draws / 2),
      chance,
    )
    const others = this.nodes.filter((node) => !first.includes(node))
    const drawn = [...first, ...sample(others, draws - first.length, chance)]
    const outcomes = drawn.map((node) => {
      const outcome = this.#compare(node, mark)
      this.figures.count(outcome, { edit: edit.kind, about: edit.about, node: node.name, near: near.has(node.name) })
      return outcome
    })
    const broken = outcomes.filter(({ origin }) => origin === 'failed').length
    if (broken > 0) edit.undo()
    this.figures.edited(edit.kind, broken)
    return mark
  }

  async close() {
    await this.store?.close()
    await this.code.close()
  }

  #near({ paths, nodes, kind }) {
    const about = kind === 'exported resource' ? [whatIsExported] : paths
    return new Set([...nodes, ...about.flatMap((path) => [...(this.readers.get(path) ?? [])])])
  }

  #compare(node, mark) {
    const request = this.#requestFor(node)
    const outcome = this.#beside.compare(request, undefined)
    if (outcome.differs) this.#trouble(`${mark}\n${node.name}\n${outcome.differs.join('\n\n')}`)
    if (outcome.made && outcome.origin !== 'recalled') this.#noteReads(node, request)
    if (outcome.made) this.store?.replace(node.name, outcome.made.exports)
    return outcome
  }

  #requestFor({ name, facts, parameters, classes }) {
    return {
      node: { name, environment: this.#environment.name, parameters, classes },
      facts,
      trusted: buildTrustedFacts({ authenticated: 'local', certname: name }),
      serverFacts: {},
      environment: this.#environment,
      staticChecksum: 'sha256',
      keyFolders: [this.#keys],
      settings: formatPublicSettings(settings),
      strict: 'warning',
      strictVariables: false,
      searchExports: this.store && ((search) => this.store.search(search)),
    }
  }

  #noteReads({ name }, request) {
    const trace = this.#beside.traceOf(request)
    for (const { question } of [...(trace?.own ?? []), ...(trace?.code ?? [])])
      for (const path of pathsOf(question, this.#environment.tree.root))
        if (path === whatIsExported || this.code.paths.has(path))
          this.readers.set(path, (this.readers.get(path) ?? new Set()).add(name))
    for (const { question } of trace?.own ?? [])
      if (question.kind === 'fact') this.factsRead.add(JSON.stringify(question.args))
  }
}

/** The paths in the tree that a question is about. */
function pathsOf({ kind, args }, root) {
  if (kind === 'exports') return [whatIsExported]
  if (kind === 'ruby-path') return [args[0].slice(root.length + 1)]
  return aboutPaths.has(kind) ? [args[1]] : []
}
