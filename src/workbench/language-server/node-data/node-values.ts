import { budgets } from '../../../base/budgets/budgets.ts'
import { PuppetError } from '../../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../../base/json/exact-json.ts'
import { getOwnValue } from '../../../base/own-property.ts'
import type { CompileEnvironment } from '../../../code/environments/compile-environment.ts'
import { Explainer, type Explanation } from '../../../compiler/hiera/explainer.ts'
import type { CompileRequest } from '../../../compiler/request/compile-request.ts'
import { runInTopScope } from '../../../compiler/script-evaluation.ts'
import { convertYamlToJson } from '../../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../../language/ruby-semantics/yaml/yaml-error.ts'
import { printValue } from '../../../language/types/printing/print.ts'
import type { Value } from '../../../language/values/value.ts'
import type { TestCode } from '../../manifest-tests/test-code.ts'
import type { ChosenNode } from './chosen-node.ts'

/** A value of Hiera for a node. */
export interface NodeValue {
  /** The value in Puppet's syntax. Sensitive values are redacted. */
  readonly text: string
  /** Files from which the value comes. */
  readonly files: readonly string[]
}

/** Creates a request for a node without classes. */
export type CreateNodeRequest = (node: ChosenNode, environment: CompileEnvironment) => CompileRequest

/** Looks up data of the saved files for a node. Each result is kept until the files change. */
export class NodeValues {
  readonly node: ChosenNode
  readonly #code: TestCode
  readonly #lookUp: (key: string, explainer: Explainer) => Value
  readonly #found = new Map<string, NodeValue | undefined>()
  readonly #plain = new Map<string, boolean>()
  readonly #environment: CompileEnvironment

  constructor(node: ChosenNode, code: TestCode, createRequest: CreateNodeRequest) {
    this.node = node
    this.#code = code
    this.#environment = code.open({ text: '' })
    this.#lookUp = runInTopScope(createRequest(node, this.#environment), ({ scope }, hiera) => (key, explainer) => {
      const found = hiera.lookup({ key, merge: undefined }, scope, explainer)
      return found.found ? found.value : undefined
    })
  }

  /** The value of a key; undefined without one, and for data that an editor does not evaluate. */
  find(key: string): NodeValue | undefined {
    if (this.#found.has(key)) return this.#found.get(key)
    if (this.#found.size >= budgets.workbench.shownValues.bound) this.#found.clear()
    const value = this.#readValue(key)
    this.#found.set(key, value)
    return value
  }

  close(): void {
    this.#code.close()
  }

  #readValue(key: string): NodeValue | undefined {
    const module = key.split('::', 1)[0]!
    if (!this.#isPlain('') || !this.#isPlain(module)) return undefined
    const explainer = new Explainer()
    try {
      const value = this.#lookUp(key, explainer)
      const files = [...new Set(listFiles(explainer.explanation))].map((path) => this.#code.getAuthorPath(path))
      return value === undefined && files.length === 0 ? undefined : { text: formatShown(value), files }
    } catch (error) {
      if (error instanceof PuppetError) return undefined
      throw error
    }
  }

  /** True if the hierarchy of the environment (`''`) or of a module reads only plain files. */
  #isPlain(module: string): boolean {
    const known = this.#plain.get(module)
    if (known !== undefined) return known
    const { tree, modulepath } = this.#environment
    const places =
      module === ''
        ? [{ tree, path: 'hiera.yaml' }]
        : modulepath.map((each) => ({ tree: each.tree, path: `${each.path}/${module}/hiera.yaml`.replace(/^\//, '') }))
    const isPlain = places.every((place) => hasPlainHierarchy(place.tree.readText(place.path)))
    this.#plain.set(module, isPlain)
    return isPlain
  }
}

/** Functions that only read files; other functions are code of the opened folder, or decrypt secrets. */
const plainFunctions: ReadonlySet<unknown> = new Set(['yaml_data', 'json_data', 'hocon_data'])
const functionKeys = ['data_hash', 'lookup_key', 'data_dig', 'hiera3_backend']

function hasPlainHierarchy(text: string | undefined): boolean {
  if (text === undefined) return true
  try {
    return hasPlainFunctions(convertYamlToJson(text, {}))
  } catch (error) {
    if (error instanceof YamlError) return true
    throw error
  }
}

function hasPlainFunctions(json: ExactJson): boolean {
  if (Array.isArray(json)) return json.every(hasPlainFunctions)
  if (!isExactObject(json)) return true
  const object = json as Readonly<Record<string, ExactJson>>
  const given = functionKeys.map((key) => getOwnValue(object, key)).filter((each) => each !== undefined)
  return given.every((each) => plainFunctions.has(each)) && Object.values(object).every(hasPlainFunctions)
}

/** Files in which a lookup found its value. */
function listFiles({ step, outcome, branches }: Explanation): string[] {
  const own = step.kind === 'path' && outcome?.event === 'found' ? [step.location] : []
  // The options of a lookup come first, and are not a part of its value.
  const shown = step.kind === 'root' ? branches.slice(-1) : branches
  return [...own, ...shown.flatMap(listFiles)]
}

/** Encrypted values are not shown, and not decrypted. */
function formatShown(value: Value): string {
  const text = printValue(value)
  return text.includes('ENC[') ? 'encrypted value' : shorten(text)
}

/** Largest number of characters of a value that is shown. */
const shownCharacters = 300

/** Cuts a long text. */
export function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}
