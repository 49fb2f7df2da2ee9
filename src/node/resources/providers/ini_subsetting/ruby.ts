import { IniFile, usualStyle } from '../../ini-file.ts'
import { defineProvider, type Work } from '../../provider.ts'
import { SettingParts } from '../../setting-parts.ts'
import { type IniSubsettingAttributes, iniSubsetting } from '../../types/ini-subsetting.ts'
import { openIni, saveIni, shownValue } from '../ini_setting/ini-work.ts'

interface State {
  file: IniFile
  parts: SettingParts
}

type PartWork = Work<IniSubsettingAttributes, State>

const nothing = { separator: ' ', valueSeparator: '', quote: '' }

/** Manages parts of settings in INI files. */
export const ruby = defineProvider<IniSubsettingAttributes, State>(iniSubsetting, 'ruby', {
  doc: 'Takes the setting apart, changes what is to change, and writes the INI file anew.',
  begin: () => ({ file: new IniFile([], usualStyle), parts: new SettingParts(undefined, nothing, false) }),
  async read(work) {
    const { resource, state } = work
    const separator = resource.get('key_val_separator') ?? '='
    state.file = await openIni(work, resource.get('path') ?? '', { ...usualStyle, separator })
    state.parts = partsOf(work)
    const name = resource.get('subsetting') ?? ''
    return state.parts.has(name) ? { ensure: 'present', value: state.parts.get(name) } : { ensure: 'absent' }
  },
  show: { value: shownValue },
  create: write,
  set: { value: write },
  async remove(work) {
    const { resource, state } = work
    state.parts.remove(resource.get('subsetting') ?? '')
    // As in inifile, an empty setting is removed regardless of `delete_if_empty`.
    if (state.parts.isEmpty) state.file.remove(resource.get('section') ?? '', resource.get('setting'))
    else store(work)
    await save(work)
  },
})

function partsOf({ resource, state }: PartWork): SettingParts {
  const style = {
    separator: resource.get('subsetting_separator') ?? ' ',
    valueSeparator: resource.get('subsetting_key_val_separator') ?? '',
    quote: resource.get('quote_char') ?? '',
  }
  const value = state.file.get(resource.get('section') ?? '', resource.get('setting') ?? '')
  return new SettingParts(value, style, resource.get('use_exact_match') === 'true')
}

async function write(work: PartWork): Promise<void> {
  const { resource, state } = work
  const place = { type: resource.get('insert_type') ?? 'end', value: resource.get('insert_value') } as const
  state.parts.set(resource.get('subsetting') ?? '', resource.get('value') ?? '', place)
  store(work)
  await save(work)
}

function store({ resource, state }: PartWork): void {
  const separator = resource.get('key_val_separator') ?? '='
  state.file.set(resource.get('section') ?? '', resource.get('setting'), state.parts.toString(), separator)
}

async function save(work: PartWork): Promise<void> {
  await saveIni(work, work.resource.get('path') ?? '', work.state.file)
}
