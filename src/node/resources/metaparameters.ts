import { fail } from '../../base/issue.ts'
import { issues } from './issues.ts'
import { type Kind, listOf, oneOf, text, trueOrFalse } from './kind.ts'
import { splitReference } from './reference.ts'
import { type Attributes, parameter } from './type.ts'

/**
 * A relationship between two resources: their order, and whether a change of the first resource
 * refreshes the second.
 */
export interface RelationshipMetaparameter {
  /** `out` if this resource comes first. */
  readonly direction: 'in' | 'out'
  readonly refreshes: boolean
}

/** Relationship metaparameters, with the edge that each metaparameter adds to the graph. */
export const relationships: Readonly<Record<string, RelationshipMetaparameter>> = {
  require: { direction: 'in', refreshes: false },
  subscribe: { direction: 'in', refreshes: true },
  before: { direction: 'out', refreshes: false },
  notify: { direction: 'out', refreshes: true },
}

/** Permitted values of `loglevel`. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit'] as const

const levels = oneOf(...logLevels, 'verbose')

const logLevel: Kind<(typeof logLevels)[number]> = {
  ...levels,
  parse(value) {
    const level = levels.parse(value)
    return level === 'verbose' ? 'info' : level
  },
}

const reference: Kind<string> = {
  parse(value) {
    const given = text.parse(value)
    return splitReference(given) ? given : fail(issues.NO_REFERENCE, { text: given })
  },
}

/** Attributes of every resource type. */
export const metaparameters = {
  noop: parameter(trueOrFalse, 'If true, changes are reported but not made.'),
  schedule: parameter(text, 'The schedule that determines when the resource is managed.'),
  audit: parameter(listOf(text), 'The attributes to audit, managed or not; or `all`.'),
  loglevel: parameter(logLevel, 'The log level of messages about the resource.', {
    default: 'notice',
  }),
  alias: parameter(listOf(text), 'Additional names in references to this resource.'),
  tag: parameter(listOf(text), 'Tags with which a run selects resources.'),
  before: parameter(listOf(reference), 'Resources that are applied after this one.'),
  require: parameter(listOf(reference), 'Resources that are applied before this one.'),
  notify: parameter(listOf(reference), 'Resources that are applied after this one and refreshed if it changes.'),
  subscribe: parameter(listOf(reference), 'Resources that are applied before this one and refresh it if they change.'),
  stage: parameter(text, 'The run stage of a class.'),
} satisfies Attributes
