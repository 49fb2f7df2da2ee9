import type { Json } from '../base/wire.ts'

/** A node, as a node terminus classifies it. */
export interface Node {
  readonly name: string
  readonly environment: string | undefined
  /** Top-scope variables: what a classifier gave, and the facts once merged. */
  readonly parameters: Readonly<Record<string, Json>>
  /** Class names, or class names with parameters. */
  readonly classes: readonly string[] | Readonly<Record<string, Readonly<Record<string, Json>> | null>>
}

/** A node that nobody classified. */
export function plainNode(name: string, environment: string | undefined): Node {
  return { name, environment, parameters: {}, classes: [] }
}

/** `GET node/NAME`: `classes` is left out when there are none. */
export function nodeToWire({ name, environment, parameters, classes }: Node): Json {
  const some = Array.isArray(classes) ? classes.length > 0 : Object.keys(classes).length > 0
  return { name, environment, parameters, ...(some ? { classes: classes as Json } : {}) }
}
