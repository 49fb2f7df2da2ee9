import { throwIssue } from '../../../base/issue.ts'
import { unflattenMetadata } from './flat-metadata.ts'
import { sopsIssues } from './issues.ts'
import { createTextLeaf, type SopsMap, SopsMeter, type SopsNode } from './sops-tree.ts'

type Entry = readonly [key: string, value: SopsNode]

const metadataSection = 'sops'

/**
 * Reads an INI file that SOPS has written: sections with lines `key = value`, and the metadata in the section `sops`.
 * Values with `#` or `;` are in backticks, and those with line breaks in three quotation marks. Keys before the first
 * section belong to the section `DEFAULT`. Throws SOPS_SYNTAX, SOPS_METADATA, SOPS_LIMIT.
 */
export function parseIniTree(text: string): SopsMap {
  const meter = new SopsMeter()
  const sections = new Map<string, Map<string, SopsNode>>()
  let section = openSection(sections, 'DEFAULT')
  const lines = text.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim()
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const [, name] = /^\[([^\]]+)\]/.exec(line) ?? []
    if (name !== undefined) {
      section = openSection(sections, name)
      continue
    }
    const [, quoted, bare, start = ''] = /^(?:`([^`]+)`\s*|([^=:`"]+))[=:](.*)$/.exec(line) ?? []
    const key = quoted ?? bare?.trim() ?? failIni('a line is neither a section nor a value')
    const { value, lastLine } = readValue(start.trim(), lines, at)
    at = lastLine
    if (section.has(key)) failIni('a key occurs twice')
    section.set(
      key,
      meter.within(() => createTextLeaf(value)),
    )
  }
  return { kind: 'map', entries: Array.from(sections).flatMap(toEntry) }
}

function openSection(sections: Map<string, Map<string, SopsNode>>, name: string): Map<string, SopsNode> {
  const section = sections.get(name) ?? new Map<string, SopsNode>()
  sections.set(name, section)
  return section
}

function toEntry([name, values]: readonly [string, Map<string, SopsNode>]): readonly Entry[] {
  if (name !== metadataSection) return values.size === 0 ? [] : [[name, { kind: 'map', entries: [...values] }]]
  const decoded = Array.from(values, ([path, value]): Entry => {
    const text = value.kind === 'leaf' ? value.text : ''
    return [path, createTextLeaf(text.replaceAll('\\n', '\n'))]
  })
  return [[name, unflattenMetadata(decoded)]]
}

/** Reads the value that starts in a line, and returns its last line. */
function readValue(start: string, lines: readonly string[], at: number): { value: string; lastLine: number } {
  if (start.startsWith('"""')) return readLongValue(start.slice(3), lines, at)
  const [, inner] = /^`([^`]*)`/.exec(start) ?? /^"(.*)"$/.exec(start) ?? /^'(.*)'$/.exec(start) ?? []
  if (inner !== undefined) return { value: inner, lastLine: at }
  if (start.endsWith('\\')) failIni('a value continues in the next line')
  const [value = ''] = start.split(/[#;]/, 1)
  return { value: value.trim(), lastLine: at }
}

function readLongValue(start: string, lines: readonly string[], at: number): { value: string; lastLine: number } {
  const parts: string[] = []
  for (let line = at; line < lines.length; line++) {
    const text = line === at ? start : lines[line]!
    const end = text.indexOf('"""')
    if (end !== -1) return { value: [...parts, text.slice(0, end)].join('\n'), lastLine: line }
    parts.push(text)
  }
  return failIni('a value in three quotation marks does not end')
}

function failIni(why: string): never {
  return throwIssue(sopsIssues.SOPS_SYNTAX, { what: 'INI of SOPS', why })
}
