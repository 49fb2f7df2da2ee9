import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import type { ExactJson } from '../../src/base/json/exact-json.ts'
import { openCommandLineCode } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import type { CompileRequest } from '../../src/compiler/request/compile-request.ts'
import { createPlainNode } from '../../src/model/node.ts'
import { plainRequest } from '../support/plain-request.js'

const oracle = join(import.meta.dirname, '../oracle')
type Facts = Readonly<Record<string, ExactJson>>

/** Those of a plain node. */
export const facts = JSON.parse(readFileSync(join(oracle, 'facts.json'), 'utf8')) as Facts

/** Files below a folder of any module, as `[module, path from there]`. */
export function filesOf(modules: string, folder: string, ending: string): [module: string, path: string][] {
  const names = readdirSync(modules).filter((name) => /^[a-z]\w*$/.test(name))
  return names.flatMap((module) => {
    const directory = join(modules, module, folder)
    if (!existsSync(directory)) return []
    const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    return paths.filter((name) => name.endsWith(ending)).map((name): [string, string] => [module, name])
  })
}

/** Where real Puppet and we do not say the same of a manifest: the last notice, or `! ` and the error. */
export function differences(manifests: readonly string[], modules: string) {
  const theirs = puppetSays(manifests, modules)
  const ours = weSay(manifests, modules)
  const found = manifests.flatMap((manifest, index) =>
    agree(theirs[index]!, ours[index]!) ? [] : [{ manifest, theirs: theirs[index], ours: ours[index] }],
  )
  return found
}

/** What the compiler is asked for code that uses modules. */
export function requestOf(modules: string, text: string, known: Facts = facts): CompileRequest {
  const environment = openCommandLineCode({ name: 'production', modulepath: [modules], manifest: { text } })
  return plainRequest(environment, { node: createPlainNode('test.example.com', 'production'), facts: known })
}

function puppetSays(manifests: readonly string[], modules: string): string[] {
  const questions = manifests.map((manifest) =>
    JSON.stringify({ manifest, strict: 'error', strict_variables: true, modulepath: [modules], facts }),
  )
  const { stdout } = execaSync('ruby', [join(oracle, 'evaluate.rb')], { input: questions.join('\n') })
  return stdout.split('\n').map((line) => {
    const { error, logs } = JSON.parse(line) as { error?: string; logs: [string, string][] }
    return inCommon(error === undefined ? (logs.at(-1)?.[1] ?? '') : `! ${error}`)
  })
}

function weSay(manifests: readonly string[], modules: string): string[] {
  const request = requestOf(modules, '')
  return manifests.map((text) => {
    try {
      const { logs } = compile({ ...request, environment: { ...request.environment, manifest: { text } } })
      return inCommon(logs.filter(({ level }) => level !== 'debug' && level !== 'info').at(-1)?.message ?? '')
    } catch (error) {
      return inCommon(`! ${(error as Error).message.replace(/ on node test\.example\.com$/, '')}`)
    }
  })
}

/**
 * Whether two answers say the same: Puppet names its own Ruby as the place of what it raises, or that of
 * a function which we answer without Ruby; we name the template.
 */
function agree(theirs: string, ours: string): boolean {
  if (theirs === ours) return true
  if (!/Filepath: (\/usr\/lib\/ruby\/|\S+\/lib\/puppet\/functions\/)/.test(theirs)) return false
  if (/Filepath: \/usr\/lib\/ruby\/.*Detail: (undefined method|no implicit conversion)/s.test(theirs))
    return ours.startsWith('! ')
  const place = /\n {2}Filepath: .*\n {2}Line: .*\n/
  return theirs.replace(place, '') === ours.replace(place, '')
}

/** How Ruby 3.4 and its libraries word what Ruby 3.1, in which real Puppet runs here, words in another way. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/`/g, "'"],
  // The line that is wrong, and what may have been meant.
  [/\n\n {4,}[^\n]*\n[ ^]*(?= \(|\n|$)/g, ''],
  [/\n?Did you mean\?.*?(?= \(file:| \(line:|$)/gs, ''],
  [/ for nil:NilClass/g, ' for nil'],
  [/ for (true|false):(True|False)Class/g, ' for $1'],
  [
    / for (?:"(?:[^"\\]|\\.)*"|\[.*?\]|\{.*?\}|[-\d.]+|:\w+):(String|Array|Hash|Integer|Float|Symbol)\b/gs,
    ' for an instance of $1',
  ],
  [/ for #<([A-Z]\w*(?:::[A-Z]\w*)*).*?(?= \(line:|\n|$)/g, ' for an instance of $1'],
  [/ for (?:module )?([A-Z][\w:]*):(Module|Class)\b/g, ' for $1'],
  [/(\d+: unexpected token|unexpected token at).*?(?= \(line:|$)|JSON::ParserError/gs, 'unexpected token'],
  [/bad URI\(is/g, 'bad URI (is'],
  [/ \(Expecting: CERTIFICATE\)/g, ''],
  // Addresses, and files without a name.
  [/#<Puppet::Pops::Types::\w+[^>]*>/g, 'a type'],
  [/ at \[.*?\]:(\[.*?\])?/g, ' at its place'],
  [/\(file: unknown, line/g, '(line'],
]

function inCommon(text: string): string {
  if (!text.startsWith('! ')) return text
  return wordings.reduce((said, [pattern, common]) => said.replaceAll(pattern, common), text)
}
