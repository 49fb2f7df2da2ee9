import { statSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { parseBoundedJson } from '../../../base/json/bounded-json.ts'
import { type ExactJson, isExactObject } from '../../../base/json/exact-json.ts'
import { getOwnValue } from '../../../base/own-property.ts'
import { formatSuggestion } from '../../../base/text/name-suggestions.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import { convertYamlToJson } from '../../../language/ruby-semantics/yaml/yaml-data.ts'
import { readBoundedFileSync } from '../../../machine/system/bounded-file.ts'
import { listNamesSync } from '../../../machine/system/files.ts'
import { buildTrustedFacts } from '../../../node/facts/trusted.ts'
import { openFacterDb } from '../../systems/facterdb.ts'

const issues = defineIssues({
  NODE_FACTS_UNREADABLE: {
    text: (a: { file: string; why: string }) => `Could not read facts from ${a.file}: ${a.why}`,
    hint: () => 'Facts are an object in a JSON or YAML file, as `plumb facts` prints them.',
  },
  NODE_FACTS_ABSENT: {
    text: (a: { node: string; from: string; names: readonly string[] }) => `No facts of node '${a.node}' in ${a.from}`,
    hint: (a) => formatSuggestion(a.node, a.names) ?? `Nodes with facts: ${a.names.slice(0, 10).join(', ') || 'none'}.`,
  },
})

/** The node whose facts and data an editor shows. */
export interface ChosenNode {
  readonly name: string
  readonly facts: Readonly<Record<string, ExactJson>>
  readonly trusted: Readonly<Record<string, ExactJson>>
}

/** Selects a node and its facts. */
export interface NodeChoice {
  /** Name of the node, of a file of facts, or of a system in FacterDB such as `debian-12-x86_64`. */
  readonly node?: string | undefined
  /** A file of facts, or a folder with a file of facts for each node. */
  readonly facts?: string | undefined
}

/** Places of facts. */
export interface FactPlaces {
  /** Folder to which relative paths refer. */
  readonly root: string
  /** Folders of gems, in which FacterDB is searched. */
  readonly gemFolders: readonly string[]
}

const extensions = ['.yaml', '.yml', '.json', '.facts']

/** Reads the chosen node; undefined for an empty choice. Throws NODE_FACTS_… or FACTERDB_…. */
export function readChosenNode({ node, facts }: NodeChoice, places: FactPlaces): ChosenNode | undefined {
  if (facts !== undefined) {
    const path = resolve(places.root, facts)
    if (!isFolder(path)) return createNode(node, path)
    return node === undefined ? undefined : createNode(node, findFile(path, node))
  }
  if (node === undefined) return undefined
  if (extensions.includes(extname(node))) return createNode(undefined, resolve(places.root, node))
  const db = openFacterDb(places.gemFolders)
  if (!db.names.includes(node)) throwIssue(issues.NODE_FACTS_ABSENT, { node, from: 'FacterDB', names: db.names })
  return toNode(undefined, db.readFacts(node), node)
}

/** Lists the nodes in a folder of facts, or the systems of FacterDB. Throws FACTERDB_…. */
export function listNodeChoices({ facts }: NodeChoice, { root, gemFolders }: FactPlaces): readonly string[] {
  if (facts === undefined) return openFacterDb(gemFolders).names
  return listNodeNames(resolve(root, facts))
}

function listNodeNames(folder: string): readonly string[] {
  if (!isFolder(folder)) return []
  const files = listNamesSync(folder).filter((name) => extensions.includes(extname(name)))
  return [...new Set(files.map((name) => name.slice(0, -extname(name).length)))].sort()
}

function findFile(folder: string, node: string): string {
  const names = listNodeNames(folder)
  if (!names.includes(node)) return throwIssue(issues.NODE_FACTS_ABSENT, { node, from: folder, names })
  const files = new Set(listNamesSync(folder))
  return join(folder, extensions.map((each) => `${node}${each}`).find((each) => files.has(each))!)
}

function createNode(name: string | undefined, file: string): ChosenNode {
  return toNode(name, readFacts(file), basename(file, extname(file)))
}

/** The name is the given one, the fact `networking.fqdn`, or the name of the file. */
function toNode(name: string | undefined, facts: ChosenNode['facts'], fileName: string): ChosenNode {
  const networking = getOwnValue(facts, 'networking') ?? null
  const fqdn = isExactObject(networking) ? getOwnValue(networking as ChosenNode['facts'], 'fqdn') : undefined
  const certname = name ?? (typeof fqdn === 'string' ? fqdn : fileName)
  return { name: certname, facts, trusted: { ...buildTrustedFacts({ authenticated: 'local', certname }) } }
}

function readFacts(file: string): ChosenNode['facts'] {
  const { factsBytes, factsValues } = budgets.workbench
  try {
    const text = readBoundedFileSync(file, factsBytes.bound).toString('utf8')
    const isYaml = /\.ya?ml$/.test(file)
    const bounds = { characters: factsBytes.bound, items: factsValues.bound }
    const json = isYaml ? convertYamlToJson(text, {}) : parseBoundedJson(text, bounds)
    if (!isExactObject(json)) throw new Error('it contains no object of facts')
    const own = json as ChosenNode['facts']
    const values = getOwnValue(own, 'values') ?? null
    // An agent's cached facts have the facts in `values`.
    return isExactObject(values) && 'name' in own ? (values as ChosenNode['facts']) : own
  } catch (error) {
    return throwIssue(issues.NODE_FACTS_UNREADABLE, { file, why: formatErrorReason(error) })
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
