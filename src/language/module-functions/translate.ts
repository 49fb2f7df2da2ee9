import { defineFunction } from '../functions/definition/define-function.ts'
import { formatAsRuby } from '../functions/text/sprintf.ts'
import type { Hash } from '../values/hash.ts'

/** `translate`: keeps a gettext reference `%{name}` in the message if it has no value. */
export const translate = defineFunction('translate', 'Formats a message with its values, without translating it.', {
  'String $message, Hash $interpolation_values?': (message: string, values: Hash | undefined) =>
    values ? formatAsRuby(fillPlaceholders(message, values), [values]) : message,
})

/** Fills in values, and keeps references without a value. gettext: String#% */
function fillPlaceholders(message: string, values: Hash): string {
  return message.replace(/%\{([^}]+)\}/g, (found, name: string) => (values.has(name) ? found : `%${found}`))
}
