/** The syntax of a kind of INI file, as patterns for single lines. */
export interface IniSyntax {
  /** Matches blank lines and comments. */
  readonly blank: RegExp
  /** Matches a header; the group `section` is the name of the section. */
  readonly header: RegExp
  /** Matches a setting; the groups `name` and `value` are its parts. */
  readonly setting: RegExp
}

/** A line of an INI file. */
export type IniLine = {
  readonly text: string
  /** Line number, from 1. */
  readonly number: number
  /** Offset of the line in the file. */
  readonly start: number
} & (
  | { readonly kind: 'blank' | 'other' }
  | { readonly kind: 'header'; readonly section: string }
  | { readonly kind: 'setting'; readonly name: string; readonly value: string }
)

/** Splits an INI file into lines without line feeds, and parses each line. Trims the values. */
export function* parseIniLines(file: string, { blank, header, setting }: IniSyntax): Generator<IniLine> {
  let start = 0
  for (const [index, text] of file.split('\n').entries()) {
    const line = { text, number: index + 1, start }
    const section = header.exec(text)?.groups?.['section']
    const { name, value } = setting.exec(text)?.groups ?? {}
    if (blank.test(text)) yield { ...line, kind: 'blank' }
    else if (section !== undefined) yield { ...line, kind: 'header', section }
    else if (name !== undefined) yield { ...line, kind: 'setting', name, value: value?.trim() ?? '' }
    else yield { ...line, kind: 'other' }
    start += text.length + 1
  }
}
