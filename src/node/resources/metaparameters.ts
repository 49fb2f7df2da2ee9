import { fail } from '../../base/issue.ts'
import { issues } from './issues.ts'
import { type Kind, listOf, oneOf, text, trueOrFalse } from './kind.ts'
import { splitReference } from './reference.ts'
import { type Attributes, parameter } from './type.ts'

/** A relationship of two resources: their order, and the refresh of the second by a change of the first. */
export interface RelationshipMetaparameter {
  /** `out`: this one comes first. */
  readonly direction: 'in' | 'out'
  readonly refreshes: boolean
}

/** Metaparameters that name other resources, with the edge that each means. */
export const relationships: Readonly<Record<string, RelationshipMetaparameter>> = {
  require: { direction: 'in', refreshes: false },
  subscribe: { direction: 'in', refreshes: true },
  before: { direction: 'out', refreshes: false },
  notify: { direction: 'out', refreshes: true },
}

/** Log levels that `loglevel` takes. */
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

/** Attributes that every resource takes besides its own. */
export const metaparameters = {
  noop: parameter(trueOrFalse, 'Whether to say only what would be done.'),
  schedule: parameter(text, 'A schedule resource that says when this one may be managed.'),
  audit: parameter(listOf(text), 'Attributes to watch, whether managed or not; or `all`.'),
  loglevel: parameter(logLevel, 'The level of what is logged.', {
    default: 'notice',
  }),
  alias: parameter(listOf(text), 'Other names by which resources may refer to this one.'),
  tag: parameter(listOf(text), 'Words by which a run can pick resources.'),
  before: parameter(listOf(reference), 'Resources that come after this one.'),
  require: parameter(listOf(reference), 'Resources that come before this one.'),
  notify: parameter(listOf(reference), 'Resources that come after this one and are refreshed when it changes.'),
  subscribe: parameter(listOf(reference), 'Resources that come before this one and refresh it when they change.'),
  stage: parameter(text, 'The run stage of a class.'),
} satisfies Attributes
