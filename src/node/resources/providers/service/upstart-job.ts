/** The text of a job of upstart: whether it starts with the machine, and how that is changed. */

/**
 * By version: the lines that say when to start are commented out (before 0.6.7), a line `manual` follows them (before
 * 0.9.0), or that line is in a file of overrides.
 */
export type Generation = 'comments' | 'manual' | 'overrides'

const startOn = /^\s*start\s+on/
const commentedStartOn = /^\s*#+\s*start\s+on/
const manual = /^\s*manual\s*$/
const usualStart = '\nstart on runlevel [2,3,4,5]'

/** True of a job that starts by itself: the last line that says so, or says that it does not, counts. */
export function isJobEnabled(text: string, override: string, generation: Generation): boolean {
  let isEnabled = false
  for (const line of [...linesOf(text), ...linesOf(override)])
    if (startOn.test(line)) isEnabled = true
    else if (generation !== 'comments' && manual.test(line)) isEnabled = false
  return isEnabled
}

/** The job, enabled, where there are no overrides. */
export function enabledText(text: string): string {
  const bare = withoutManual(text)
  if (isJobEnabled(bare, '', 'manual')) return bare
  return linesOf(bare).some((line) => commentedStartOn.test(line)) ? uncommented(bare) : `${bare}${usualStart}`
}

/** The job, disabled, where there are no overrides. */
export function disabledText(text: string, generation: 'comments' | 'manual'): string {
  return generation === 'manual'
    ? withManual(text)
    : startBlocks(text, startOn, (line, isStart) => (isStart ? `#${line}` : line))
}

/** The override that enables a job. */
export function overrideEnabled(text: string, override: string): string {
  const bare = withoutManual(override)
  if (isJobEnabled(text, bare, 'overrides')) return bare
  const block = startBlocks(text, startOn, (line, isStart) => (isStart ? line : ''))
  return block === '' ? `${bare}${usualStart}` : `${bare}${block}`
}

/** The text with a line `manual` at its end and nowhere else. */
export function withManual(text: string): string {
  return `${withoutManual(text)}\nmanual`
}

/** Blank lines around go with a line `manual`, but for the last end of a line. */
function withoutManual(text: string): string {
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

function uncommented(text: string): string {
  return startBlocks(text, commentedStartOn, (line, isStart) => (isStart ? line.replace(/^(\s*)#+/, '$1') : line))
}

/** Changes the lines that say when to start: they go on while a parenthesis is open. */
function startBlocks(text: string, start: RegExp, change: (line: string, isStart: boolean) => string): string {
  let open = 0
  return linesOf(text)
    .map((line) => {
      if (!start.test(line) && open <= 0) return change(line, false)
      open += openedBy(line, start === commentedStartOn)
      return change(line, true)
    })
    .join('')
}

/** Parentheses that a line opens, less those that it closes, before a comment at its end. */
function openedBy(line: string, isCommented: boolean): number {
  const own = isCommented ? line.replace(/^\s*#+/, '') : line
  const code = own.split('#', 1)[0]!
  return code.split('(').length - code.split(')').length
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}
