import type { Value } from '../../../language/values/value.ts'
import { complainAboutForm } from '../issues.ts'
import { oneOf, parsedBy, plain, text } from '../kind.ts'
import { defineType, namevar, parameter, property } from '../type.ts'
import { iniAttributes } from './ini-setting.ts'

const quote = parsedBy((value: Value): string => {
  const given = String(plain(value))
  if (!/^["']?$/m.test(given)) complainAboutForm(`:quote_char valid values are '', '"' and "'"`)
  return given
})

/** Parts of settings of INI files: inifile's. */
export const iniSubsetting = defineType('ini_subsetting', {
  doc: 'Manages one of several values of a setting in an INI file.',
  attributes: {
    name: namevar(text, 'An arbitrary name used as the identity of the resource.'),
    ensure: property(oneOf('present', 'absent'), 'Whether the part is there.', { default: 'present' }),
    ...iniAttributes,
    setting: parameter(text, 'The name of the setting.'),
    subsetting: parameter(text, 'The name of the part.'),
    subsetting_separator: parameter(text, 'What stands between parts.', { default: ' ' }),
    subsetting_key_val_separator: parameter(text, "What stands between a part's name and its value.", { default: '' }),
    quote_char: parameter(quote, 'What stands around the whole value: nothing, or a quote.', { default: '' }),
    use_exact_match: parameter(oneOf('true', 'false'), 'Whether parts are names alone, and compared whole.', {
      default: 'false',
    }),
    value: property(text, 'The value of the part.'),
    insert_type: parameter(
      oneOf('start', 'end', 'before', 'after', 'index'),
      'Where a new part is put: at the start, the end, before or after another one, or at an index.',
      { default: 'end' },
    ),
    insert_value: parameter(text, 'That other one, or the index.'),
    delete_if_empty: parameter(oneOf('true', 'false'), 'Whether the setting goes with its last part.', {
      default: 'false',
    }),
  },
})

/** Attributes of the type `ini_subsetting`. */
export type IniSubsettingAttributes = (typeof iniSubsetting)['attributes']
