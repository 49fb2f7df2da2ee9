import { fail } from '../../../base/issue.ts'
import { strictInteger } from '../../../language/ruby-semantics/numbers/number-texts.ts'
import type { Value } from '../../../language/values/value.ts'
import { issues } from '../issues.ts'
import { anything, coercedBoolean, failMunging, inspect, listOf, parsedBy, plain, text } from '../kind.ts'
import { defineType, namevar, parameter } from '../type.ts'

/** True for this machine's UID limit, false for no limit, or a number. */
const limit = parsedBy((value: Value): boolean | number => {
  const given = plain(value)
  if (given === true || given === 'true') return true
  if (given === false || given === 'false') return false
  if (/^\d+$/.test(String(given))) return Number(given)
  return fail(issues.INVALID_VALUE, {
    value: inspect(given),
    valid: 'Valid values are true, false. Valid values match /^\\d+$/.',
  })
})

const uids = parsedBy((value: Value): readonly number[] =>
  listOf(anything)
    .parse(value)
    .map((given) => {
      if (typeof given === 'number') return given
      if (typeof given !== 'string') return failMunging('unless_uid', value, `Invalid value ${inspect(given)}.`)
      const number = strictInteger(given)
      return Number(number ?? failMunging('unless_uid', value, `invalid value for Integer(): ${inspect(given)}`))
    }),
)

/** A meta-type: purges resources of a type that are missing from the catalog. */
export const resources = defineType('resources', {
  doc: 'A metatype that can manage other resource types: it purges what the catalog does not manage.',
  providesItself: true,
  attributes: {
    name: namevar(text, 'The name of the type to be managed.'),
    purge: parameter(coercedBoolean, 'If true, unmanaged resources are purged.', { default: false }),
    unless_system_user: parameter(
      limit,
      'If true, system users are not purged; a number is the highest UID that is not purged.',
      {
        default: (resource) => (resource.name === 'user' ? true : undefined),
      },
    ),
    unless_uid: parameter(uids, 'UIDs of users that are not purged.'),
  },
})

/** Attributes of the type `resources`. */
export type ResourcesAttributes = (typeof resources)['attributes']
