import { parseLeadingInteger } from '../../../../language/ruby-semantics/numbers/number-parsing.ts'
import { IniFile, usualStyle } from '../../ini-file.ts'
import { failWithFormError } from '../../issues.ts'
import { defineProvider, type ProviderWork } from '../../provider.ts'
import { type IniSettingAttributes, type IniSettingResource, iniSetting } from '../../types/ini-setting.ts'
import { formatShownValue, openIniFile, saveIniFile } from './ini-file-access.ts'

interface State {
  file: IniFile
}

type SettingWork = ProviderWork<IniSettingAttributes, State>

/** The provider of `ini_setting`, which keeps comments and order of INI files. */
export const iniSettingRuby = defineProvider<IniSettingAttributes, State>(iniSetting, 'ruby', {
  doc: 'Reads the INI file, changes the setting, and rewrites the file.',
  begin: () => ({ file: new IniFile([], usualStyle) }),
  async read(work) {
    const { resource, state } = work
    state.file = await openIniFile(work, getPath(resource), getIniStyle(resource))
    const [section, setting] = getSectionAndSetting(resource)
    if (!isPresent(work)) return { ensure: 'absent' }
    return { ensure: 'present', value: setting === undefined ? undefined : state.file.get(section, setting) }
  },
  inSync: {
    ensure: ({ resource }, is, [should]) => resource.get('refreshonly') === true || is === should,
    value: ({ resource }, is, [should]) => resource.get('refreshonly') === true || is === should,
  },
  show: { value: formatShownValue },
  create: writeSetting,
  remove: removeSetting,
  set: { value: writeSetting },
  async refresh(work) {
    if (!work.resource.get('refreshonly')) return
    await (work.resource.get('ensure') === 'absent' ? removeSetting(work) : writeSetting(work))
  },
  list: async () => failWithFormError('Ini_settings only support collecting instances when a file path is hard coded'),
})

function getPath(resource: IniSettingResource): string {
  return resource.get('path') ?? ''
}

function getSectionAndSetting(resource: IniSettingResource): [section: string, setting: string | undefined] {
  return [resource.get('section') ?? '', resource.get('setting')]
}

function getIniStyle(resource: IniSettingResource) {
  const width = resource.get('indent_width')
  return {
    separator: resource.get('key_val_separator') ?? usualStyle.separator,
    prefix: resource.get('section_prefix') ?? usualStyle.prefix,
    suffix: resource.get('section_suffix') ?? usualStyle.suffix,
    indentChar: resource.get('indent_char') ?? usualStyle.indentChar,
    indentWidth: width === undefined ? undefined : Number(parseLeadingInteger(width)),
  }
}

/** True if the setting exists. If its section is missing and must not be created, `ensure` becomes absent. */
function isPresent({ resource, state }: SettingWork): boolean {
  const [section, setting] = getSectionAndSetting(resource)
  if (setting === undefined) return state.file.hasSection(section)
  if (state.file.hasSection(section)) return state.file.get(section, setting) !== undefined
  if (resource.get('force_new_section_creation') === false) resource.put('ensure', 'absent')
  return false
}

async function writeSetting(work: SettingWork): Promise<void> {
  const { resource, state } = work
  const [section, setting] = getSectionAndSetting(resource)
  const value = resource.get('value')
  if (setting === undefined && value === undefined) state.file.add(section)
  else state.file.set(section, setting, value ?? '', getIniStyle(resource).separator)
  await saveIniFile(work, getPath(resource), state.file)
}

async function removeSetting(work: SettingWork): Promise<void> {
  const { resource, state } = work
  state.file.remove(...getSectionAndSetting(resource))
  await saveIniFile(work, getPath(resource), state.file)
}
