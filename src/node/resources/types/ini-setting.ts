import { posix } from 'node:path'
import { strip } from '../../../language/ruby-semantics/text/strip.ts'
import type { Value } from '../../../language/values/value.ts'
import { boolean, fullPath, oneOf, parsedBy, plain, text } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** Text without surrounding whitespace, as returned by Ruby's `strip`. */
const stripped = parsedBy((value: Value): string => strip(String(plain(value))))

/** Attributes common to settings and subsettings: location, and the display of changed values. */
export const iniAttributes = {
  section: parameter(text, 'The section of the setting; empty for lines before the first section.', {
    default: '',
  }),
  path: parameter(fullPath, 'The absolute path of the INI file.'),
  show_diff: parameter(
    oneOf('true', 'md5', 'false'),
    'If true, changed values are shown; `md5` shows their checksums.',
    {
      default: 'true',
    },
  ),
  key_val_separator: parameter(text, 'The separator between name and value.', { default: ' = ' }),
} as const

/** Settings of INI files, from the module inifile. */
export const iniSetting = defineType('ini_setting', {
  doc: 'Manages a single setting in an INI file.',
  attributes: {
    name: namevar(text, 'A unique name of the resource.'),
    ensure: property(oneOf('present', 'absent'), '`present` adds the setting, `absent` removes it.', {
      default: 'present',
    }),
    ...iniAttributes,
    setting: parameter(stripped, 'The name of the setting. If empty, only the section is managed.'),
    force_new_section_creation: parameter(boolean, 'If true, a missing section is created.', { default: true }),
    value: property(stripped, 'The value of the setting.'),
    section_prefix: parameter(text, 'The text before a section name.', { default: '[' }),
    section_suffix: parameter(text, 'The text after a section name.', { default: ']' }),
    indent_char: parameter(text, 'The character with which new settings are indented.', { default: ' ' }),
    indent_width: parameter(
      text,
      'The number of indentation characters. Default: that of the other settings in the section.',
    ),
    refreshonly: parameter(boolean, 'If true, the setting is changed only on a refresh.', {
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
