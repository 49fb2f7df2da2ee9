import type { Value } from '../../../language/values/value.ts'
import { anything, oneOf, parsedBy, plain, text } from '../kind.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

const given = oneOf('on', 'off', 'true', 'false')

const state = parsedBy((value: Value): 'on' | 'off' => {
  const word = given.parse(String(plain(value)))
  return word === 'true' || word === 'on' ? 'on' : 'off'
})

/** Switches of the SELinux policy. */
export const selboolean = defineType('selboolean', {
  doc: 'Manages SELinux booleans on systems with SELinux support.',
  attributes: {
    value: property({ ...state, values: given.values ?? [] }, 'Whether the boolean is on.'),
    name: namevar(text, 'The name of the SELinux boolean.'),
    persistent: parameter(oneOf('true', 'false'), 'Whether the value outlasts a reboot.', { default: 'false' }),
    provider: parameter(anything, 'The backend.'),
  },
})
