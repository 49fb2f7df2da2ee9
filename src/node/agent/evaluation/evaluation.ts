import type { AnyResource } from '../../resources/managed-resource.ts'
import type { AnyProvider, ProviderWork } from '../../resources/provider.ts'
import type { Log } from '../log.ts'
import type { StatusBuilder } from '../report-builder.ts'
import type { RunState } from '../state-files.ts'

/** The input for the evaluation of a resource. */
export interface Evaluation {
  readonly resource: AnyResource
  readonly provider: AnyProvider
  // biome-ignore lint/suspicious/noExplicitAny: the attributes and the state are those of the provider
  readonly work: ProviderWork<any, any>
  readonly status: StatusBuilder
  readonly state: RunState
  readonly noop: boolean
  readonly now: () => number
  /** The log with the resource or one of its properties as the source. */
  log(property?: string): Log
}
