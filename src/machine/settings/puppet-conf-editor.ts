import { type IniLine, parseIniLines } from '../../base/text/ini.ts'

/** A line, and the name of its section. Lines before the first header belong to `main`. */
interface Line {
  readonly section: string
  readonly kind: IniLine['kind']
  /** The name of a setting. */
  readonly name?: string
  readonly text: string
}

const main = 'main'
const word = '[\\p{L}\\p{M}\\p{N}\\p{Pc}]+'
const syntax = {
  blank: /^\s*$/,
  header: new RegExp(`^\\s*\\[(?<section>${word})\\]\\s*$`, 'u'),
  setting: new RegExp(`^\\s*(?<name>${word})\\s*=(?<value>.*)$`, 'su'),
}

/**
 * Sets a value in the text of a puppet.conf. Comments, order and whitespace stay unchanged. A new
 * setting is added after the last setting of its section. Puppet: settings/ini_file.rb.
 */
export function setConfValue(text: string, section: string, name: string, value: string): string {
  const lines = parseLines(text)
  const at = findSettingIndex(lines, section, name)
  const old = lines[at]
  if (old) return joinLines(lines.with(at, { ...old, text: replaceValue(old.text, value) }))
  const line: Line = { section, kind: 'setting', name, text: `${name} = ${value}` }
  const last = lines.findLastIndex((each) => each.section === section && each.kind === 'setting')
  const header = lines.findIndex((each) => each.section === section && each.kind === 'header')
  if (last === -1 && header === -1 && section !== main)
    return joinLines([...lines, { section, kind: 'header', text: `[${section}]` }, line])
  // `main` starts at the beginning of the file, even if its header comes later.
  const place = last !== -1 ? last + 1 : section === main ? 0 : header + 1
  return joinLines(lines.toSpliced(place, 0, line))
}

/** Removes a setting from the text of a puppet.conf; undefined if the text does not contain the setting. */
export function deleteConfValue(
  text: string,
  section: string,
  name: string,
): { readonly text: string; readonly line: string } | undefined {
  const lines = parseLines(text)
  const at = findSettingIndex(lines, section, name)
  const found = lines[at]
  return found && { text: joinLines(lines.toSpliced(at, 1)), line: found.text.trim() }
}

function parseLines(file: string): Line[] {
  let section = main
  const lines = [...parseIniLines(file, syntax)].map((line) => {
    if (line.kind === 'header') section = line.section
    return { section, kind: line.kind, text: line.text, ...(line.kind === 'setting' && { name: line.name }) }
  })
  if (lines.at(-1)?.text === '') lines.pop()
  return lines
}

/** Replaces the value of a setting; whitespace stays unchanged. */
function replaceValue(line: string, value: string): string {
  const before = /^[^=]*=\s*/.exec(line)?.[0] ?? ''
  return `${before}${value}${line.slice(Math.max(before.length, line.trimEnd().length))}`
}

const findSettingIndex = (lines: readonly Line[], section: string, name: string): number =>
  lines.findIndex((each) => each.section === section && each.name === name)

/** Joins the lines to a text. Adds a header for `main` if that section has settings but no header. */
function joinLines(lines: readonly Line[]): string {
  const ofMain = lines.filter(({ section }) => section === main)
  const isBare = ofMain.some(({ kind }) => kind === 'setting') && !ofMain.some(({ kind }) => kind === 'header')
  return [...(isBare ? [`[${main}]`] : []), ...lines.map(({ text }) => text), ''].join('\n')
}
