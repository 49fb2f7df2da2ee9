import type { Value } from '../../../language/values/value.ts'
import { createEnumKind, createParsedKind, textKind, toPlainText } from '../attribute-kinds.ts'
import { failWithFormError } from '../issues.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'
import { iniAttributes } from './ini-setting.ts'

const quote = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  if (!/^["']?$/m.test(given)) failWithFormError(`:quote_char valid values are '', '"' and "'"`)
  return given
})

/** The resource type `ini_subsetting` of the module inifile: parts of settings in INI files. */
export const iniSubsetting = defineType('ini_subsetting', {
  doc: 'Manages one of several values of a setting in an INI file.',
  attributes: {
    name: defineNamevar(textKind, 'A unique name of the resource.'),
    ensure: defineProperty(createEnumKind('present', 'absent'), '`present` adds the subsetting, `absent` removes it.', {
      default: 'present',
    }),
    ...iniAttributes,
    setting: defineParameter(textKind, 'The name of the setting.'),
    subsetting: defineParameter(textKind, 'The name of the subsetting.'),
    subsetting_separator: defineParameter(textKind, 'The separator between subsettings.', { default: ' ' }),
    subsetting_key_val_separator: defineParameter(
      textKind,
      'The separator between the name and value of a subsetting.',
      {
        default: '',
      },
    ),
    quote_char: defineParameter(quote, 'The quotation mark around the value of the setting, if any.', { default: '' }),
    use_exact_match: defineParameter(
      createEnumKind('true', 'false'),
      'If true, a subsetting has no value and must match exactly.',
      {
        default: 'false',
      },
    ),
    value: defineProperty(textKind, 'The value of the subsetting.'),
    insert_type: defineParameter(
      createEnumKind('start', 'end', 'before', 'after', 'index'),
      'The position of a new subsetting: at the start, at the end, before or after another subsetting, or at an index.',
      { default: 'end' },
    ),
    insert_value: defineParameter(textKind, 'The other subsetting or the index for `insert_type`.'),
    delete_if_empty: defineParameter(
      createEnumKind('true', 'false'),
      'If true, the setting is removed with its last subsetting.',
      {
        default: 'false',
      },
    ),
  },
})

/** Attributes of the type `ini_subsetting`. */
export type IniSubsettingAttributes = (typeof iniSubsetting)['attributes']
