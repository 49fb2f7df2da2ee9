import type { ExactJson, ExactObject } from '../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString, checkOptionalString } from '../base/json/json-checks.ts'
import type { FactsDocument } from './facts.ts'

/** A node with the classification from a node terminus. */
export interface PuppetNode {
  readonly name: string
  /** The environment; `undefined` if the classifier does not set it. */
  readonly environment: string | undefined
  /** Top-scope variables from the classifier, as rich data. */
  readonly parameters: Readonly<Record<string, ExactJson>>
  /** Facts of the node. If a parameter has the same name as a fact, the parameter is used. */
  readonly facts?: FactsDocument['values']
  /** Class names, or class names with parameters, as rich data. */
  readonly classes: readonly string[] | Readonly<Record<string, Readonly<Record<string, ExactJson>> | null>>
}

/** Creates a node without classification. */
export function createPlainNode(name: string, environment: string | undefined): PuppetNode {
  return { name, environment, parameters: {}, classes: [] }
}

/** Converts a node to wire format, without its facts; omits `classes` if there are none. */
export function nodeToWire({ name, environment, parameters, classes }: Omit<PuppetNode, 'facts'>): ExactObject {
  const some = Array.isArray(classes) ? classes.length > 0 : Object.keys(classes).length > 0
  return { name, environment, parameters, ...(some ? { classes: classes as ExactJson } : {}) }
}

/** Parses a node in wire format. */
export function nodeFromWire(body: unknown): PuppetNode {
  const { name, environment, parameters, classes } = checkJsonObject(body, 'node')
  return {
    name: checkJsonString(name, 'node.name'),
    environment: checkOptionalString(environment, 'node.environment'),
    parameters: checkJsonObject(parameters ?? {}, 'node.parameters') as Record<string, ExactJson>,
    classes: classesFromWire(classes),
  }
}

function classesFromWire(classes: unknown): PuppetNode['classes'] {
  if (classes === undefined || classes === null) return []
  if (Array.isArray(classes)) return classes.map((name) => checkJsonString(name, 'a class in node.classes'))
  const entries = Object.entries(checkJsonObject(classes, 'node.classes'))
  return Object.fromEntries(
    entries.map(([name, given]) => [
      name,
      given === null || given === undefined
        ? null
        : (checkJsonObject(given, `node.classes.${name}`) as Record<string, ExactJson>),
    ]),
  )
}
