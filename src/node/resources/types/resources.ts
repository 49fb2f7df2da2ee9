import { throwIssue } from '../../../base/issue.ts'
import { parseStrictInteger } from '../../../language/ruby-semantics/numbers/number-parsing.ts'
import type { Value } from '../../../language/values/value.ts'
import {
  anyKind,
  coercedBoolean,
  createListKind,
  createParsedKind,
  failMunging,
  inspectPlainValue,
  textKind,
  toPlainValue,
} from '../attribute-kinds.ts'
import { issues } from '../issues.ts'
import { defineNamevar, defineParameter, defineType } from '../type.ts'

/** True for this machine's UID limit, false for no limit, or a number. */
const limit = createParsedKind((value: Value): boolean | number => {
  const given = toPlainValue(value)
  if (given === true || given === 'true') return true
  if (given === false || given === 'false') return false
  if (/^\d+$/.test(String(given))) return Number(given)
  return throwIssue(issues.INVALID_VALUE, {
    value: inspectPlainValue(given),
    valid: 'Valid values are true, false. Valid values match /^\\d+$/.',
  })
})

const uids = createParsedKind((value: Value): readonly number[] =>
  createListKind(anyKind)
    .parse(value)
    .map((given) => {
      if (typeof given === 'number') return given
      if (typeof given !== 'string')
        return failMunging('unless_uid', value, `Invalid value ${inspectPlainValue(given)}.`)
      const number = parseStrictInteger(given)
      return Number(
        number ?? failMunging('unless_uid', value, `invalid value for Integer(): ${inspectPlainValue(given)}`),
      )
    }),
)

/**
 * The resource type `resources`, which purges resources of another type that are missing from the
 * catalog.
 */
export const resourcesType = defineType('resources', {
  doc: 'A metatype that can manage other resource types, for example to purge unmanaged resources.',
  providesItself: true,
  attributes: {
    name: defineNamevar(textKind, 'The name of the type to be managed.'),
    purge: defineParameter(coercedBoolean, 'If true, unmanaged resources are purged.', { default: false }),
    unless_system_user: defineParameter(
      limit,
      'If true, system users are not purged; a number is the highest UID that is not purged.',
      {
        default: (resource) => (resource.name === 'user' ? true : undefined),
      },
    ),
    unless_uid: defineParameter(uids, 'UIDs of users that are not purged.'),
  },
})

/** Attributes of the type `resources`. */
export type ResourcesAttributes = (typeof resourcesType)['attributes']
