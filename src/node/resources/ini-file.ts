import { escapeRegexp } from '../../language/ruby-semantics/regexp/escape.ts'
import { findMatch } from '../../language/ruby-semantics/regexp/match.ts'

/** The syntax of an INI file (section brackets, separators), and the indentation of new lines. */
export interface IniStyle {
  readonly separator: string
  readonly prefix: string
  readonly suffix: string
  readonly indentChar: string
  /** Number of `indentChar` before a new setting; undefined for the indentation of its section. */
  readonly indentWidth: number | undefined
}

/** The default style: `name = value` below `[section]`. */
export const usualStyle: IniStyle = {
  separator: ' = ',
  prefix: '[',
  suffix: ']',
  indentChar: ' ',
  indentWidth: undefined,
}

/** A section. Lines before the first header belong to a section without a name. */
interface Section {
  readonly name: string
  /** The header, if any, and the lines below it; undefined if the section is not in the file yet. */
  lines: string[] | undefined
  readonly settings: Map<string, string>
  /** New settings, to be written after the section's lines. */
  readonly added: Map<string | undefined, string>
  indentation: number
}

/** A line with a setting: `  name = value`. */
interface SettingLine {
  readonly name: string
  /** The part of the line before the value. */
  readonly head: string
  readonly indent: string
  readonly value: string
}

/** An INI file. Changes keep its comments, blank lines and order (Puppet: inifile's util/ini_file.rb). */
export class IniFile {
  readonly #style: IniStyle
  readonly #sections: Section[] = []
  readonly #header: string
  readonly #setting: string
  readonly #comment: string

  constructor(lines: readonly string[], style: IniStyle) {
    this.#style = style
    // As in inifile, the separator is inserted into a regular expression without escaping.
    const separator = /^\s+$/.test(style.separator) ? ' ' : style.separator.trim()
    const end = `(\\s*${separator}[ \\t]*)(.*)\\s*$`
    this.#header = `^\\s*${escapeRegexp(style.prefix)}(.*)${escapeRegexp(style.suffix)}\\s*$`
    this.#setting = `^(\\s*)([^#;\\s]|[^#;\\s].*?[^\\s${separator}])${end}`
    this.#comment = `^(\\s*)[#;]+(\\s*)(.*?[^\\s${separator}])${end}`
    this.#read(lines)
  }

  hasSection(name: string): boolean {
    return this.#section(name) !== undefined
  }

  get(section: string, setting: string): string | undefined {
    const found = this.#section(section)
    return found?.settings.get(setting) ?? found?.added.get(setting)
  }

  /** Adds a section, unless a section with this name exists. */
  add(name: string): Section {
    return this.#section(name) ?? this.#append(name)
  }

  /** Sets a setting: on its existing line, below a comment with its name, or at the end of its section. */
  set(sectionName: string, setting: string | undefined, value: string, separator: string): void {
    const section = this.add(sectionName)
    if (setting === undefined || !section.lines) return void section.added.set(setting, value)
    if (section.settings.has(setting)) {
      section.lines = section.lines.map((line) => {
        const found = this.#settingIn(line)
        return found?.name === setting ? `${found.head}${value}` : line
      })
      section.settings.set(setting, value)
      return
    }
    const comment = section.lines.findIndex((line) => findMatch({ source: this.#comment }, line)?.groups[3] === setting)
    if (comment < 0) return void section.added.set(setting, value)
    section.lines.splice(comment + 1, 0, `${this.#indent(section)}${setting}${separator}${value}`)
    section.settings.set(setting, value)
  }

  /** Removes a setting, and its section if only the header remains. */
  remove(sectionName: string, setting: string | undefined): void {
    const section = this.#section(sectionName)
    if (setting === undefined || !section?.lines || !section.settings.delete(setting)) return
    section.lines = section.lines.filter((line) => this.#settingIn(line)?.name !== setting)
    if (section.name !== '' && section.lines.length === 1) this.#sections.splice(this.#sections.indexOf(section), 1)
  }

  /** The text of the file. New settings are inserted before blank lines at the end of their section. */
  toString(): string {
    const written: string[] = []
    const { prefix, suffix, separator } = this.#style
    const [first] = this.#sections
    const startsEmpty = !first?.lines && first?.added.size === 0
    for (const [index, section] of this.#sections.entries()) {
      const { name, lines = [], added } = section
      if (!section.lines && name !== '') {
        if (index > 1 || (index === 1 && !startsEmpty)) written.push('')
        written.push(`${prefix}${name}${suffix}`)
      }
      const end = lines.findLastIndex((line) => !isBlankLine(line)) + 1
      written.push(...lines.slice(0, end))
      for (const [setting = '', value] of added) written.push(`${this.#indent(section)}${setting}${separator}${value}`)
      written.push(...lines.slice(end))
      const isLast = index === this.#sections.length - 1
      if (!section.lines && added.size > 0 && !isLast) written.push('')
    }
    return written.map((line) => (line.endsWith('\n') ? line : `${line}\n`)).join('')
  }

  #read(lines: readonly string[]): void {
    let section = this.#append('')
    for (const line of lines) {
      const header = findMatch({ source: this.#header }, line)
      if (header) section = this.#append(header.groups[1] ?? '')
      section.lines ??= []
      section.lines.push(line)
      const found = header ? undefined : this.#settingIn(line)
      if (!found) continue
      const isFirst = section.settings.size === 0
      section.settings.set(found.name, found.value)
      section.indentation = isFirst ? found.indent.length : Math.min(section.indentation, found.indent.length)
    }
  }

  #append(name: string): Section {
    const section: Section = { name, lines: undefined, settings: new Map(), added: new Map(), indentation: 0 }
    this.#sections.push(section)
    return section
  }

  /** The last section of this name, whose settings take effect. */
  #section(name: string): Section | undefined {
    return this.#sections.findLast((section) => section.name === name)
  }

  #settingIn(line: string): SettingLine | undefined {
    const found = findMatch({ source: this.#setting }, line)
    if (!found) return undefined
    const [, indent = '', name = '', separator = '', value = ''] = found.groups
    return { name, head: `${indent}${name}${separator}`, indent, value }
  }

  #indent({ indentation }: Section): string {
    const { indentChar, indentWidth } = this.#style
    return indentChar.repeat(Math.max(0, indentWidth ?? indentation))
  }
}

function isBlankLine(line: string): boolean {
  return /^[ \t\r\n\f\v]*$/.test(line)
}
