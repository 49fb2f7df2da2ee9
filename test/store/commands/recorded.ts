import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../src/base/json/json-text.ts'
import { asksProgram } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { withoutJava } from '../../support/without-java.ts'
import { type CommandCase, commandCases } from './command-cases.ts'

/** PuppetDB's answer: what it would store, or the words with which it refuses. */
export interface RealAnswer {
  readonly stored?: unknown
  readonly error?: string
}

const jar = '/usr/share/puppetdb/puppetdb.jar'
const file = join(import.meta.dirname, 'recorded', 'reading.json')

/** True where PuppetDB is to be asked again: by `npm run test:oracle`, and to record. */
export const asksPuppetDb = existsSync(jar) && asksProgram

/** The answers as they were recorded, by the name of the case. */
export function recordedAnswers(): ReadonlyMap<string, RealAnswer> {
  return answersIn(withoutJava(readFileSync(file, 'utf8')))
}

function answersIn(text: string): ReadonlyMap<string, RealAnswer> {
  return new Map(Object.entries(parseJson(text) as Record<string, RealAnswer>))
}

/** Answers of PuppetDB 7.12 now; recorded, if that is wished. */
export function askPuppetDb(): ReadonlyMap<string, RealAnswer> {
  const folder = scratchFolder('commands')
  const [input, output] = [join(folder, 'in.json'), join(folder, 'out.json')]
  writeFileSync(input, JSON.stringify(commandCases.map(({ command, version, payload }) => [command, version, payload])))
  const script = join(import.meta.dirname, 'real-commands.clj')
  execFileSync('java', ['-Xmx512m', '-cp', jar, 'clojure.main', script, input, output], { stdio: 'pipe' })
  const lines = readFileSync(output, 'utf8').split('\n')
  const text = `{\n${commandCases.map((each, index) => `${JSON.stringify(titleOf(each))}:${lines[index]}`).join(',\n')}\n}\n`
  if (process.env.UPDATE) writeFileSync(file, text)
  return answersIn(withoutJava(text))
}

/** A name that no other case has. */
export function titleOf({ command, version, name }: CommandCase): string {
  return `${command} ${version}: ${name}`
}
