import type { Request } from './request.ts'

/**
 * A source or a store of models of one kind. A terminus implements some of the operations; a call of another operation
 * is an error with a code.
 */
export interface Terminus<Model, Query extends Request = Request> {
  find?(request: Query): Promise<Model | undefined>
  search?(request: Query): Promise<readonly Model[] | undefined>
  save?(model: Model, request: Query): Promise<void>
  destroy?(request: Query): Promise<void>
}

/** An operation of a terminus. */
export type TerminusOperation = keyof Terminus<unknown>

/** Definition of a terminus of an indirection: a description, and the function that creates the terminus. */
export interface TerminusDefinition<Model, Services, Query extends Request = Request> {
  readonly doc: string
  create(services: Services): Terminus<Model, Query>
}

/** A kind of model, and the termini that can provide or store it. */
export interface IndirectionDefinition<Model, Services, Query extends Request = Request> {
  /** Name in URLs and routes.yaml: `file_metadata`. */
  readonly name: string
  readonly doc: string
  readonly termini: Readonly<Record<string, TerminusDefinition<Model, Services, Query>>>
  /** Name of the terminus to which Puppet's terminus `selector` refers on a server. */
  readonly selector?: string
  /** Reads and sets the expiration time of models; if undefined, cached models never expire. */
  readonly expiration?: ModelExpiration<Model>
}

/** Returns the names that routes may use for termini. */
export function listTerminusNames({
  termini,
  selector,
}: {
  readonly termini: object
  readonly selector?: string
}): string[] {
  return [...Object.keys(termini), ...(selector === undefined ? [] : ['selector'])]
}

/** Reads and sets the expiration time of a model. */
export interface ModelExpiration<Model> {
  of(model: Model): Date | undefined
  set(model: Model, expiration: Date): Model
}
