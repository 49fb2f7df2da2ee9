import type { Value } from '../../../language/values/value.ts'
import { anyKind, createEnumKind, createParsedKind, textKind, toPlainText } from '../attribute-kinds.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

const given = createEnumKind('on', 'off', 'true', 'false')

const state = createParsedKind((value: Value): 'on' | 'off' => {
  const word = given.parse(toPlainText(value))
  return word === 'true' || word === 'on' ? 'on' : 'off'
})

/** The resource type `selboolean`: booleans of the SELinux policy. */
export const selboolean = defineType('selboolean', {
  doc: 'Manages SELinux booleans on systems with SELinux support.',
  attributes: {
    value: defineProperty({ ...state, values: given.values ?? [] }, 'The value of the boolean: on or off.'),
    name: defineNamevar(textKind, 'The name of the SELinux boolean.'),
    persistent: defineParameter(createEnumKind('true', 'false'), 'If true, the value persists after a reboot.', {
      default: 'false',
    }),
    provider: defineParameter(anyKind, 'The backend.'),
  },
})
