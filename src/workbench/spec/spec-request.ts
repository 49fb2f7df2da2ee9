import type { ExactJson } from '../../base/json/exact-json.ts'
import {
  checkJsonArray,
  checkJsonObject,
  checkJsonString,
  checkNesting,
  checkOptionalString,
  type Json,
} from '../../base/json/json-checks.ts'
import { parseJson } from '../../base/json/json-text.ts'
import type { Strictness } from '../../language/host.ts'

/** The code and the node of a compilation that an example asks for. */
export interface SpecInputs extends Strictness {
  readonly environment: string
  readonly modulepath: readonly string[]
  /** Path of the global hiera.yaml. */
  readonly hiera: string | undefined
  readonly code: string
  /** The spec file of the example, if reads are recorded. */
  readonly spec: string | undefined
  readonly node: string
  readonly facts: Readonly<Record<string, ExactJson>>
  /** Parameters of the node, as from a classifier. */
  readonly parameters: Readonly<Record<string, ExactJson>>
  readonly extensions: Readonly<Record<string, string>>
  readonly external: Readonly<Record<string, ExactJson>>
  readonly serverFacts: Readonly<Record<string, ExactJson>>
  /** True for a catalog with the exported resources only. */
  readonly exported: boolean
  /** Questions that Ruby code of the example has asked in this compilation, in order. They can have effects. */
  readonly calls: readonly SpecCall[]
}

/** A question: its name, its arguments in the format of tagged-json.ts, and the ID of the block in Ruby. */
export interface SpecCall {
  readonly name: string
  readonly args: Json
  readonly block: number | undefined
}

/** Operations: the catalog, its relationships, the answer to the last question, or the kind of a function. */
export type SpecOperation = 'compile' | 'relate' | 'call' | 'function'

/** A request of a Ruby process. `key` identifies equal inputs. */
export interface SpecRequest {
  readonly operation: SpecOperation
  readonly key: string
  readonly inputs: SpecInputs
}

const operations: readonly string[] = ['compile', 'relate', 'call', 'function'] satisfies SpecOperation[]

/** Parses a request: a line of JSON with the operation and the inputs. Throws WIRE_SHAPE, WIRE_NESTING or JSON_…. */
export function parseSpecRequest(text: string): SpecRequest {
  const [operation, inputs] = checkJsonArray(checkNesting(parseJson(text)), 'the request')
  const name = checkJsonString(operation, 'the operation')
  if (!operations.includes(name)) checkJsonObject(undefined, `the operation '${name}'`)
  return { operation: name as SpecOperation, key: text.slice(text.indexOf(',')), inputs: parseInputs(inputs) }
}

function parseInputs(json: unknown): SpecInputs {
  const fields = checkJsonObject(json, 'the inputs')
  const getObject = (name: string) => checkJsonObject(fields[name] ?? {}, name) as Readonly<Record<string, ExactJson>>
  const strict = fields['strict']
  return {
    environment: checkJsonString(fields['environment'], 'environment'),
    modulepath: checkJsonArray(fields['modulepath'], 'modulepath').map((each) => checkJsonString(each, 'modulepath')),
    hiera: checkOptionalString(fields['hiera'], 'hiera'),
    code: checkJsonString(fields['code'], 'code'),
    spec: checkOptionalString(fields['spec'], 'spec'),
    node: checkJsonString(fields['node'], 'node'),
    facts: getObject('facts'),
    parameters: getObject('parameters'),
    extensions: getObject('extensions') as Readonly<Record<string, string>>,
    external: getObject('external'),
    serverFacts: getObject('serverFacts'),
    exported: fields['exported'] === true,
    strict: strict === 'off' || strict === 'warning' ? strict : 'error',
    strictVariables: fields['strictVariables'] === true,
    calls: checkJsonArray(fields['calls'] ?? [], 'calls').map(parseCall),
  }
}

function parseCall(json: unknown): SpecCall {
  const [name, args, block] = checkJsonArray(json, 'a call')
  return {
    name: checkJsonString(name, 'the name of a function'),
    args: args as Json,
    block: typeof block === 'number' ? block : undefined,
  }
}
