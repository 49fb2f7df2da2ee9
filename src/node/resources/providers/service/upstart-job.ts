/** The job files of upstart: reading and changing whether a job starts at boot. */

/**
 * The version's method to disable a job: by commenting out the `start on` lines (before 0.6.7), by a
 * following line `manual` (before 0.9.0), or by a `manual` line in an override file.
 */
export type Generation = 'comments' | 'manual' | 'overrides'

const startOn = /^\s*start\s+on/
const commentedStartOn = /^\s*#+\s*start\s+on/
const manual = /^\s*manual\s*$/
const usualStart = '\nstart on runlevel [2,3,4,5]'

/** True if the job starts automatically; the last `start on` or `manual` line decides. */
export function isJobEnabled(text: string, override: string, generation: Generation): boolean {
  let isEnabled = false
  for (const line of [...splitLines(text), ...splitLines(override)])
    if (startOn.test(line)) isEnabled = true
    else if (generation !== 'comments' && manual.test(line)) isEnabled = false
  return isEnabled
}

/** The text of an enabled job, for versions without override files. */
export function formatEnabledJob(text: string): string {
  const bare = removeManualLines(text)
  if (isJobEnabled(bare, '', 'manual')) return bare
  return splitLines(bare).some((line) => commentedStartOn.test(line))
    ? uncommentStartLines(bare)
    : `${bare}${usualStart}`
}

/** The text of a disabled job, for versions without override files. */
export function formatDisabledJob(text: string, generation: 'comments' | 'manual'): string {
  return generation === 'manual'
    ? addManualLine(text)
    : changeStartLines(text, startOn, (line, isStart) => (isStart ? `#${line}` : line))
}

/** The override file that enables a job. */
export function formatEnabledOverride(text: string, override: string): string {
  const bare = removeManualLines(override)
  if (isJobEnabled(text, bare, 'overrides')) return bare
  const block = changeStartLines(text, startOn, (line, isStart) => (isStart ? line : ''))
  return block === '' ? `${bare}${usualStart}` : `${bare}${block}`
}

/** The text with a single `manual` line, at its end. */
export function addManualLine(text: string): string {
  return `${removeManualLines(text)}\nmanual`
}

/** Removes `manual` lines and surrounding blank lines, except the last line ending. */
function removeManualLines(text: string): string {
  const lines = text.split('\n')
  const kept: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    if (!manual.test(lines[at]!)) kept.push(lines[at]!)
    else {
      while (kept.at(-1)?.trim() === '') kept.pop()
      while (at + 1 < lines.length && lines[at + 1]!.trim() === '') at += 1
      kept.push('')
    }
  }
  return kept.join('\n')
}

function uncommentStartLines(text: string): string {
  return changeStartLines(text, commentedStartOn, (line, isStart) => (isStart ? line.replace(/^(\s*)#+/, '$1') : line))
}

/** Changes the `start on` lines, which continue while a parenthesis is open. */
function changeStartLines(text: string, start: RegExp, change: (line: string, isStart: boolean) => string): string {
  let open = 0
  return splitLines(text)
    .map((line) => {
      if (!start.test(line) && open <= 0) return change(line, false)
      open += countOpenParentheses(line, start === commentedStartOn)
      return change(line, true)
    })
    .join('')
}

/** The number of parentheses that a line opens, minus those it closes; a trailing comment is ignored. */
function countOpenParentheses(line: string, isCommented: boolean): number {
  const own = isCommented ? line.replace(/^\s*#+/, '') : line
  const code = own.split('#', 1)[0]!
  return code.split('(').length - code.split(')').length
}

function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}
