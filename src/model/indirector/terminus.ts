import type { Request } from './request.ts'

/** The source and store of models of one kind. A terminus offers some operations; any other is a coded error. */
export interface Terminus<Model, Query extends Request = Request> {
  find?(request: Query): Promise<Model | undefined>
  search?(request: Query): Promise<readonly Model[] | undefined>
  save?(model: Model, request: Query): Promise<void>
  destroy?(request: Query): Promise<void>
}

/** An operation of a terminus. */
export type Operation = keyof Terminus<unknown>

/** A terminus as a table lists it: what it is for, and how to make one from the services it needs. */
export interface TerminusDefinition<Model, Services, Query extends Request = Request> {
  readonly doc: string
  create(services: Services): Terminus<Model, Query>
}

/** One kind of thing that can be found and saved, and every place where it can be. */
export interface IndirectionDefinition<Model, Services, Query extends Request = Request> {
  /** As in URLs and in routes.yaml: `file_metadata`. */
  readonly name: string
  readonly doc: string
  readonly termini: Readonly<Record<string, TerminusDefinition<Model, Services, Query>>>
  /** The terminus that Puppet's `selector` chooses on a server, by its name. */
  readonly selector?: string
  /** The expiration of models; without an expiration a model from a cache never goes stale. */
  readonly expiration?: Expiration<Model>
}

/** The names by which routes may call its termini. */
export function terminusNames({
  termini,
  selector,
}: {
  readonly termini: object
  readonly selector?: string
}): string[] {
  return [...Object.keys(termini), ...(selector === undefined ? [] : ['selector'])]
}

/** The reading and setting of a model's time of expiration. */
export interface Expiration<Model> {
  of(model: Model): Date | undefined
  set(model: Model, expiration: Date): Model
}
