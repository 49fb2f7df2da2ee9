import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lines `code ==> answer` of a file of cases, of one section of it if given. */
export function readCases(file: string, section = ''): [code: string, answer: string][] {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  const part = section === '' ? text : (text.split(/^# == /m).find((each) => each.startsWith(section)) ?? '')
  const lines = part.split('\n').filter((line) => !line.startsWith('#') && / ==>( |$)/.test(line))
  return lines.map((line) => line.replaceAll('⏎', '\n').split(/ ==> ?/) as [string, string])
}
