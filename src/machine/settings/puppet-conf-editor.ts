/** A line of puppet.conf: a `setting` with the whitespace around its name and value, a `section`, or other text. */
type Line =
  | {
      readonly kind: 'setting'
      readonly name: string
      readonly before: string
      readonly value: string
      readonly after: string
    }
  | { readonly kind: 'section'; readonly name: string; readonly text: string }
  | { readonly kind: 'other'; readonly text: string }

/** A line, and the name of its section. Lines before the first header belong to `main`. */
interface Placed {
  readonly section: string
  readonly line: Line
}

const main = 'main'
const word = /^[\p{L}\p{M}\p{N}\p{Pc}]+$/u

/**
 * Sets a value in the text of a puppet.conf. Comments, order and whitespace stay unchanged. A new
 * setting is added after the last setting of its section. Puppet: settings/ini_file.rb.
 */
export function setConfValue(text: string, section: string, name: string, value: string): string {
  const lines = parseLines(text)
  const at = findSettingIndex(lines, section, name)
  const old = lines[at]?.line
  if (old?.kind === 'setting') return joinLines(lines.with(at, { section, line: { ...old, value } }))
  const line: Line = { kind: 'setting', name, before: `${name} = `, value, after: '' }
  const last = lines.findLastIndex((each) => each.section === section && each.line.kind === 'setting')
  const header = lines.findIndex((each) => each.section === section && each.line.kind === 'section')
  if (last === -1 && header === -1 && section !== main) {
    const text = `[${section}]`
    return joinLines([...lines, { section, line: { kind: 'section', name: section, text } }, { section, line }])
  }
  // `main` starts at the beginning of the file, even if its header comes later.
  const place = last !== -1 ? last + 1 : section === main ? 0 : header + 1
  return joinLines(lines.toSpliced(place, 0, { section, line }))
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
  return found && { text: joinLines(lines.toSpliced(at, 1)), line: formatLine(found.line).trim() }
}

function parseLines(text: string): Placed[] {
  let section = main
  const all = text.split('\n')
  if (all.at(-1) === '') all.pop()
  return all.map((each) => {
    const line = parseLine(each)
    if (line.kind === 'section') section = line.name
    return { section, line }
  })
}

function parseLine(text: string): Line {
  const bare = text.trim()
  const header = bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : ''
  if (word.test(header)) return { kind: 'section', name: header, text }
  const equals = text.indexOf('=')
  const name = text.slice(0, Math.max(equals, 0)).trim()
  if (!word.test(name)) return { kind: 'other', text }
  const rest = text.slice(equals + 1)
  const value = rest.trim()
  const start = equals + 1 + rest.length - rest.trimStart().length
  const before = text.slice(0, start)
  return { kind: 'setting', name, before, value, after: text.slice(start + value.length) }
}

const formatLine = (line: Line): string =>
  line.kind === 'setting' ? `${line.before}${line.value}${line.after}` : line.text

const findSettingIndex = (lines: readonly Placed[], section: string, name: string): number =>
  lines.findIndex((each) => each.section === section && each.line.kind === 'setting' && each.line.name === name)

/** Joins the lines to a text. Adds a header for `main` if that section has settings but no header. */
function joinLines(lines: readonly Placed[]): string {
  const ofMain = lines.filter(({ section }) => section === main)
  const isBare =
    ofMain.some(({ line }) => line.kind === 'setting') && !ofMain.some(({ line }) => line.kind === 'section')
  return [...(isBare ? [`[${main}]`] : []), ...lines.map(({ line }) => formatLine(line)), ''].join('\n')
}
