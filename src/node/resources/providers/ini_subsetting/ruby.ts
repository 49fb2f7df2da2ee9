import { IniFile, usualStyle } from '../../ini-file.ts'
import { defineProvider, type ProviderWork } from '../../provider.ts'
import { SettingParts } from '../../subsettings.ts'
import { type IniSubsettingAttributes, iniSubsetting } from '../../types/ini-subsetting.ts'
import { formatShownValue, openIniFile, saveIniFile } from '../ini_setting/ini-file-access.ts'

interface State {
  file: IniFile
  parts: SettingParts
}

type PartWork = ProviderWork<IniSubsettingAttributes, State>

const nothing = { separator: ' ', valueSeparator: '', quote: '' }

/** The provider of `ini_subsetting`, which manages parts of settings in INI files. */
export const iniSubsettingRuby = defineProvider<IniSubsettingAttributes, State>(iniSubsetting, 'ruby', {
  doc: 'Parses the setting, changes the subsetting, and rewrites the INI file.',
  begin: () => ({ file: new IniFile([], usualStyle), parts: new SettingParts(undefined, nothing, false) }),
  async read(work) {
    const { resource, state } = work
    const separator = resource.get('key_val_separator') ?? '='
    state.file = await openIniFile(work, resource.get('path') ?? '', { ...usualStyle, separator })
    state.parts = createSettingParts(work)
    const name = resource.get('subsetting') ?? ''
    return state.parts.has(name) ? { ensure: 'present', value: state.parts.get(name) } : { ensure: 'absent' }
  },
  show: { value: formatShownValue },
  create: writeSubsetting,
  set: { value: writeSubsetting },
  async remove(work) {
    const { resource, state } = work
    state.parts.remove(resource.get('subsetting') ?? '')
    // As in inifile, an empty setting is removed regardless of `delete_if_empty`.
    if (state.parts.isEmpty) state.file.remove(resource.get('section') ?? '', resource.get('setting'))
    else storeSetting(work)
    await saveSettings(work)
  },
})

function createSettingParts({ resource, state }: PartWork): SettingParts {
  const style = {
    separator: resource.get('subsetting_separator') ?? ' ',
    valueSeparator: resource.get('subsetting_key_val_separator') ?? '',
    quote: resource.get('quote_char') ?? '',
  }
  const value = state.file.get(resource.get('section') ?? '', resource.get('setting') ?? '')
  return new SettingParts(value, style, resource.get('use_exact_match') === 'true')
}

async function writeSubsetting(work: PartWork): Promise<void> {
  const { resource, state } = work
  const place = { type: resource.get('insert_type') ?? 'end', value: resource.get('insert_value') } as const
  state.parts.set(resource.get('subsetting') ?? '', resource.get('value') ?? '', place)
  storeSetting(work)
  await saveSettings(work)
}

function storeSetting({ resource, state }: PartWork): void {
  const separator = resource.get('key_val_separator') ?? '='
  state.file.set(resource.get('section') ?? '', resource.get('setting'), state.parts.toString(), separator)
}

async function saveSettings(work: PartWork): Promise<void> {
  await saveIniFile(work, work.resource.get('path') ?? '', work.state.file)
}
