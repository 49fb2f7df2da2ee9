import { throwIssue } from '../../base/issue.ts'
import { settingDefinitions } from '../../machine/settings/definitions/index.ts'
import { isSetting, resolveSettingName, type SettingName } from '../../machine/settings/settings.ts'
import { usageIssues } from './usage-errors.ts'

/** A command line whose settings are separated from the other words. */
export interface Arguments {
  readonly words: readonly string[]
  readonly settings: Readonly<Record<string, string>>
}

/**
 * Extracts settings from a command line: `--name value`, `--name=value`, and for flags `--name` and `--no-name`. Keeps
 * options of the command, whose names are in `own`, with abbreviations completed, and all words after `--`. Throws
 * MISSING_ARGUMENT, NEEDLESS_ARGUMENT and AMBIGUOUS_OPTION. Ruby: optparse.rb.
 */
export function extractSettings(words: readonly string[], own: ReadonlySet<string>): Arguments {
  const kept: string[] = []
  const settings: Record<string, string> = {}
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    if (word === '--') return { words: [...kept, ...words.slice(index)], settings }
    const [, typed, argument] = /^--([^=]+)(=.*)?$/s.exec(word) ?? []
    if (typed === undefined) {
      kept.push(word)
      continue
    }
    const given = completeOption(typed, own)
    const { name, no } = parseSettingOption(given, own)
    if (name === undefined) kept.push(`--${given}${argument ?? ''}`)
    else if (isFlagSetting(name)) {
      if (argument !== undefined) throwIssue(usageIssues.NEEDLESS_ARGUMENT, { option: word })
      settings[name] = no ? 'false' : 'true'
    } else
      settings[name] =
        argument?.slice(1) ?? words[++index] ?? throwIssue(usageIssues.MISSING_ARGUMENT, { option: word })
  }
  return { words: kept, settings }
}

/** The setting that an option names; `no` is true for `--no-NAME`. */
function parseSettingOption(
  given: string,
  own: ReadonlySet<string>,
): { readonly name?: SettingName; readonly no: boolean } {
  const [, no, rest = ''] = /^(no-)?(.+)$/s.exec(given) ?? []
  const name = own.has(rest) ? undefined : resolveSettingName(rest)
  return name === undefined || (no !== undefined && !isFlagSetting(name))
    ? { no: false }
    : { name, no: no !== undefined }
}

/** Completes an abbreviated option; returns a full or unknown name unchanged. Throws AMBIGUOUS_OPTION. */
function completeOption(given: string, own: ReadonlySet<string>): string {
  if (own.has(given.replace(/^no-/, '')) || parseSettingOption(given, own).name !== undefined) return given
  const names = new Set([...own, ...Object.keys(settingDefinitions), 'help', 'version'])
  if (names.has(given)) return given
  const flags = [...names].filter((name) => own.has(name) || (isSetting(name) && isFlagSetting(name)))
  const matching = [...names, ...flags.map((name) => `no-${name}`)].filter((name) => name.startsWith(given))
  if (matching.length > 1) throwIssue(usageIssues.AMBIGUOUS_OPTION, { option: `--${given}`, matching })
  return matching[0] ?? given
}

const isFlagSetting = (name: SettingName): boolean => settingDefinitions[name].kind.flag === true
