import type { Value } from '../../../language/values/value.ts'
import { anything, oneOf, parsedBy, plain, text } from '../kind.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

const given = oneOf('on', 'off', 'true', 'false')

const state = parsedBy((value: Value): 'on' | 'off' => {
  const word = given.parse(String(plain(value)))
  return word === 'true' || word === 'on' ? 'on' : 'off'
})

/** Booleans of the SELinux policy. */
export const selboolean = defineType('selboolean', {
  doc: 'Manages SELinux booleans on systems with SELinux support.',
  attributes: {
    value: property({ ...state, values: given.values ?? [] }, 'The value of the boolean: on or off.'),
    name: namevar(text, 'The name of the SELinux boolean.'),
    persistent: parameter(oneOf('true', 'false'), 'If true, the value persists after a reboot.', { default: 'false' }),
    provider: parameter(anything, 'The backend.'),
  },
})
