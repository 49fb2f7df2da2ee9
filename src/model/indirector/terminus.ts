import type { Request } from './request.ts'

/**
 * A source or store of models of one kind. A terminus implements some operations; calling another
 * one is an error with a code.
 */
export interface Terminus<Model, Query extends Request = Request> {
  find?(request: Query): Promise<Model | undefined>
  search?(request: Query): Promise<readonly Model[] | undefined>
  save?(model: Model, request: Query): Promise<void>
  destroy?(request: Query): Promise<void>
}

/** An operation of a terminus. */
export type Operation = keyof Terminus<unknown>

/** A terminus in the table of an indirection: its description, and the function that creates it. */
export interface TerminusDefinition<Model, Services, Query extends Request = Request> {
  readonly doc: string
  create(services: Services): Terminus<Model, Query>
}

/** A kind of model, and the termini that can provide or store it. */
export interface IndirectionDefinition<Model, Services, Query extends Request = Request> {
  /** Name as in URLs and routes.yaml: `file_metadata`. */
  readonly name: string
  readonly doc: string
  readonly termini: Readonly<Record<string, TerminusDefinition<Model, Services, Query>>>
  /** Name of the terminus that Puppet's `selector` chooses on a server. */
  readonly selector?: string
  /** Access to the expiration of models; without it, cached models never expire. */
  readonly expiration?: Expiration<Model>
}

/** The names that routes may use for the termini. */
export function terminusNames({
  termini,
  selector,
}: {
  readonly termini: object
  readonly selector?: string
}): string[] {
  return [...Object.keys(termini), ...(selector === undefined ? [] : ['selector'])]
}

/** Reads and sets the expiration time of a model. */
export interface Expiration<Model> {
  of(model: Model): Date | undefined
  set(model: Model, expiration: Date): Model
}
