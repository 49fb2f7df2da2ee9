import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { formatSuggestion } from '../../../base/text/name-suggestions.ts'
import { applyLintOption, getOptionName, type LintOption, lintOptions } from './lint-options.ts'
import type { LintSettings } from './lint-settings.ts'

const issues = defineIssues({
  LINT_INVALID_OPTION: {
    text: (a: { file: string; option: string }) => `${a.file}: invalid option: ${a.option}`,
    hint: (a) =>
      formatSuggestion(
        a.option,
        lintOptions.map((each) => `--${getOptionName(each)}`),
      ) ?? "'plumb lint --help' prints the options. Checks written in Ruby cannot be loaded.",
  },
  LINT_MISSING_ARGUMENT: {
    text: (a: { file: string; option: string }) => `${a.file}: missing argument: ${a.option}`,
    hint: () => 'Write the value after `=`, or on the next line.',
  },
  LINT_INVALID_ARGUMENT: {
    text: (a: { file: string; option: string; value: string }) => `${a.file}: invalid argument: ${a.option} ${a.value}`,
  },
  LINT_NESTED_CONFIG: {
    text: (a: { file: string; bound: number }) => `${a.file}: more than ${a.bound} files are included with --config`,
  },
})

/** Reads another file of options; undefined if there is none. */
export type ReadOptions = (file: string) => Promise<string | undefined>

/** Files that a file of options may include, directly or through others. */
const maxIncludedFiles = 10

/**
 * Applies the options of a file, one a line. Other lines, such as comments, are ignored. A name may be abbreviated.
 * Throws LINT_INVALID_OPTION, LINT_MISSING_ARGUMENT, LINT_INVALID_ARGUMENT, LINT_NESTED_CONFIG.
 */
export async function applyRcFile(
  file: string,
  text: string,
  settings: LintSettings,
  read: ReadOptions,
  included: { count: number } = { count: 0 },
): Promise<void> {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    if (line === '--') return
    if (!/^-./.test(line)) continue
    const { name, value } = splitOption(line)
    const takeValue = (): string =>
      value ?? lines[++at] ?? throwIssue(issues.LINT_MISSING_ARGUMENT, { file, option: name })
    if (name === '--no-config') continue
    if (name === '--config' || name === '-c') {
      const other = takeValue()
      if (++included.count > maxIncludedFiles) throwIssue(issues.LINT_NESTED_CONFIG, { file, bound: maxIncludedFiles })
      const content = await read(other)
      if (content !== undefined) await applyRcFile(other, content, settings, read, included)
      continue
    }
    const option = findOption(name)
    if (option) applyOption(option, name, option.flags.includes('<') ? takeValue() : '', file, settings)
    // A check that does not exist is as good as disabled.
    else if (!/^--no-[\w-]+-check$/.test(name)) throwIssue(issues.LINT_INVALID_OPTION, { file, option: name })
  }
}

function applyOption(option: LintOption, name: string, value: string, file: string, settings: LintSettings): void {
  if (option.choices && !option.choices.includes(value))
    throwIssue(issues.LINT_INVALID_ARGUMENT, { file, option: name, value })
  applyLintOption(option, value, settings)
}

/** Splits `--name=value`, and `-xvalue` of a letter. */
function splitOption(line: string): { readonly name: string; readonly value: string | undefined } {
  if (!line.startsWith('--')) return { name: line.slice(0, 2), value: line.length > 2 ? line.slice(2) : undefined }
  const equals = line.indexOf('=')
  return equals === -1
    ? { name: line, value: undefined }
    : { name: line.slice(0, equals), value: line.slice(equals + 1) }
}

/** The option with a name, or the only one whose name begins with it. */
function findOption(name: string): LintOption | undefined {
  if (!name.startsWith('--')) return lintOptions.find(({ flags }) => flags.startsWith(`${name},`))
  const long = name.slice(2)
  const exact = lintOptions.find((each) => getOptionName(each) === long)
  if (exact) return exact
  const candidates = lintOptions.filter((each) => getOptionName(each).startsWith(long))
  return candidates.length === 1 ? candidates[0] : undefined
}
