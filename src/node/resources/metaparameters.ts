import { throwIssue } from '../../base/issue.ts'
import { type AttributeKind, createEnumKind, createListKind, textKind, trueOrFalse } from './attribute-kinds.ts'
import { issues } from './issues.ts'
import { splitReference } from './reference.ts'
import { defineParameter, type ResourceAttributes } from './type.ts'

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
export const relationshipMetaparameters: Readonly<Record<string, RelationshipMetaparameter>> = {
  require: { direction: 'in', refreshes: false },
  subscribe: { direction: 'in', refreshes: true },
  before: { direction: 'out', refreshes: false },
  notify: { direction: 'out', refreshes: true },
}

/** Permitted values of `loglevel`. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit'] as const

const levels = createEnumKind(...logLevels, 'verbose')

const logLevel: AttributeKind<(typeof logLevels)[number]> = {
  ...levels,
  parse(value) {
    const level = levels.parse(value)
    return level === 'verbose' ? 'info' : level
  },
}

const reference: AttributeKind<string> = {
  parse(value) {
    const given = textKind.parse(value)
    return splitReference(given) ? given : throwIssue(issues.NO_REFERENCE, { text: given })
  },
}

/** Attributes of every resource type. */
export const metaparameterAttributes = {
  noop: defineParameter(trueOrFalse, 'If true, changes are reported but not made.'),
  schedule: defineParameter(textKind, 'The schedule that determines when the resource is managed.'),
  audit: defineParameter(createListKind(textKind), 'The attributes to audit, managed or not; or `all`.'),
  loglevel: defineParameter(logLevel, 'The log level of messages about the resource.', {
    default: 'notice',
  }),
  alias: defineParameter(createListKind(textKind), 'Additional names in references to this resource.'),
  tag: defineParameter(createListKind(textKind), 'Tags with which a run selects resources.'),
  before: defineParameter(createListKind(reference), 'Resources that are applied after this one.'),
  require: defineParameter(createListKind(reference), 'Resources that are applied before this one.'),
  notify: defineParameter(
    createListKind(reference),
    'Resources that are applied after this one and refreshed if it changes.',
  ),
  subscribe: defineParameter(
    createListKind(reference),
    'Resources that are applied before this one and refresh it if they change.',
  ),
  stage: defineParameter(textKind, 'The run stage of a class.'),
} satisfies ResourceAttributes
