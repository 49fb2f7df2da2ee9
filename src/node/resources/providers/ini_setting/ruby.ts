import { integerAtStart } from '../../../../language/ruby-semantics/numbers/number-texts.ts'
import { IniFile, usualStyle } from '../../ini-file.ts'
import { complainAboutForm } from '../../issues.ts'
import { defineProvider, type Work } from '../../provider.ts'
import { type IniSettingAttributes, type IniSettingResource, iniSetting } from '../../types/ini-setting.ts'
import { openIni, saveIni, shownValue } from './ini-work.ts'

interface State {
  file: IniFile
}

type SettingWork = Work<IniSettingAttributes, State>

/** Manages settings of INI files, keeping comments and order. */
export const ruby = defineProvider<IniSettingAttributes, State>(iniSetting, 'ruby', {
  doc: 'Reads the INI file, changes what is to change, and writes it anew.',
  begin: () => ({ file: new IniFile([], usualStyle) }),
  async read(work) {
    const { resource, state } = work
    state.file = await openIni(work, pathOf(resource), styleOf(resource))
    const [section, setting] = placeOf(resource)
    if (!isThere(work)) return { ensure: 'absent' }
    return { ensure: 'present', value: setting === undefined ? undefined : state.file.get(section, setting) }
  },
  inSync: {
    ensure: ({ resource }, is, [should]) => resource.get('refreshonly') === true || is === should,
    value: ({ resource }, is, [should]) => resource.get('refreshonly') === true || is === should,
  },
  show: { value: shownValue },
  create: write,
  remove,
  set: { value: write },
  async refresh(work) {
    if (!work.resource.get('refreshonly')) return
    await (work.resource.get('ensure') === 'absent' ? remove(work) : write(work))
  },
  list: async () => complainAboutForm('Ini_settings only support collecting instances when a file path is hard coded'),
})

function pathOf(resource: IniSettingResource): string {
  return resource.get('path') ?? ''
}

function placeOf(resource: IniSettingResource): [section: string, setting: string | undefined] {
  return [resource.get('section') ?? '', resource.get('setting')]
}

function styleOf(resource: IniSettingResource) {
  const width = resource.get('indent_width')
  return {
    separator: resource.get('key_val_separator') ?? usualStyle.separator,
    prefix: resource.get('section_prefix') ?? usualStyle.prefix,
    suffix: resource.get('section_suffix') ?? usualStyle.suffix,
    indentChar: resource.get('indent_char') ?? usualStyle.indentChar,
    indentWidth: width === undefined ? undefined : Number(integerAtStart(width)),
  }
}

/** True if the setting exists. If its section is missing and must not be created, `ensure` becomes absent. */
function isThere({ resource, state }: SettingWork): boolean {
  const [section, setting] = placeOf(resource)
  if (setting === undefined) return state.file.hasSection(section)
  if (state.file.hasSection(section)) return state.file.get(section, setting) !== undefined
  if (resource.get('force_new_section_creation') === false) resource.put('ensure', 'absent')
  return false
}

async function write(work: SettingWork): Promise<void> {
  const { resource, state } = work
  const [section, setting] = placeOf(resource)
  const value = resource.get('value')
  if (setting === undefined && value === undefined) state.file.add(section)
  else state.file.set(section, setting, value ?? '', styleOf(resource).separator)
  await saveIni(work, pathOf(resource), state.file)
}

async function remove(work: SettingWork): Promise<void> {
  const { resource, state } = work
  state.file.remove(...placeOf(resource))
  await saveIni(work, pathOf(resource), state.file)
}
