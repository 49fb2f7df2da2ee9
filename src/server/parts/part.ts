import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Refusal } from '../http/refusal.ts'
import type { Reloadable } from '../reloader.ts'
import type { Alert } from '../status-v1/alert.ts'
import type { StartParameters } from './start-parameters.ts'

/** A capability of the server. It is opened after the parts that it needs. */
export interface Part<Name extends string, Needs, Result extends OpenedPart> {
  readonly name: Name
  /** Names of the required parts. */
  readonly needs: readonly string[]
  // A property, not a method: TypeScript compares method parameters bivariantly and would accept a
  // missing need.
  readonly open: (parts: Needs) => Result | Promise<Result>
}

/** The result of opening a part; each field is optional. */
export interface OpenedPart {
  /** The value for the parts that need this one. */
  readonly value?: unknown
  /** Adds routes to the server's main port. */
  readonly routes?: (http: FastifyInstance) => void | Promise<void>
  /**
   * Returns the response to an unauthorized request on the main port; undefined if the path belongs
   * to another part.
   */
  readonly entrance?: (request: FastifyRequest) => Refusal | undefined
  /** Registers metrics, which are read at each scrape. */
  readonly metrics?: (registry: Registry) => void
  /** Alerts in the status. */
  readonly alerts?: () => readonly Alert[]
  /** Reads files again in a reload. */
  readonly reload?: Reloadable
  /**
   * Called after a reload, to update data that the reloaded files do not contain, such as the
   * signing key.
   */
  readonly refresh?: () => Promise<unknown>
  /** Work that must be done once a day. */
  readonly daily?: () => void
  readonly close?: () => Promise<unknown>
}

/** A part of any name, needs and result. */
export type AnyPart = Part<string, never, OpenedPart>

/** The values of parts, by the parts' names. */
export type PartValues<Parts extends readonly AnyPart[]> = {
  readonly [Each in Parts[number] as Each['name']]: ValueIn<ResultOf<Each>>
}

type ResultOf<Each> = Each extends Part<string, never, infer Result> ? Result : never
type ValueIn<Result> = Result extends { readonly value: infer Value } ? Value : undefined

/** Defines a part. `open` receives the values of the parts in `needs`, by name, and the fields of `Start`. */
export function definePart<Name extends string, const Needs extends readonly AnyPart[], Result extends OpenedPart>(
  name: Name,
  needs: Needs,
  open: (parts: StartParameters & PartValues<Needs>) => Result | Promise<Result>,
): Part<Name, StartParameters & PartValues<Needs>, Result> {
  return { name, needs: needs.map((each) => each.name), open }
}
