import { stripBlanks } from '../../../language/ruby-semantics/text/strip.ts'
import type { Value } from '../../../language/values/value.ts'
import { getParentPath } from '../../../machine/windows/machine-path.ts'
import { booleanKind, createEnumKind, createParsedKind, fullPath, textKind, toPlainText } from '../attribute-kinds.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

/** Text without surrounding whitespace, as returned by Ruby's `strip`. */
const stripped = createParsedKind((value: Value): string => stripBlanks(toPlainText(value)))

/** Attributes common to settings and subsettings: location, and the display of changed values. */
export const iniAttributes = {
  section: defineParameter(textKind, 'The section of the setting; empty for lines before the first section.', {
    default: '',
  }),
  path: defineParameter(fullPath, 'The absolute path of the INI file.'),
  show_diff: defineParameter(
    createEnumKind('true', 'md5', 'false'),
    'If true, changed values are shown; `md5` shows their checksums.',
    {
      default: 'true',
    },
  ),
  key_val_separator: defineParameter(textKind, 'The separator between name and value.', { default: ' = ' }),
} as const

/** The resource type `ini_setting` of the module inifile: settings of INI files. */
export const iniSetting = defineType('ini_setting', {
  doc: 'Manages a single setting in an INI file.',
  attributes: {
    name: defineNamevar(textKind, 'A unique name of the resource.'),
    ensure: defineProperty(createEnumKind('present', 'absent'), '`present` adds the setting, `absent` removes it.', {
      default: 'present',
    }),
    ...iniAttributes,
    setting: defineParameter(stripped, 'The name of the setting. If empty, only the section is managed.'),
    force_new_section_creation: defineParameter(booleanKind, 'If true, a missing section is created.', {
      default: true,
    }),
    value: defineProperty(stripped, 'The value of the setting.'),
    section_prefix: defineParameter(textKind, 'The text before a section name.', { default: '[' }),
    section_suffix: defineParameter(textKind, 'The text after a section name.', { default: ']' }),
    indent_char: defineParameter(textKind, 'The character with which new settings are indented.', { default: ' ' }),
    indent_width: defineParameter(
      textKind,
      'The number of indentation characters. Default: that of the other settings in the section.',
    ),
    refreshonly: defineParameter(booleanKind, 'If true, the setting is changed only on a refresh.', {
      default: false,
    }),
  },
  autorequire: {
    file: (resource) => [resource.has('path') ? getParentPath(resource.get('path')!) : undefined],
  },
})

/** Attributes of the type `ini_setting`. */
export type IniSettingAttributes = (typeof iniSetting)['attributes']

/** An ini_setting resource. */
export type IniSettingResource = ManagedResource<IniSettingAttributes>
