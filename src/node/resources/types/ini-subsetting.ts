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

/** Parts of settings in INI files, from the module inifile. */
export const iniSubsetting = defineType('ini_subsetting', {
  doc: 'Manages one of several values of a setting in an INI file.',
  attributes: {
    name: namevar(text, 'A unique name of the resource.'),
    ensure: property(oneOf('present', 'absent'), '`present` adds the subsetting, `absent` removes it.', {
      default: 'present',
    }),
    ...iniAttributes,
    setting: parameter(text, 'The name of the setting.'),
    subsetting: parameter(text, 'The name of the subsetting.'),
    subsetting_separator: parameter(text, 'The separator between subsettings.', { default: ' ' }),
    subsetting_key_val_separator: parameter(text, 'The separator between the name and value of a subsetting.', {
      default: '',
    }),
    quote_char: parameter(quote, 'The quotation mark around the value of the setting, if any.', { default: '' }),
    use_exact_match: parameter(oneOf('true', 'false'), 'If true, a subsetting has no value and must match exactly.', {
      default: 'false',
    }),
    value: property(text, 'The value of the subsetting.'),
    insert_type: parameter(
      oneOf('start', 'end', 'before', 'after', 'index'),
      'The position of a new subsetting: at the start, at the end, before or after another subsetting, or at an index.',
      { default: 'end' },
    ),
    insert_value: parameter(text, 'The other subsetting or the index for `insert_type`.'),
    delete_if_empty: parameter(oneOf('true', 'false'), 'If true, the setting is removed with its last subsetting.', {
      default: 'false',
    }),
  },
})

/** Attributes of the type `ini_subsetting`. */
export type IniSubsettingAttributes = (typeof iniSubsetting)['attributes']
