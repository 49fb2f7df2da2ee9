import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { getStartLine } from '../../base/source.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { toBareError } from '../../compiler/request/catalog-error.ts'
import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import { toRichData } from '../../language/rich-data/rich-data.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import type { FacterDb } from '../systems/facterdb.ts'
import { systemIssues } from '../systems/issues.ts'
import { selectSystems } from '../systems/supported-systems.ts'
import type { TestFailure } from './expectation-check.ts'
import type { GoldenFiles } from './golden-catalog.ts'
import type { TestCode } from './test-code.ts'
import { createSystemNode, type TestNode } from './test-node.ts'
import type { ManifestTest } from './test-recorder.ts'
import { listManifestTests, runManifestTest } from './test-run.ts'

/** The result of a test on one system. */
export interface TestResult {
  readonly file: string
  /** Undefined if the file itself could not be evaluated. */
  readonly test: string | undefined
  /** Line of the test. */
  readonly line: number | undefined
  /** Name of the system in FacterDB; undefined for a test without one. */
  readonly system: string | undefined
  readonly seconds: number
  readonly failures: readonly TestFailure[]
}

/** Dependencies of a suite. */
export interface SuiteParts {
  readonly code: TestCode
  /** Opened for the first test with a system. */
  readonly openFacts: () => FacterDb
  createRequest(node: TestNode, environment: CompileEnvironment): CompileRequest
  /** Golden catalogs, by path. */
  readonly golden: GoldenFiles
  /** Only tests whose name contains one of these texts; all tests if empty. */
  readonly only: readonly string[]
}

/** Runs the tests of a file, each on each of its systems. */
export function* runTestFile(file: string, parts: SuiteParts): Generator<TestResult> {
  const { code, createRequest, only } = parts
  const began = performance.now()
  let tests: readonly ManifestTest[]
  try {
    tests = listManifestTests(createRequest(createSystemNode({}), code.open({ file })))
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { message, file: path, line } = toBareError(error)
    const failures = [{ message, file: path && code.getAuthorPath(path), line }]
    yield { ...{ file, test: undefined, system: undefined, line: undefined }, seconds: getSeconds(began), failures }
    return
  }
  for (const [number, test] of tests.entries())
    if (only.length === 0 || only.some((text) => test.name.includes(text)))
      yield* runTest({ ...test, file, number }, parts)
}

/** A test with its file and number. */
interface NumberedTest extends ManifestTest {
  readonly file: string
  readonly number: number
}

function* runTest(test: NumberedTest, parts: SuiteParts): Generator<TestResult> {
  const { name, options, file, span } = test
  const line = span && getStartLine(span)
  const data = options.get('data')
  const folder = data instanceof Hash ? writeTestData(data) : undefined
  try {
    const environment = parts.code.open({ file }, folder)
    for (const system of listTestSystems(options, parts)) yield runOnSystem(test, system, environment, parts)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    yield { ...{ file, test: name, system: undefined, line, seconds: 0 }, failures: [toFailure(error, test)] }
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

function runOnSystem(
  test: NumberedTest,
  system: string | undefined,
  environment: CompileEnvironment,
  { code, createRequest, golden, openFacts }: SuiteParts,
): TestResult {
  const { file, name, number, options, span } = test
  const began = performance.now()
  const node = createNode(system === undefined ? {} : openFacts().readFacts(system), options)
  const suffix = system === undefined ? '' : `.${system}`
  const folder = join(dirname(file), `${basename(file, '_test.pp')}_golden`)
  const failures = runManifestTest(createRequest(node, environment), number, {
    isUpdated: golden.isUpdated,
    read: (of) => golden.read(join(folder, `${of}${suffix}.json`)),
    write: (of, text) => golden.write(join(folder, `${of}${suffix}.json`), text),
  })
  const located = failures.map((each) => ({ ...each, file: each.file && code.getAuthorPath(each.file) }))
  return {
    ...{ file, test: name, system, line: span && getStartLine(span), seconds: getSeconds(began) },
    failures: located,
  }
}

/** The systems of a test, by the names of FacterDB; undefined for a test without facts of a system. */
function listTestSystems(options: Hash, { code, openFacts }: SuiteParts): readonly (string | undefined)[] {
  const on = options.get('on') ?? (code.supported && code.supported.length > 0 ? 'supported' : 'none')
  if (on === 'none') return [undefined]
  const { names } = openFacts()
  if (on === 'supported') {
    const systems = selectSystems(code.supported ?? [], names)
    return systems.length > 0 ? systems : throwIssue(systemIssues.SYSTEMS_ABSENT, {})
  }
  return (on as readonly string[]).map((name) => {
    const found = names.find((each) => each === name) ?? selectSystems([{ name, releases: [] }], names)[0]
    return found ?? throwIssue(systemIssues.SYSTEM_UNKNOWN, { name, known: names })
  })
}

function createNode(facts: TestNode['facts'], options: Hash): TestNode {
  const node = createSystemNode({ ...facts, ...toJsonObject(options.get('facts')) })
  const certname = options.get('certname')
  const trusted = toJsonObject(options.get('trusted'))
  return { ...node, trusted, ...(typeof certname === 'string' && { certname }) }
}

function toJsonObject(value: Value): Readonly<Record<string, ExactJson>> {
  return value instanceof Hash ? (toRichData(value) as Readonly<Record<string, ExactJson>>) : {}
}

/** Writes the data of a test as a global layer of Hiera, which has precedence over all other layers. */
function writeTestData(data: Hash): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-test-data-'))
  const hierarchy = [{ name: 'Data of the test', path: 'data.json', datadir: '.', data_hash: 'json_data' }]
  writeFileSync(join(folder, 'hiera.yaml'), JSON.stringify({ version: 5, hierarchy }))
  writeFileSync(join(folder, 'data.json'), formatExactJson(toRichData(data)))
  return folder
}

function toFailure({ diagnostic }: PuppetError, { file, span }: NumberedTest): TestFailure {
  const { message, hint } = diagnostic
  return { message: hint === undefined ? message : `${message}. ${hint}`, file, line: span && getStartLine(span) }
}

function getSeconds(began: number): number {
  return (performance.now() - began) / 1000
}
