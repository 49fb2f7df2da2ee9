import { fail } from '../base/issue.ts'
import { definitions } from '../settings/definitions/index.ts'
import { type SettingName, settingNamed } from '../settings/settings.ts'
import { usageIssues } from './usage.ts'

/** A command line with the settings taken out of it. */
export interface Arguments {
  readonly words: readonly string[]
  readonly settings: Readonly<Record<string, string>>
}

/**
 * Takes settings out of a command line: `--name value`, `--name=value`, and `--name`, `--no-name` for flags. Names in
 * `own` are the command's and stay. What follows `--` stays. Throws MISSING_ARGUMENT.
 */
export function takeSettings(words: readonly string[], own: ReadonlySet<string>): Arguments {
  const kept: string[] = []
  const settings: Record<string, string> = {}
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    if (word === '--') return { words: [...kept, ...words.slice(index)], settings }
    const [, no, given, value] = /^--(no-)?([^=]+)(?:=(.*))?$/s.exec(word) ?? []
    const name = given === undefined || own.has(given) ? undefined : settingNamed(given)
    if (name === undefined) kept.push(word)
    else if (no && !isFlag(name)) kept.push(word)
    else if (no) settings[name] = 'false'
    else if (value !== undefined) settings[name] = value
    else if (isFlag(name)) settings[name] = isTruthWord(words[index + 1]) ? words[++index]! : 'true'
    else settings[name] = words[++index] ?? fail(usageIssues.MISSING_ARGUMENT, { option: word })
  }
  return { words: kept, settings }
}

const isFlag = (name: SettingName): boolean => definitions[name].kind.flag === true

const isTruthWord = (word: string | undefined): boolean => word === 'true' || word === 'false'
