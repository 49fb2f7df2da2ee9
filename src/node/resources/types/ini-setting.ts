import { posix } from 'node:path'
import { strip } from '../../../language/ruby-semantics/text/strip.ts'
import type { Value } from '../../../language/values/value.ts'
import { boolean, fullPath, oneOf, parsedBy, plain, text } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** Text without blanks around it, as Ruby's `strip` leaves it. */
const stripped = parsedBy((value: Value): string => strip(String(plain(value))))

/** Attributes that settings and their parts have in common: their place, and the display of a value that changes. */
export const iniAttributes = {
  section: parameter(text, 'The section of the setting; what stands before the first is the section without a name.', {
    default: '',
  }),
  path: parameter(fullPath, 'The INI file; fully qualified.'),
  show_diff: parameter(oneOf('true', 'md5', 'false'), 'Whether to show a value that changes, or its MD5.', {
    default: 'true',
  }),
  key_val_separator: parameter(text, 'What stands between name and value.', { default: ' = ' }),
} as const

/** Settings of INI files: inifile's. */
export const iniSetting = defineType('ini_setting', {
  doc: 'Manages a single setting in an INI file.',
  attributes: {
    name: namevar(text, 'An arbitrary name used as the identity of the resource.'),
    ensure: property(oneOf('present', 'absent'), 'Whether the setting is there.', { default: 'present' }),
    ...iniAttributes,
    setting: parameter(stripped, 'The name of the setting; without one, the section alone is managed.'),
    force_new_section_creation: parameter(boolean, 'Whether a section that is not there is made.', { default: true }),
    value: property(stripped, 'The value of the setting.'),
    section_prefix: parameter(text, "What stands before a section's name.", { default: '[' }),
    section_suffix: parameter(text, "What stands behind a section's name.", { default: ']' }),
    indent_char: parameter(text, 'The character by which new settings are indented.', { default: ' ' }),
    indent_width: parameter(text, "How many of it; as many as the section's other settings have, when not given."),
    refreshonly: parameter(boolean, 'Whether the setting is set only when the resource is refreshed.', {
      default: false,
    }),
  },
  autorequire: {
    file: (resource) => [resource.has('path') ? posix.dirname(resource.get('path')!) : undefined],
  },
})

/** Attributes of the type `ini_setting`. */
export type IniSettingAttributes = (typeof iniSetting)['attributes']

/** An ini_setting resource. */
export type IniSettingResource = ManagedResource<IniSettingAttributes>
