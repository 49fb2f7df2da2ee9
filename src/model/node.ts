import type { ExactJson, ExactObject } from '../base/json/exact-json.ts'
import { optionalText, record, text } from '../base/json/wire.ts'
import type { FactsDocument } from './facts.ts'

/** A node with the classification from a node terminus. */
export interface Node {
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
export function plainNode(name: string, environment: string | undefined): Node {
  return { name, environment, parameters: {}, classes: [] }
}

/** Converts a node to wire format, without its facts; omits `classes` if there are none. */
export function nodeToWire({ name, environment, parameters, classes }: Omit<Node, 'facts'>): ExactObject {
  const some = Array.isArray(classes) ? classes.length > 0 : Object.keys(classes).length > 0
  return { name, environment, parameters, ...(some ? { classes: classes as ExactJson } : {}) }
}

/** Parses a node in wire format. */
export function nodeFromWire(body: unknown): Node {
  const { name, environment, parameters, classes } = record(body, 'node')
  return {
    name: text(name, 'node.name'),
    environment: optionalText(environment, 'node.environment'),
    parameters: record(parameters ?? {}, 'node.parameters') as Record<string, ExactJson>,
    classes: classesFromWire(classes),
  }
}

function classesFromWire(classes: unknown): Node['classes'] {
  if (classes === undefined || classes === null) return []
  if (Array.isArray(classes)) return classes.map((name) => text(name, 'a class of node.classes'))
  const entries = Object.entries(record(classes, 'node.classes'))
  return Object.fromEntries(
    entries.map(([name, given]) => [
      name,
      given === null || given === undefined
        ? null
        : (record(given, `node.classes.${name}`) as Record<string, ExactJson>),
    ]),
  )
}
