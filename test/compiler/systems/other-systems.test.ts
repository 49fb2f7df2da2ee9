import { join } from 'node:path'
import { execaSync } from 'execa'
import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import type { ExactJson } from '../../../src/base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../src/base/json/json-text.ts'
import { openCommandLineCode } from '../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../src/compiler/compile.ts'
import { CatalogError } from '../../../src/compiler/request/catalog-error.ts'
import type { CompileLog } from '../../../src/compiler/request/compile-request.ts'
import type { CatalogWire } from '../../../src/model/catalog.ts'
import { catalogToWire } from '../../../src/model/catalog-wire.ts'
import { createPlainNode } from '../../../src/model/node.ts'
import { buildTrustedFacts } from '../../../src/node/facts/trusted.ts'
import { plainRequest } from '../../support/plain-request.js'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { canonical } from '../case.ts'
import { knownSystems } from './known-systems.ts'
import { caseFiles, readSharedFiles, readSystemCases, type SystemCase, writeFiles } from './system-cases.ts'

interface Answer {
  /** A line for each resource and each containment. */
  readonly catalog: readonly string[]
  readonly error: string
  readonly logs: readonly string[]
}

interface Outcome {
  readonly catalog?: CatalogWire | undefined
  readonly error?: string | undefined
  readonly logs: readonly (readonly [level: string, message: string])[]
}

/** Messages that Puppet writes without a place, or that only one of the two programs writes. See docs/differences.md. */
const incomparable = /^Found \d+ dependency cycle| is deprecated in favor of /

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
const certname = 'node.example.test'
const folder = scratchFolder('systems')
const modulepath = [join(folder, 'modules')]
const hiera = join(folder, 'hiera.yaml')
const files = new Map(caseFiles.map((name) => [name, readSystemCases(name)]))
const cases = [...files.values()].flat()
const manifests = new Map(cases.map((each, index) => [each.title, join(folder, `${index + 1}.pp`)]))
const shared = readSharedFiles()
writeFiles(folder, shared)
writeFiles(
  '/',
  cases.map((each) => [manifests.get(each.title)!, each.manifest] as const),
)
const questions = Object.fromEntries(
  cases.map(({ title, system, manifest }) => [title, { manifest, facts: knownSystems[system], shared: [...shared] }]),
)
const answers = puppet.all<Answer>(questions, askPuppet)

describe('catalogs for nodes of other systems are those of real Puppet', () => {
  describe.each([...files])('%s', (_, some) => {
    it.each(some.map((each) => [each.title, each] as const))('%s', (title, each) => {
      expect(answerOf(each)).toEqual(answers[title])
    })
  })
})

function askPuppet(): Readonly<Record<string, Answer>> {
  const requests = cases.map(({ title, system }) =>
    formatExactJson({
      manifest: manifests.get(title)!,
      modulepath,
      hiera,
      facts: knownSystems[system]!,
      node: certname,
    }),
  )
  const script = join(import.meta.dirname, '../../oracle/compile.rb')
  const { stdout } = execaSync('ruby', [script], { input: `${requests.join('\n')}\n`, maxBuffer: 1e9 })
  const lines = stdout.split('\n').map((line) => parseJson(line) as unknown as Outcome)
  return Object.fromEntries(
    cases.map(({ title }, index) => {
      const { catalog, error, logs } = lines[index]!
      return [title, toAnswer(title, { catalog, error, logs })]
    }),
  )
}

function answerOf({ title, system }: SystemCase): Answer {
  const environment = openCommandLineCode({
    name: 'production',
    modulepath,
    manifest: { file: manifests.get(title)! },
    hiera,
  })
  const trusted = buildTrustedFacts({ authenticated: 'local', certname })
  const facts = knownSystems[system] as Record<string, ExactJson>
  try {
    const { catalog, logs } = compile(
      plainRequest(environment, { node: createPlainNode(certname, 'production'), facts, trusted }),
    )
    return toAnswer(title, { catalog: catalogToWire(catalog, { richData: true }), logs: logs.map(toPair) })
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return toAnswer(title, { error: error.message, logs: error instanceof CatalogError ? error.logs.map(toPair) : [] })
  }
}

function toPair({ level, message }: CompileLog): readonly [level: string, message: string] {
  return [level, message]
}

/** Without the resources of every catalog, and errors that are logged too. */
function toAnswer(title: string, { catalog, error = '', logs }: Outcome): Answer {
  const shown = (text: string) => text.replaceAll(manifests.get(title)!, '/site.pp').replaceAll(folder, '')
  const lines = catalog ? canonical(catalog).split('\n') : []
  const compared = logs.filter(([level, text]) => level !== 'err' && !incomparable.test(text))
  return {
    catalog: lines.filter((line) => !/^(?:Class|Stage)\[main\] |^classes:$/.test(line)).map(shown),
    error: shown(error).replace(/(?<=remove these from the puppet source) \(file: [^()]*\)/, ''),
    logs: compared.map(([level, text]) => shown(`${level}: ${text.replace(/ \(file: [^()]*\)$/, '')}`)),
  }
}
